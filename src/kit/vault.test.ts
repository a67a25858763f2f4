import { describe, expect, test } from 'vitest'
import { openVault } from './vault.server.ts'

const vault = openVault('p'.repeat(32))

describe('what stands sealed in the database', () => {
  test('comes out as it went in, in any script', () => {
    expect(vault.open('pan', vault.seal('pan', 'ABCDE1234F'))).toBe('ABCDE1234F')
    expect(vault.open('pan', vault.seal('pan', 'மாடு 🐄'))).toBe('மாடு 🐄')
  })

  test('looks different each time, so equal numbers cannot be seen', () => {
    expect(vault.seal('pan', 'ABCDE1234F').equals(vault.seal('pan', 'ABCDE1234F'))).toBe(false)
  })

  test('opens for its own purpose and with its own pepper only', () => {
    const sealed = vault.seal('pan', 'ABCDE1234F')
    expect(() => vault.open('totp', sealed)).toThrow()
    expect(() => openVault('q'.repeat(32)).open('pan', sealed)).toThrow()
  })

  test('does not open when one bit was changed', () => {
    const sealed = vault.seal('pan', 'ABCDE1234F')
    for (const at of [0, 1, 13, 20, sealed.length - 1]) {
      const changed = Buffer.from(sealed)
      changed[at]! ^= 1
      expect(() => vault.open('pan', changed), `byte ${at}`).toThrow()
    }
  })

  test('a keyed hash depends on its purpose, its pepper and where its parts begin', () => {
    const mac = vault.mac('otp', 'ab', 'c')
    expect(mac).toEqual(vault.mac('otp', 'ab', 'c'))
    expect(mac).not.toEqual(vault.mac('otp', 'a', 'bc'))
    expect(mac).not.toEqual(vault.mac('phone', 'ab', 'c'))
    expect(mac).not.toEqual(openVault('q'.repeat(32)).mac('otp', 'ab', 'c'))
  })
})
