import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { HashedPurpose, SealedPurpose } from './vault-purposes.ts'

/**
 * Seals or hashes data that the database must not hold in plain form: PAN numbers, one-time codes, authenticator secrets. Every purpose has its own
 * key derived from PEPPER, so a value sealed for one purpose cannot be opened for another.
 * After a change of PEPPER, the vault has several numbered keys (decision 0078). It seals with one of them and opens with each.
 */
export interface Vault {
  /** The number of the key that seals and hashes. */
  readonly keyNumber: number
  /** All keys of this process, the oldest first. */
  readonly keys: readonly Pick<VaultKey, 'number' | 'since' | 'trail'>[]
  /** A keyed hash (MAC): an attacker who has only the database cannot test values against it. */
  mac(purpose: HashedPurpose, ...parts: (string | Buffer)[]): Buffer
  /** The MAC under every key, starting with the key of `mac`, to look up values hashed under another key. */
  macs(purpose: HashedPurpose, ...parts: (string | Buffer)[]): Buffer[]
  /** The MAC with the key that was newest at a given time: the same in all processes, for ever. */
  macAsOf(moment: Date, purpose: HashedPurpose, ...parts: (string | Buffer)[]): Buffer
  macWith(keyNumber: number, purpose: HashedPurpose, ...parts: (string | Buffer)[]): Buffer
  seal(purpose: SealedPurpose, text: string): Buffer
  /** Throws when the value was sealed for another purpose or another market's PEPPER, or was modified. */
  open(purpose: SealedPurpose, sealed: Buffer): string
  readonly passwordPepper: Buffer
  /** Throws for a key that this process does not have. */
  passwordPepperOf(keyNumber: number): Buffer
  /** The cost of a new password hash. A login renews a cheaper hash. */
  readonly passwordCost: PasswordCost
}

export interface VaultKey {
  number: number
  pepper: string
  /** When the market first used this key. */
  since: Date
  /** The end of the audit trail at that time; null when it was empty. Later events are sealed with this key or a newer one. */
  trail: { position: number; seal: string } | null
}

/** Parameters of argon2id: memory in KiB, passes, lanes. */
interface PasswordCost {
  memory: number
  passes: number
  parallelism: number
}

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. About 60 ms on one core. */
const PASSWORD_COST: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }

const IV_BYTES = 12
const TAG_BYTES = 16
/** A sealed value starts with its key's number in one byte. */
export const MAX_KEYS = 255

/**
 * The vault of a market whose PEPPER never changed. Only tests pass a cost, because they hash a thousand passwords; passwords.test.ts checks that the
 * site does not.
 */
export const openVault = (pepper: string, passwordCost = PASSWORD_COST): Vault =>
  openKeys([{ number: 1, pepper, since: new Date(0), trail: null }], 1, passwordCost)

/** `keys`: the oldest first. */
export function openKeys(keys: VaultKey[], keyNumber: number, passwordCost = PASSWORD_COST): Vault {
  const derived = new Map<string, Buffer>()
  const keyFor = (number: number, use: string) => {
    const pepper = keys.find((key) => key.number === number)?.pepper
    if (pepper === undefined) throw new Error(`Sealed with key ${number}, which this process does not have.`)
    const name = `${number}:${use}`
    const key = derived.get(name) ?? Buffer.from(hkdfSync('sha256', pepper, 'sandhai', use, 32))
    derived.set(name, key)
    return key
  }
  const macWith: Vault['macWith'] = (number, purpose, ...parts) => {
    const hmac = createHmac('sha256', keyFor(number, `mac:${purpose}`))
    // Prefix each part with its length, so that ("ab", "c") and ("a", "bc") differ.
    for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part)
    return hmac.digest()
  }
  const ownFirst = [keyNumber, ...keys.map(({ number }) => number).filter((number) => number !== keyNumber)]
  return {
    keyNumber,
    keys,
    passwordPepper: keyFor(keyNumber, 'password'),
    passwordPepperOf: (number) => keyFor(number, 'password'),
    passwordCost,
    mac: (purpose, ...parts) => macWith(keyNumber, purpose, ...parts),
    macs: (purpose, ...parts) => ownFirst.map((number) => macWith(number, purpose, ...parts)),
    macAsOf: (moment, purpose, ...parts) => {
      const newest = keys.findLast(({ since }) => since <= moment) ?? keys[0]!
      return macWith(newest.number, purpose, ...parts)
    },
    macWith,
    seal: (purpose, text) => {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyFor(keyNumber, `seal:${purpose}`), iv)
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(keyNumber), iv, cipher.getAuthTag(), hidden])
    },
    open: (purpose, sealed) => {
      const iv = sealed.subarray(1, 1 + IV_BYTES)
      const tag = sealed.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', keyFor(sealed[0] ?? 0, `seal:${purpose}`), iv, { authTagLength: TAG_BYTES })
      decipher.setAuthTag(tag)
      return Buffer.concat([decipher.update(sealed.subarray(1 + IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
    },
  }
}
