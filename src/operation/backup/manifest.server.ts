import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Vault } from '#src/kit/vault.server.ts'
import { BackupRefused } from './sealed-file.server.ts'
import { tableFacts } from './tables.server.ts'

/**
 * A backup folder holds:
 *
 *     backups/2026-11-23T020000Z/manifest.json   what this backup is made of, with hashes, signed with PEPPER
 *     backups/2026-11-23T020000Z/database.gz.age every table
 *     backups/2026-11-23T020000Z/pictures.txt    which of the pictures below belong to it: key, hash, bytes
 *     pictures/ab/<key>.<hash>.tar.age           a picture with all its sizes, once for all backups
 */
const fileFacts = z.object({ bytes: z.number().int().nonnegative(), sha256: z.string().regex(/^[0-9a-f]{64}$/) })

const content = z.object({
  format: z.literal('sandhai-backup-1'),
  madeAt: z.string(),
  engine: z.enum(['embedded', 'postgres']),
  mode: z.string(),
  /** Hashes of the migrations that had run: a restore creates the same tables first. */
  migrations: z.array(z.string()),
  tables: z.array(tableFacts),
  database: fileFacts,
  pictures: fileFacts.extend({ count: z.number().int(), missing: z.array(z.string()) }),
})
export type Content = z.output<typeof content>

const manifest = z.object({ content, pepper: z.string(), signature: z.string() })

const PEPPER_PROOF = 'sandhai'
const pepperProof = (vault: Vault) => vault.mac('backup-pepper', PEPPER_PROOF).toString('hex')
const signature = (vault: Vault, text: string) => vault.mac('backup-manifest', text).toString('hex')

/** Signs the manifest, so that a person with write access to the backup folder cannot forge a backup. */
export function signed(vault: Vault, content: Content): string {
  return `${JSON.stringify({ content, pepper: pepperProof(vault), signature: signature(vault, JSON.stringify(content)) }, null, 1)}\n`
}

export const foldersOf = (root: string) => ({ backups: join(root, 'backups'), pictures: join(root, 'pictures') })

/** Complete backups, newest last. */
export async function listBackups(root: string): Promise<string[]> {
  const names = await readdir(foldersOf(root).backups).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => /^\d{4}-\d\d-\d\dT\d{6}Z$/.test(name)).sort()
}

/** `vaults`: of PEPPER, and of PEPPER_OLD for a backup from before a change. */
export async function readManifest(vaults: Vault[], folder: string): Promise<Content> {
  const file = join(folder, 'manifest.json')
  const text = await readFile(file, 'utf8').catch(() => {
    throw new BackupRefused(`There is no backup in ${folder}: it has no manifest.json.`)
  })
  const read = manifest.safeParse(jsonOf(text))
  if (!read.success) throw new BackupRefused(`The backup is damaged or was altered: ${file} is not as it was written.`)
  const vault = vaults.find((each) => read.data.pepper === pepperProof(each))
  if (!vault) throw new BackupRefused('PEPPER is not the one of this backup.')
  if (read.data.signature !== signature(vault, JSON.stringify(read.data.content)))
    throw new BackupRefused(`The backup is damaged or was altered: ${file} is not as it was written.`)
  return read.data.content
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
