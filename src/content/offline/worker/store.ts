import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import type { Kept } from '#src/content/offline/copy-rules.ts'
import { COPIES_DB } from '#src/content/offline/names.ts'

interface Store extends DBSchema {
  kept: { key: string; value: Kept }
  facts: { key: string; value: unknown }
}

let opened: Promise<IDBPDatabase<Store>> | undefined

/** The worker's own records: its copies, and the phone's current owner. */
export function store(): Promise<IDBPDatabase<Store>> {
  opened ??= openDB<Store>(COPIES_DB, 1, {
    upgrade(db) {
      db.createObjectStore('kept', { keyPath: 'id' })
      db.createObjectStore('facts')
    },
    // The kill switch or the person can delete the database: close it, and open it again at the next use.
    blocking: (_, __, event) => {
      ;(event.target as IDBDatabase).close()
      opened = undefined
    },
    terminated: () => (opened = undefined),
  })
  return opened
}
