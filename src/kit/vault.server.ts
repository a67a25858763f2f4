import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/**
 * What may stand in the database only sealed or blinded: PAN numbers, one-time codes, authenticator secrets. Every purpose has
 * a key of its own, derived from PEPPER, so that a value sealed for one cannot be opened as another.
 */
export interface Vault {
  /** A keyed hash: whoever has the database alone cannot try values against it. */
  mac(purpose: string, ...parts: (string | Buffer)[]): Buffer
  seal(purpose: string, text: string): Buffer
  /** Throws when it was not sealed for this purpose with this market's PEPPER, or was changed. */
  open(purpose: string, sealed: Buffer): string
  /** Goes into every password hash. */
  readonly passwordPepper: Buffer
  /** What a new password hash costs; one that cost less is made anew. */
  readonly passwordCost: PasswordCost
}

/** Parameters of argon2id: memory in KiB, passes, lanes. */
interface PasswordCost {
  memory: number
  passes: number
  parallelism: number
}

/** OWASP's floor for argon2id: 19 MiB, two passes, one lane. About 60 ms of one core. */
const PASSWORD_COST: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }

/** First byte of whatever is sealed: which key it was. A change of PEPPER would bring a second number. */
const KEY_ID = 1
const IV_BYTES = 12
const TAG_BYTES = 16

/** Only tests name a cost, because they hash a thousand passwords: passwords.test.ts holds that the site does not. */
export function openVault(pepper: string, passwordCost = PASSWORD_COST): Vault {
  const keys = new Map<string, Buffer>()
  const keyFor = (use: string) => {
    const key = keys.get(use) ?? Buffer.from(hkdfSync('sha256', pepper, 'sandhai', use, 32))
    keys.set(use, key)
    return key
  }
  return {
    passwordPepper: keyFor('password'),
    passwordCost,
    mac: (purpose, ...parts) => {
      const hmac = createHmac('sha256', keyFor(`mac:${purpose}`))
      // With its length before it, no part can lend characters to the next.
      for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part)
      return hmac.digest()
    },
    seal: (purpose, text) => {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyFor(`seal:${purpose}`), iv)
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(KEY_ID), iv, cipher.getAuthTag(), hidden])
    },
    open: (purpose, sealed) => {
      if (sealed[0] !== KEY_ID) throw new Error('Sealed with a key that is not here.')
      const iv = sealed.subarray(1, 1 + IV_BYTES)
      const tag = sealed.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', keyFor(`seal:${purpose}`), iv, { authTagLength: TAG_BYTES })
      decipher.setAuthTag(tag)
      return Buffer.concat([decipher.update(sealed.subarray(1 + IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
    },
  }
}
