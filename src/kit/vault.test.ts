import { describe, expect, test } from 'vitest'
import { openVault } from './vault.server.ts'

const vault = openVault('p'.repeat(32))

describe('a sealed value', () => {
  test('opens unchanged in any script', () => {
    expect(vault.open('pan', vault.seal('pan', 'ABCDE1234F'))).toBe('ABCDE1234F')
    expect(vault.open('pan', vault.seal('pan', 'மாடு 🐄'))).toBe('மாடு 🐄')
  })

  test('differs each time, so equal numbers cannot be recognized', () => {
    expect(vault.seal('pan', 'ABCDE1234F').equals(vault.seal('pan', 'ABCDE1234F'))).toBe(false)
  })

  test('opens only for its own purpose and with its own pepper', () => {
    const sealed = vault.seal('pan', 'ABCDE1234F')
    expect(() => vault.open('totp', sealed)).toThrow()
    expect(() => openVault('q'.repeat(32)).open('pan', sealed)).toThrow()
  })

  test('does not open after a change of one bit', () => {
    const sealed = vault.seal('pan', 'ABCDE1234F')
    for (const at of [0, 1, 13, 20, sealed.length - 1]) {
      const changed = Buffer.from(sealed)
      changed[at]! ^= 1
      expect(() => vault.open('pan', changed), `byte ${at}`).toThrow()
    }
  })

  test('a keyed hash depends on its purpose, its pepper and the borders of its parts', () => {
    const mac = vault.mac('otp', 'ab', 'c')
    expect(mac).toEqual(vault.mac('otp', 'ab', 'c'))
    expect(mac).not.toEqual(vault.mac('otp', 'a', 'bc'))
    expect(mac).not.toEqual(vault.mac('phone', 'ab', 'c'))
    expect(mac).not.toEqual(openVault('q'.repeat(32)).mac('otp', 'ab', 'c'))
  })
})
