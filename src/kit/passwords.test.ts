import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './passwords.server.ts'
import { openVault } from './vault.server.ts'

const vault = openVault('p'.repeat(32))

describe('a password', () => {
  test('verifies in any script and with blanks, and no other password does', async () => {
    for (const password of ['மாடு விற்பனை 7', ' two blanks ', 'x'.repeat(128)]) {
      const hash = await hashPassword(vault, password)
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1,keyid=MQ\$/)
      expect(hash).not.toContain(password)
      expect(await verifyPassword(vault, hash, password)).toEqual({ isRight: true, isOutdated: false })
      expect((await verifyPassword(vault, hash, `${password}.`)).isRight).toBe(false)
    }
  })

  test('costs what OWASP recommends in production: only tests open a vault with another cost', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\.tsx?$/.test(file) && !/\.test\.ts$|(^|\/)testing\//.test(file),
    )
    const openings = sources.flatMap((file) =>
      [...readFileSync(`src/${file}`, 'utf8').matchAll(/(?<!function )openVault\(.*?\)/g)].map(String),
    )
    expect(new Set(openings)).toEqual(new Set(['openVault(env.pepper)', 'openVault(pepper)']))
    const naming = sources.filter((file) => /passwordCost|PasswordCost/.test(readFileSync(`src/${file}`, 'utf8')))
    expect(naming.toSorted()).toEqual(['kit/passwords.server.ts', 'kit/vault.server.ts'])
  })

  test('with a cheaper hash is hashed again', async () => {
    const cheap = await hashPassword(openVault('p'.repeat(32), { memory: 8, passes: 1, parallelism: 1 }), 'a good password')
    expect(cheap).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1,/)
    expect(await verifyPassword(vault, cheap, 'a good password')).toEqual({ isRight: true, isOutdated: true })
  })

  test('verifies in any Unicode composition', async () => {
    const hash = await hashPassword(vault, 'caf\u00e9-கொ')
    expect((await verifyPassword(vault, hash, 'cafe\u0301-க\u0bc6\u0bbe')).isRight).toBe(true)
  })

  test('does not verify for an attacker who has the database but not the pepper', async () => {
    const hash = await hashPassword(vault, 'a good password')
    expect((await verifyPassword(openVault('q'.repeat(32)), hash, 'a good password')).isRight).toBe(false)
  })

  test('from before the pepper verifies and is hashed again', async () => {
    const old = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$'
    const { argon2Sync } = await import('node:crypto')
    const tag = argon2Sync('argon2id', {
      message: 'old',
      nonce: Buffer.from('saltsaltsaltsalt'),
      tagLength: 32,
      memory: 19_456,
      passes: 2,
      parallelism: 1,
    })
    expect(await verifyPassword(vault, old + tag.toString('base64').replace(/=+$/, ''), 'old')).toEqual({ isRight: true, isOutdated: true })
  })

  test.each([[null], ['-'], ['$argon2id$v=19$m=19456,t=2,p=1$$'], ['$2b$10$x']])('against %s, no password verifies', async (hash) => {
    expect((await verifyPassword(vault, hash, 'anything')).isRight).toBe(false)
    expect((await verifyPassword(vault, hash, '')).isRight).toBe(false)
  })

  test('of forty concurrent logins, twenty-two are processed and the rest get UNAVAILABLE', async () => {
    const results = await Promise.allSettled(Array.from({ length: 40 }, () => verifyPassword(vault, null, 'x')))
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [(result.reason as { code: string }).code] : []))
    expect(refused).toEqual(Array.from({ length: 18 }, () => 'UNAVAILABLE'))
    expect((await verifyPassword(vault, null, 'x')).isRight).toBe(false)
  })
})
