import { createECDH } from 'node:crypto'
import type { Env, PushConfiguration } from '#src/kit/base/env.server.ts'
import type { Vault } from '#src/kit/vault.server.ts'

/** Null: push is switched off, and browsers are not asked. */
export function pushConfigurationOf({ push, mode }: Pick<Env, 'push' | 'mode'>, vault: Vault): PushConfiguration | null {
  if (push || mode === 'live') return push
  return { ...keysFrom(vault.macAsOf(new Date(0), 'vapid', 'demo')), contact: 'mailto:market@sandhai.example' }
}

/** A key pair on P-256 in the encoding of browsers; generates one without `secret`. */
export function keysFrom(secret?: Buffer): { publicKey: string; privateKey: string } {
  const curve = createECDH('prime256v1')
  if (secret) curve.setPrivateKey(secret)
  else curve.generateKeys()
  // Node drops leading zeros of the private key.
  const privateKey = Buffer.concat([Buffer.alloc(32), curve.getPrivateKey()]).subarray(-32)
  return { publicKey: curve.getPublicKey().toString('base64url'), privateKey: privateKey.toString('base64url') }
}
