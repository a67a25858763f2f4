import { firstRow } from '#src/kit/db/rows.server.ts'
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { loadedData } from '#src/accounts/tables.ts'
import { addressesOf, openDatabase, type Database } from '#src/kit/db/database.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import { EnvError, type Env } from '#src/kit/base/env.server.ts'
import { placeOf, type PicturePlace } from '#src/kit/media/picture-place.server.ts'
import { namedPictureKeys, usesPictures } from '#src/content/privacy/media-domains.server.ts'

const NAME = 'media-owner'
const FILE = '.owner'
/** The mark of a move to this place: it is not empty any more, and has no owner yet. */
const MOVING = '.moving'

/** The first line is part of every backup of the database; the second identifies this very copy and is part of none. */
interface Mark {
  market: string
  /** Null in a mark of an older release. */
  instance: string | null
}

/**
 * Determines the owner of the pictures in this folder or bucket. `ours`: this database only. `copy`: this database is a restored or copied
 * one of the market that owns the folder, so the original may be running, too, and nothing in the folder may be deleted. Throws EnvError
 * when the folder is another market's, or is empty while the database names pictures.
 */
export async function claimPictures(database: Database, place: PicturePlace): Promise<'ours' | 'copy'> {
  await place.prepare()
  const market = await marketId(database.db)
  const instance = await database.instance()
  let mark = await readMark(place)
  if (mark === null) {
    if (await usesPictures(database.db)) throw refusal(place, 'has no mark of this market, and the database names pictures')
    await place.writeFirstNote(FILE, textOf({ market, instance }))
    mark = (await readMark(place))!
  }
  if (mark.market !== market) throw refusal(place, "holds another market's pictures")
  if (mark.instance === null) await place.writeNote(FILE, textOf({ market, instance }))
  return mark.instance === null || mark.instance === instance ? 'ours' : 'copy'
}

/** Throws EnvError when the place holds another market's pictures, or unmarked ones. */
export async function ensureMayMoveTo(database: Database, place: PicturePlace): Promise<void> {
  const mark = await readMark(place)
  if (mark === null && !(await place.isEmpty()) && (await place.readNote(MOVING)) === null)
    throw refusal(place, 'is not empty and has no mark')
  if (mark !== null && mark.market !== (await marketId(database.db))) throw refusal(place, "holds another market's pictures")
  if (mark === null) await place.writeNote(MOVING, '')
}

/** Makes the folder this database's own; for an operator who knows that no other database uses it. */
export async function adoptPictures(database: Database, place: PicturePlace): Promise<void> {
  await place.prepare()
  await place.writeNote(FILE, textOf({ market: await marketId(database.db), instance: await database.instance() }))
  await place.removeNote(MOVING)
}

interface PictureReport {
  owner: 'ours' | 'copy'
  /** Pictures that rows name. */
  named: number
  /** Keys of named pictures that are missing. */
  missing: string[]
  /** Pictures that no row names. */
  unnamed: number
  quarantined: number
}

/** Compares pictures and rows, and returns named pictures from the quarantine. `adopt` first makes the folder this database's own. */
export async function reportPictures(env: Env, { adopt }: { adopt: boolean }): Promise<PictureReport> {
  const database = await openDatabase(addressesOf(env))
  try {
    const place = placeOf(env)
    if (adopt) await adoptPictures(database, place)
    const owner = await claimPictures(database, place)
    const media = await place.open()
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

async function marketId(db: Db): Promise<string> {
  await db.insert(loadedData).values({ name: NAME, hash: randomUUID(), rows: 1 }).onConflictDoNothing()
  return firstRow(await db.select({ id: loadedData.hash }).from(loadedData).where(eq(loadedData.name, NAME))).id
}

export const hasOwner = async (place: PicturePlace): Promise<boolean> => (await readMark(place)) !== null

async function readMark(place: PicturePlace): Promise<Mark | null> {
  const text = await place.readNote(FILE)
  if (text === null) return null
  const [market = '', instance = null] = text.trim().split('\n')
  return { market, instance }
}

const textOf = ({ market, instance }: Mark) => `${market}\n${instance}\n`

const refusal = ({ name, variable }: PicturePlace, what: string) =>
  new EnvError([
    `${variable}: the picture ${name} ${what}. Mount or restore the right one, or take this one over with: npm run pictures -- --adopt`,
  ])
