import { join } from 'node:path'
import type { Bulk } from '#src/kit/db/bulk.server.ts'
import { addressesOf, openDatabase, type Database } from '#src/kit/db/database.server.ts'
import { migrationHashes } from '#src/kit/db/migrate.server.ts'
import type { Env } from '#src/kit/base/env.server.ts'
import { placeOf, type PicturePlace } from '#src/kit/media/picture-place.server.ts'
import { openVault } from '#src/kit/vault.server.ts'
import { adoptPictures, hasOwner } from '#src/market/media-owner.server.ts'
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
  key: string
  /** The name of a backup in the folder; by default the newest. */
  name?: string
}

/** Marks a picture folder whose restore from this backup has begun: only that restore may continue in it. */
const BEGUN = '.restoring'

/**
 * Restores a backup into an empty place: the database of `env`, created by our migrations, and the picture folder. Verifies the backup
 * before it creates anything. One transaction loads the rows, and commits only if every table equals the original. A killed restore can be
 * restarted.
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
  // Decrypts the first bytes, so that a wrong key is refused before anything is created.
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
      await deletePast(bulk)
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

/** For a database that PostgreSQL's own tools have brought back to an earlier moment, before the site opens on it. Idempotent. */
export async function forgetPast(env: Env): Promise<void> {
  const database = await openDatabase(addressesOf(env))
  try {
    await database.bulk('writes', deletePast)
  } finally {
    await database.close()
  }
}

export async function ensureSame(bulk: Bulk, wanted: Content['tables'], where: string): Promise<void> {
  const different = differences(wanted, await allFacts(bulk))
  if (different.length > 0)
    throw new BackupRefused(`The restored tables differ from the ${where}: ${different.join('; ')}. Nothing was stored.`)
}

/**
 * Deletes what must not return from the past: sessions that have ended since, used codes, and queued messages that were sent. Transaction
 * ids mean nothing in another database. Everybody has to log in again.
 */
async function deletePast(bulk: Bulk): Promise<void> {
  for (const statement of [
    'delete from page_changes',
    'delete from sessions',
    'delete from otps',
    'update run_links set revoked_at = now() where revoked_at is null',
    `update outbox set failed_at = now(), last_error = 'RESTORED', sealed = null where sent_at is null and failed_at is null and shown_at is null`,
  ])
    await bulk.query(statement)
}

/** Refuses a backup of a newer release, or of another program. */
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
    // The empty tables of a killed restore.
    const isOurs = tables.some(({ name }) => name === 'loaded_data') && (await bulk.query('select 1 from loaded_data limit 1')).length === 0
    if (!isOurs) throw new BackupRefused('The database is not empty. A restore needs an empty one, and deletes nothing.')
  })
}

async function ensureEmptyPlace(place: PicturePlace, name: string): Promise<void> {
  if (await place.isEmpty()) return
  if ((await place.readNote(BEGUN)) === name && !(await hasOwner(place))) return
  throw new BackupRefused(`The picture ${place.name} is not empty. A restore needs an empty one, and deletes nothing.`)
}
