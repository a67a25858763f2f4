import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { loadedData } from './accounts/tables.ts'
import { openDatabase, type Database, type Db } from '#src/kit/db/database.server.ts'
import { EnvError, type Env } from './kit/env.server.ts'
import { openMediaStore } from '#src/kit/media/media-store.server.ts'
import { namedPictureKeys, usesPictures } from './selling/used-pictures.server.ts'

const NAME = 'media-owner'
const FILE = '.owner'

/** The first line travels with every backup of the database; the second names this very copy and never does. */
interface Mark {
  market: string
  /** Null in a mark of an older release. */
  instance: string | null
}

/**
 * Whose the pictures in this folder are. `ours`: this database's, and nobody else's. `copy`: this database is a restored or copied one of
 * the market that owns the folder, so the original may be running beside it: then nothing in the folder may be deleted.
 * EnvError when the folder is another market's, or is empty while the database names pictures.
 */
export async function claimPictures(database: Database, folder: string): Promise<'ours' | 'copy'> {
  await mkdir(folder, { recursive: true })
  const market = await marketId(database.db)
  const instance = await database.instance()
  let mark = await readMark(folder)
  if (mark === null) {
    if (await usesPictures(database.db)) throw refusal(folder, 'has no mark of this market, and the database names pictures')
    await writeFirstMark(folder, { market, instance })
    mark = (await readMark(folder))!
  }
  if (mark.market !== market) throw refusal(folder, "holds another market's pictures")
  if (mark.instance === null) await writeMark(folder, { market, instance })
  return mark.instance === null || mark.instance === instance ? 'ours' : 'copy'
}

/** By an operator, who knows that no other database uses the folder: from now on it is this one's. */
export async function adoptPictures(database: Database, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeMark(folder, { market: await marketId(database.db), instance: await database.instance() })
}

interface PictureReport {
  owner: 'ours' | 'copy'
  /** How many pictures the rows name. */
  named: number
  /** Keys of those that are not in the folder. */
  missing: string[]
  /** How many pictures of the folder no row names. */
  unnamed: number
  quarantined: number
}

/** Compares folder and rows; puts back from the quarantine what a row names. `adopt` first makes the folder this database's own. */
export async function reportPictures(env: Env, { adopt }: { adopt: boolean }): Promise<PictureReport> {
  const database = await openDatabase({ databaseUrl: env.databaseUrl, dataDir: env.dataDir })
  try {
    const folder = mediaFolder(env)
    if (adopt) await adoptPictures(database, folder)
    const owner = await claimPictures(database, folder)
    const media = await openMediaStore(folder)
    const named = new Set(await namedPictureKeys(database.db))
    let quarantined = 0
    for await (const { key } of media.listQuarantined()) {
      if (named.has(key)) await media.putBack(key)
      else quarantined += 1
    }
    const missing = new Set(named)
    let unnamed = 0
    for await (const key of media.list()) if (!missing.delete(key)) unnamed += 1
    return { owner, named: named.size, missing: [...missing], unnamed, quarantined }
  } finally {
    await database.close()
  }
}

export const mediaFolder = ({ dataDir }: Env) => join(dataDir, 'media')

async function marketId(db: Db): Promise<string> {
  await db.insert(loadedData).values({ name: NAME, hash: randomUUID(), rows: 1 }).onConflictDoNothing()
  const [row] = await db.select({ id: loadedData.hash }).from(loadedData).where(eq(loadedData.name, NAME))
  return row!.id
}

async function readMark(folder: string): Promise<Mark | null> {
  const text = await readFile(join(folder, FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const [market = '', instance = null] = text.trim().split('\n')
  return { market, instance }
}

const textOf = ({ market, instance }: Mark) => `${market}\n${instance}\n`

/** Whole or not at all: another process may read it at any moment. */
async function writeMark(folder: string, mark: Mark): Promise<void> {
  await rename(await writeDraft(folder, mark), join(folder, FILE))
}

/** As writeMark, and the first of several processes wins. */
async function writeFirstMark(folder: string, mark: Mark): Promise<void> {
  const draft = await writeDraft(folder, mark)
  try {
    await link(draft, join(folder, FILE))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft)
  }
}

async function writeDraft(folder: string, mark: Mark): Promise<string> {
  const draft = join(folder, `${FILE}.${randomUUID()}`)
  await writeFile(draft, textOf(mark))
  return draft
}

const refusal = (folder: string, what: string) =>
  new EnvError([
    `DATA_DIR: the picture folder ${folder} ${what}. Mount or restore the right folder, or take this one over with: npm run pictures -- --adopt`,
  ])
