import { join } from 'node:path'
import type { Bulk } from '#src/kit/db/bulk.server.ts'
import { addressesOf, openDatabase, type Database } from '#src/kit/db/database.server.ts'
import { migrationHashes } from '#src/kit/db/migrate.server.ts'
import type { Env } from '#src/kit/env.server.ts'
import { placeOf, type PicturePlace } from '#src/kit/media/picture-place.server.ts'
import { openVault } from '#src/kit/vault.server.ts'
import { adoptPictures, hasOwner } from '#src/media-owner.server.ts'
import { foldersOf, listBackups, readManifest, type Content } from './manifest.server.ts'
import { restorePictures } from './pictures.server.ts'
import { BackupRefused, ensureUnharmed, openWith, readSealed } from './sealed-file.server.ts'
import { allFacts, differences, loadTables } from './tables.server.ts'

export interface Restored {
  name: string
  madeAt: string
  tables: number
  rows: number
  pictures: number
}

interface Wanted {
  from: string
  /** A file with the key of the backup. */
  key: string
  /** Which of the folder's backups; the newest when not given. */
  name?: string
}

/** Says in a picture folder that a restore of this backup was begun: only that one may go on in it. */
const BEGUN = '.restoring'

/**
 * A backup into an empty place: the database of `env`, made by our migrations, and the picture folder. The backup is looked at before
 * anything is made; the rows come in one transaction, which ends only if every table is as it was. A restore that was killed is begun again.
 */
export async function restoreBackup(env: Env, wanted: Wanted): Promise<Restored> {
  const vaults = [env.pepper, env.pepperOld].filter((pepper) => pepper !== null).map((pepper) => openVault(pepper))
  const name = wanted.name ?? (await listBackups(wanted.from)).at(-1)
  if (name === undefined) throw new BackupRefused(`There is no backup in ${wanted.from}.`)
  const folder = join(foldersOf(wanted.from).backups, name)
  const content = await readManifest(vaults, folder)
  const file = join(folder, 'database.gz.age')
  const list = join(folder, 'pictures.txt')
  const decrypter = await openWith(wanted.key)
  await ensureUnharmed(file, content.database)
  await ensureUnharmed(list, content.pictures)
  await ensureKnown(content)
  // Opens its first bytes: a wrong key is refused before anything is made.
  for await (const _ of readSealed(file, decrypter)) break

  const place = placeOf(env)
  await ensureEmptyPlace(place, name)
  const database = await openDatabase(addressesOf(env))
  try {
    await ensureEmpty(database)
    await place.writeNote(BEGUN, name)
    const media = await place.open()
    await restorePictures(media, { list, folder: foldersOf(wanted.from).pictures, decrypter })
    await database.migrate({ atMost: content.migrations.length })
    await database.bulk('writes', async (bulk) => {
      await loadTables(bulk, readSealed(file, decrypter))
      await ensureSame(bulk, content.tables, 'backup')
      await leaveBehind(bulk)
    })
    await database.db.execute('analyze')
    await adoptPictures(database, place)
    await place.removeNote(BEGUN)
  } finally {
    await database.close()
  }
  const rows = content.tables.reduce((sum, table) => sum + Number(table.rows), 0)
  return { name, madeAt: content.madeAt, tables: content.tables.length, rows, pictures: content.pictures.count }
}

export async function ensureSame(bulk: Bulk, wanted: Content['tables'], where: string): Promise<void> {
  const different = differences(wanted, await allFacts(bulk))
  if (different.length > 0)
    throw new BackupRefused(`What was restored is not what the ${where} holds: ${different.join('; ')}. Nothing was kept.`)
}

/**
 * What must not come back with the past: who has logged out since would be logged in again, a code that was used would be good again, and
 * what waited to be sent was sent. Numbers of transactions mean nothing in another database. Everybody logs in anew.
 */
async function leaveBehind(bulk: Bulk): Promise<void> {
  for (const statement of [
    'delete from page_changes',
    'delete from sessions',
    'delete from otps',
    'update run_links set revoked_at = now() where revoked_at is null',
    `update outbox set failed_at = now(), last_error = 'RESTORED', sealed = null where sent_at is null and failed_at is null and shown_at is null`,
  ])
    await bulk.query(statement)
}

/** Of a newer release, or of one that is not ours. */
async function ensureKnown({ migrations }: Content): Promise<void> {
  const ours = migrationHashes()
  const unknown = migrations.findIndex((hash, number) => ours[number] !== hash)
  if (unknown >= 0)
    throw new BackupRefused(
      `The backup was made by another release of Sandhai (migration ${unknown}). Restore it with that one, then upgrade.`,
    )
}

export async function ensureEmpty(database: Database): Promise<void> {
  await database.bulk('reads', async (bulk) => {
    const tables = await bulk.query(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    )
    if (tables.length === 0) return
    // Tables that a killed restore has made, and nothing in them.
    const isOurs = tables.some(({ name }) => name === 'loaded_data') && (await bulk.query('select 1 from loaded_data limit 1')).length === 0
    if (!isOurs) throw new BackupRefused('The database is not empty. A restore goes into an empty one, and deletes nothing.')
  })
}

async function ensureEmptyPlace(place: PicturePlace, name: string): Promise<void> {
  if (await place.isEmpty()) return
  if ((await place.readNote(BEGUN)) === name && !(await hasOwner(place))) return
  throw new BackupRefused(`The picture ${place.name} is not empty. A restore goes into an empty one, and deletes nothing.`)
}
