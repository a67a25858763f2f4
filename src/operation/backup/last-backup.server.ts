import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A nightly backup and six hours. */
export const BACKUP_LATE_MS = 30 * 3_600_000

/** In DATA_DIR, because the processes of the site may not see the folder of the backups. */
const markFile = (dataDir: string) => join(dataDir, 'last-backup')

/** Call this after a backup has succeeded. `at`: the moment that it holds. */
export async function noteBackup(dataDir: string, at: Date): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  await writeFile(markFile(dataDir), `${at.toISOString()}\n`)
}

/** Null when no backup was made with this DATA_DIR. */
export async function lastBackupAt(dataDir: string): Promise<Date | null> {
  const text = await readFile(markFile(dataDir), 'utf8').catch(() => '')
  const at = new Date(text.trim())
  return Number.isNaN(at.getTime()) ? null : at
}
