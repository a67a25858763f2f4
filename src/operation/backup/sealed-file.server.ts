import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, readFile, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline as pipelineOf, Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Decrypter, Encrypter } from 'age-encryption'

/**
 * Files sealed with age (age-encryption.org). The machine that makes backups has only the recipients, not the key that opens them. The
 * standard tool opens them, too: `age -d -i key file.age`.
 */
// Loaded only by the commands that need it, not at the site's start.
const age = () => import('age-encryption')

export interface SealedFacts {
  bytes: number
  sha256: string
}

/** An error in a backup or in its command; printed as one line for the operator. */
export class BackupRefused extends Error {}

export async function sealFor(recipients: string[]): Promise<Encrypter> {
  const encrypter = new (await age()).Encrypter()
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient)
    } catch {
      throw new BackupRefused(
        `BACKUP_RECIPIENT: ${recipient.slice(0, 12)}… is not an age recipient (age1…). Make one with: npm run backup -- --new-key FILE`,
      )
    }
  }
  return encrypter
}

/** `file` is a key file in the format of age-keygen and `--new-key`. */
export async function openWith(file: string): Promise<Decrypter> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new BackupRefused(`The key file ${file} cannot be read.`)
  })
  const decrypter = new (await age()).Decrypter()
  const keys = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  try {
    for (const key of keys) decrypter.addIdentity(key.trim())
  } catch {
    keys.length = 0
  }
  if (keys.length === 0) throw new BackupRefused(`The key file ${file} holds no age key (AGE-SECRET-KEY-1…).`)
  return decrypter
}

/** A new key, and the recipient for which backups are sealed. */
export async function newKey(): Promise<{ identity: string; recipient: string }> {
  const { generateX25519Identity, identityToRecipient } = await age()
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

/** Compresses and seals into a file. When it resolves, the file is complete and flushed; before, it does not exist under its name. */
export async function writeSealed(file: string, encrypter: Encrypter, content: AsyncIterable<Uint8Array>): Promise<SealedFacts> {
  const draft = `${file}.part`
  const hash = createHash('sha256')
  let bytes = 0
  const count = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  const packed = pipe(Readable.from(content, { objectMode: false }), createGzip({ level: 4 }))
  await pipeline(fromWeb(await encrypter.encrypt(toWeb(packed))), count, createWriteStream(draft))
  await putInPlace(draft, file)
  return { bytes, sha256: hash.digest('hex') }
}

export async function* readSealed(file: string, decrypter: Decrypter): AsyncIterable<Uint8Array> {
  const source = createReadStream(file)
  const plain = await decrypter.decrypt(toWeb(source)).catch((error: unknown) => {
    source.destroy()
    throw notOpened(file, error)
  })
  try {
    yield* pipe(fromWeb(plain), createGunzip())
  } catch (error) {
    throw damaged(file, error)
  }
}

/** For small files, held in memory. */
export async function sealBytes(encrypter: Encrypter, content: Uint8Array): Promise<Uint8Array> {
  return encrypter.encrypt(content)
}

export async function openBytes(file: string, decrypter: Decrypter, sealed: Uint8Array): Promise<Uint8Array> {
  return decrypter.decrypt(sealed).catch((error: unknown) => {
    throw notOpened(file, error)
  })
}

/** Verifies size and hash before anything is read from the file. */
export async function ensureUnharmed(file: string, { bytes, sha256 }: SealedFacts): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (!found) throw new BackupRefused(`The backup lacks the file ${file}.`)
  if (found.size !== bytes) throw new BackupRefused(`The backup is truncated: ${file} has ${found.size} bytes instead of ${bytes}.`)
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  if (hash.digest('hex') !== sha256) throw damaged(file)
}

export const damaged = (file: string, cause?: unknown) =>
  new BackupRefused(`The backup is damaged or was altered: ${file} is not as it was written.`, { cause })

const notOpened = (file: string, cause: unknown) =>
  cause instanceof Error && cause.message.includes('no identity matched')
    ? new BackupRefused(`The key does not open this backup: ${file} was sealed for another key.`, { cause })
    : damaged(file, cause)

/** Destroys the other end when one fails. */
function pipe(source: Readable, target: Transform): Transform {
  pipelineOf(source, target, () => {})
  return target
}

// Node's types and the browser's declare the same class separately.
const toWeb = (stream: Readable) => Readable.toWeb(stream) as never
const fromWeb = (stream: unknown) => Readable.fromWeb(stream as never)

/** Flushes the complete file to disk, then renames it. */
export async function putInPlace(draft: string, file: string): Promise<void> {
  await flush(draft, 'r+')
  await rename(draft, file)
  await flush(dirname(file), 'r')
}

async function flush(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
