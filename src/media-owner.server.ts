import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { loadedData } from './accounts/tables.ts'
import type { Db } from './kit/database.server.ts'

const NAME = 'media-owner'
const FILE = '.owner'

/**
 * Whether the pictures in this folder are of this database. A folder may outlive its database, or be used with another one for a
 * while: the sweeper would take every picture in it for nobody's. The first database that asks owns the folder.
 */
export async function ownsMedia(db: Db, folder: string): Promise<boolean> {
  await db.insert(loadedData).values({ name: NAME, hash: randomUUID(), rows: 1 }).onConflictDoNothing()
  const [row] = await db.select({ owner: loadedData.hash }).from(loadedData).where(eq(loadedData.name, NAME))
  const file = join(folder, FILE)
  await writeFile(file, row!.owner, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return (await readFile(file, 'utf8')) === row!.owner
}
