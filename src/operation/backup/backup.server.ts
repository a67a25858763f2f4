import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Encrypter } from 'age-encryption'
import type { Bulk } from '#src/kit/db/bulk.server.ts'
import { addressesOf, openDatabase } from '#src/kit/db/database.server.ts'
import type { Env } from '#src/kit/base/env.server.ts'
import { placeOf } from '#src/kit/media/picture-place.server.ts'
import { openVault } from '#src/kit/vault.server.ts'
import { claimPictures } from '#src/market/media-owner.server.ts'
import { NAMED_PICTURE_KEYS, namedPictureKeys } from '#src/content/privacy/media-domains.server.ts'
import { noteBackup } from './last-backup.server.ts'
import { foldersOf, listBackups, readManifest, signed } from './manifest.server.ts'
import { pictureCopier, prunePictures, writePictureList } from './pictures.server.ts'
import { putInPlace, sealFor, writeSealed, BackupRefused, type SealedFacts } from './sealed-file.server.ts'
import { dumpTables, factsOf, tablesOf, type TableFacts } from './tables.server.ts'

interface Backup {
  folder: string
  rows: number
  pictures: number
  /** Copied by this backup; earlier ones had copied the others. */
  copied: number
  /** Named by rows, but not in the picture folder. */
  missing: string[]
  pruned: number
}

/** A draft older than this belongs to no running backup. */
const STALE_MS = 24 * 3_600_000

/**
 * Backs up database and pictures as of one moment into `to`: pictures first, then one database snapshot, then pictures that arrived
 * meanwhile, so that every picture in the snapshot is copied. `keep`: how many backups stay in the folder.
 */
export async function makeBackup(env: Env, { to, keep, now = new Date() }: { to: string; keep?: number; now?: Date }): Promise<Backup> {
  if (env.backupRecipients.length === 0)
    throw new BackupRefused('BACKUP_RECIPIENT must name the recipient of backups. Create a key with: npm run backup -- --new-key FILE')
  const encrypter = await sealFor(env.backupRecipients)
  const vault = openVault(env.pepper)
  const { backups, pictures } = foldersOf(to)
  await mkdir(backups, { recursive: true })
  await mkdir(pictures, { recursive: true })
  await removeStaleDrafts(backups)
  const name = `${now.toISOString().replaceAll(':', '').slice(0, 17)}Z`
  const draft = join(backups, `.draft-${name}-${process.pid}`)
  await mkdir(draft)
  const database = await openDatabase(addressesOf(env))
  try {
    // Refuses another market's pictures, or an empty folder in place of ours: such a backup would be wrong.
    const place = placeOf(env)
    await claimPictures(database, place)
    const media = await place.open({ keepsRemoved: true })
    const copier = await pictureCopier(media, pictures, encrypter)
    await copier.copyAll()
    const snapshot = await database.bulk('reads', (bulk) => takeSnapshot(bulk, join(draft, 'database.gz.age'), encrypter))
    await copier.copyAll()
    const list = await writePictureList(join(draft, 'pictures.txt'), snapshot.keys, copier.kept)
    // Pictures that were taken down since the snapshot are not missing.
    const named = list.missing.length > 0 ? new Set(await namedPictureKeys(database.db)) : new Set()
    const missing = list.missing.filter((key) => named.has(key))
    const manifest = signed(vault, {
      format: 'sandhai-backup-1',
      madeAt: now.toISOString(),
      engine: database.kind,
      mode: env.mode,
      migrations: snapshot.migrations,
      tables: snapshot.tables,
      database: snapshot.file,
      pictures: { ...list, missing },
    })
    await writeFile(join(draft, 'manifest.json.part'), manifest)
    await putInPlace(join(draft, 'manifest.json.part'), join(draft, 'manifest.json'))
    await rename(draft, join(backups, name))
    await readManifest([vault], join(backups, name))
    const rows = snapshot.tables.reduce((sum, table) => sum + Number(table.rows), 0)
    await noteBackup(env.dataDir, now)
    const pruned = keep === undefined ? 0 : await prune(to, keep)
    return { folder: join(backups, name), rows, pictures: list.count, copied: copier.copied(), missing, pruned }
  } finally {
    await database.close()
    await rm(draft, { recursive: true, force: true })
  }
}

interface Snapshot {
  file: SealedFacts
  tables: TableFacts[]
  migrations: string[]
  /** Keys of the pictures that its rows name. */
  keys: string[]
}

async function takeSnapshot(bulk: Bulk, file: string, encrypter: Encrypter): Promise<Snapshot> {
  const migrations = await bulk.query('select hash from schema_migrations order by number')
  const tables: TableFacts[] = []
  for (const table of await tablesOf(bulk)) tables.push(await factsOf(bulk, table))
  const keys = await bulk.query(NAMED_PICTURE_KEYS)
  return {
    tables,
    migrations: migrations.map(({ hash }) => String(hash)),
    keys: keys.map(({ key }) => String(key)),
    file: await writeSealed(file, encrypter, dumpTables(bulk)),
  }
}

async function removeStaleDrafts(backups: string): Promise<void> {
  for (const name of await readdir(backups)) {
    if (!name.startsWith('.draft-')) continue
    const found = await stat(join(backups, name)).catch(() => null)
    if (found && Date.now() - found.mtimeMs > STALE_MS) await rm(join(backups, name), { recursive: true, force: true })
  }
}

/** Deletes all but the newest `keep` backups. Returns how many it deleted. */
async function prune(root: string, keep: number): Promise<number> {
  const { backups, pictures } = foldersOf(root)
  const names = await listBackups(root)
  const old = names.slice(0, Math.max(0, names.length - keep))
  for (const name of old) await rm(join(backups, name), { recursive: true })
  const left = names.slice(old.length).map((name) => join(backups, name, 'pictures.txt'))
  if (old.length > 0) await prunePictures(pictures, left)
  return old.length
}
