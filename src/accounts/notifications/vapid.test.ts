import { createECDH } from 'node:crypto'
import { expect, test } from 'vitest'
import { readEnv } from '#src/kit/base/env.server.ts'
import { openVault } from '#src/kit/vault.server.ts'
import { keysFrom, pushConfigurationOf } from './vapid.server.ts'

const asVariables = ({ publicKey, privateKey }: ReturnType<typeof keysFrom>) => ({
  VAPID_PUBLIC_KEY: publicKey,
  VAPID_PRIVATE_KEY: privateKey,
  VAPID_CONTACT: 'mailto:office@sandhai.example',
})

test('a demo derives its keys, the same after a restart; a live market without keys has no push', () => {
  const ofDemo = () => pushConfigurationOf({ push: null, mode: 'demo' }, openVault('p'.repeat(32)))!
  expect(ofDemo()).toEqual(ofDemo())
  expect(readEnv(asVariables(ofDemo())).push?.publicKey).toBe(ofDemo().publicKey)
  expect(pushConfigurationOf({ push: null, mode: 'live' }, openVault('p'.repeat(32)))).toBeNull()
})

test('generated keys match each other and the configuration, also those with leading zeros', () => {
  const curve = createECDH('prime256v1')
  for (let n = 0; n < 600; n++) {
    const keys = keysFrom()
    expect(readEnv(asVariables(keys)).push).toMatchObject(keys)
    curve.setPrivateKey(Buffer.from(keys.privateKey, 'base64url'))
    expect(curve.getPublicKey().toString('base64url')).toBe(keys.publicKey)
  }
})
