import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { turns } from '#src/kit/base/turns.server.ts'
import type { Vault } from './vault.server.ts'

const derive = promisify(argon2)
const TAG_BYTES = 32
/** The `keyid` of the hash names the vault key that went into it, in base64 as in PHC strings: "MQ" is 1. */
const keyId = (number: number) => base64(Buffer.from(String(number)))

/** Hashes two passwords at once, one per core, with twenty in the queue. Refuses more, so that a flood of logins cannot stop the market. */
const inTurn = turns({ atOnce: 2, mostWaiting: 20 })

/**
 * Returns an argon2id hash with its salt as a PHC string. It is slow on purpose, so call it outside transactions. Throws UNAVAILABLE when too many
 * wait.
 */
export function hashPassword(vault: Vault, password: string): Promise<string> {
  return inTurn(async () => {
    const nonce = randomBytes(16)
    const message = password.normalize('NFC')
    const tag = await derive('argon2id', { message, nonce, tagLength: TAG_BYTES, secret: vault.passwordPepper, ...vault.passwordCost })
    const { memory, passes, parallelism } = vault.passwordCost
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism},keyid=${keyId(vault.keyNumber)}$${base64(nonce)}$${base64(tag)}`
  })
}

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d)(?:,keyid=([\w+/]{2,4}))?\$([\w+/]{11,64})\$([\w+/]{16,128})$/

/**
 * Checks a password, and whether its hash must be renewed (older parameters or an older pepper). With null, for an unknown phone, it takes as long
 * and fails. Throws UNAVAILABLE when too many wait.
 */
export function verifyPassword(vault: Vault, hash: string | null, password: string): Promise<{ isRight: boolean; isOutdated: boolean }> {
  return inTurn(async () => {
    const [, m, t, p, id, salt, tag] = PHC.exec(hash ?? '') ?? []
    const stored = tag === undefined ? randomBytes(TAG_BYTES) : Buffer.from(tag, 'base64')
    const cost = tag === undefined ? vault.passwordCost : { memory: Number(m), passes: Number(t), parallelism: Number(p) }
    const key = tag === undefined ? vault.keyNumber : numberOf(id)
    const candidate = await derive('argon2id', {
      message: password.normalize('NFC'),
      nonce: salt === undefined ? randomBytes(16) : Buffer.from(salt, 'base64'),
      tagLength: stored.length,
      ...(key !== null && { secret: key === vault.keyNumber ? vault.passwordPepper : vault.passwordPepperOf(key) }),
      ...cost,
    })
    const isRight = tag !== undefined && timingSafeEqual(candidate, stored)
    const isOutdated = key !== vault.keyNumber || cost.memory < vault.passwordCost.memory || cost.passes < vault.passwordCost.passes
    return { isRight, isOutdated }
  })
}

const numberOf = (id: string | undefined) => (id === undefined ? null : Number(Buffer.from(id, 'base64').toString()))
const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
