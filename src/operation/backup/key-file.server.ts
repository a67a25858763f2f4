import { writeFile } from 'node:fs/promises'
import { BackupRefused, newKey } from './sealed-file.server.ts'

/** Writes a key file that only its owner can read, and returns its public recipient, for which backups are sealed. Never overwrites a file. */
export async function writeNewKey(file: string): Promise<string> {
  const { identity, recipient } = await newKey()
  const text = `# created: ${new Date().toISOString()}\n# public key: ${recipient}\n${identity}\n`
  await writeFile(file, text, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw new BackupRefused(
      error.code === 'EEXIST' ? `${file} is there already, and a key is never overwritten.` : `${file}: ${error.code}.`,
    )
  })
  return recipient
}
