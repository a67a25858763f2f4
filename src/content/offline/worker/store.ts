import type { DBSchema } from 'idb'
import type { Kept } from '#src/content/offline/copy-rules.ts'
import { COPIES_DB } from '#src/content/offline/names.ts'
import { Records } from '#src/content/offline/records.ts'

interface Store extends DBSchema {
  kept: { key: string; value: Kept }
  facts: { key: string; value: unknown }
}

/** The worker's own records: its copies, and the phone's current owner. Pages wait for them, so they have little time. */
export const records = new Records<Store>(
  COPIES_DB,
  (db) => {
    db.createObjectStore('kept', { keyPath: 'id' })
    db.createObjectStore('facts')
  },
  { limitMs: 1500, restMs: 30_000 },
)
