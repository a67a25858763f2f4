import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { cleanUp, launchSite, tempFolder } from '#tools/test-kit/site-process.ts'

afterEach(cleanUp)

const SECRET = 'a-password-nobody-may-see'

async function refusal(variables: Record<string, string>) {
  const ending = await launchSite(variables).ended
  expect(ending).toMatchObject({ code: 1, signal: null, out: [] })
  expect(ending.err.join('\n')).not.toContain(SECRET)
  return ending
}

describe('a wrong configuration ends the start with code 1 and one line per mistake', () => {
  test('before anything is opened', async () => {
    const { err } = await refusal({ PORT: SECRET })
    expect(err).toEqual(['PORT must be a whole number from 0 to 65535.'])
  })

  test('each of several mistakes on its own line', async () => {
    const { err } = await refusal({ PORT: '-1', MARKET_MODE: SECRET, DATABASE_URL: SECRET })
    expect(err.map((line) => line.split(' ')[0]).sort()).toEqual(['DATABASE_URL', 'MARKET_MODE', 'PORT'])
  })

  test('live mode without required settings', async () => {
    const { err } = await refusal({ MARKET_MODE: 'live' })
    expect(err.map((line) => line.split(' ')[0])).toEqual(['DATABASE_URL', 'PUBLIC_ORIGIN', 'SESSION_SECRET', 'PEPPER', 'SMS_PROVIDER'])
  })

  test('a DATA_DIR that is a file', async () => {
    const file = join(tempFolder(), 'file')
    writeFileSync(file, '')
    expect((await refusal({ DATA_DIR: file })).err).toEqual(['DATA_DIR must be a folder that we may write to (EEXIST).'])
  })

  test('a DATA_DIR below a file', async () => {
    const file = join(tempFolder(), 'file')
    writeFileSync(file, '')
    expect((await refusal({ DATA_DIR: join(file, 'data') })).err).toEqual(['DATA_DIR must be a folder that we may write to (ENOTDIR).'])
  })

  test('a DATABASE_URL where nothing listens, by address and by name', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const { err } = await refusal({ DATA_DIR: tempFolder(), DATABASE_URL: `postgres://goat:${SECRET}@${host}:1/market` })
      expect(err).toEqual(['DATABASE_URL: the database cannot be opened (nothing listens at that address).'])
    }
  })

  test('a port in use, before anything is opened or prepared', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const { port } = taken.address() as { port: number }
    const dataDir = tempFolder()
    const { err } = await refusal({ DATA_DIR: dataDir, PORT: String(port) })
    taken.close()
    expect(readdirSync(dataDir)).toEqual(['pepper', 'secret'])
    expect(err).toEqual([`PORT ${port} is in use by another program. Stop it, or set another PORT.`])
  })

  test('a host that is not ours', async () => {
    expect((await refusal({ DATA_DIR: tempFolder(), HOST: '203.0.113.1' })).err).toEqual(['HOST is not an address of this machine.'])
  })
})
