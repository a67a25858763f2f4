import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import type { Kept } from '#src/content/offline/copy-rules.ts'
import { COPIES_DB } from '#src/content/offline/names.ts'

interface Store extends DBSchema {
  kept: { key: string; value: Kept }
  facts: { key: string; value: unknown }
}

let opened: Promise<IDBPDatabase<Store>> | undefined

/** The worker's own notes: what it keeps, and whose phone it is. */
export function store(): Promise<IDBPDatabase<Store>> {
  opened ??= openDB<Store>(COPIES_DB, 1, {
    upgrade(db) {
      db.createObjectStore('kept', { keyPath: 'id' })
      db.createObjectStore('facts')
    },
    // Somebody deletes it, as the kill switch does: it is opened anew at the next use.
    blocking: (_, __, event) => {
      ;(event.target as IDBDatabase).close()
      opened = undefined
    },
    terminated: () => (opened = undefined),
  })
  return opened
}
