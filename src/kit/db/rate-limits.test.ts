import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { openDatabase, type Database } from '#src/kit/db/database.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { addressBucket, networksOf, RateLimits, type LimitName } from './rate-limits.server.ts'
import { limitCounts } from '#src/kit/db/tables.ts'

afterEach(() => vi.useRealTimers())

/** The limits of api.md, per minute. */
const perMinute: [LimitName, 'address' | 'user', number][] = [
  ['lookup', 'address', 600],
  ['lookup', 'user', 600],
  ['read', 'address', 1200],
  ['read', 'user', 300],
  ['ownRead', 'address', 120],
  ['ownRead', 'user', 120],
  ['view', 'address', 60],
  ['view', 'user', 60],
]
const requesters = { address: { userId: null, address: '203.0.113.7' }, user: { userId: 7, address: '203.0.113.7' } }
const anybodyElse = { address: { userId: null, address: '203.0.113.8' }, user: { userId: 8, address: '203.0.113.7' } }

const refusal = (limits: RateLimits, name: LimitName, who: { userId: number | null; address: string }) => refusalOf(limits.take(name, who))

async function refusalOf(taking: Promise<unknown>): Promise<Problem | null> {
  return taking.then(
    () => null,
    (error: unknown) => {
      if (error instanceof Problem) return error
      throw error
    },
  )
}

describe('a limit of N per minute', () => {
  test.each(perMinute)('%s per %s passes %i at once, refuses the next, and says how long to wait', async (name, kind, n) => {
    vi.useFakeTimers()
    const limits = new RateLimits(1)
    const who = requesters[kind]
    const first = await Promise.all(Array.from({ length: n + 1 }, () => refusal(limits, name, who)))
    expect(first.filter((problem) => problem === null)).toHaveLength(n)
    const refused = (await refusal(limits, name, who))!
    expect(refused).toMatchObject({ code: 'RATE_LIMITED', status: 429, retryAfterSeconds: 60 })
    expect(await refusal(limits, name, anybodyElse[kind])).toBeNull()

    vi.advanceTimersByTime(45_500)
    expect(await refusal(limits, name, who)).toMatchObject({ retryAfterSeconds: 15 })
    vi.advanceTimersByTime(15_000)
    expect(await refusal(limits, name, who)).toBeNull()
  })

  test('each factor multiplies its own limits', async () => {
    const limits = new RateLimits(20)
    const results = async (kind: 'address' | 'user') =>
      (await Promise.all(Array.from({ length: 1201 }, () => refusal(limits, 'view', requesters[kind])))).filter((p) => p === null).length
    expect(await results('address')).toBe(1200)
    expect(await results('user')).toBe(60)
  })

  test('the factor for people multiplies theirs', async () => {
    const limits = new RateLimits(1, 2)
    const reads = await Promise.all(Array.from({ length: 121 }, () => refusal(limits, 'view', requesters.user)))
    expect(reads.filter((problem) => problem === null)).toHaveLength(120)
  })

  test('each limit has its own count', async () => {
    const limits = new RateLimits(1)
    for (let n = 0; n < 60; n++) await limits.take('view', requesters.address)
    expect(await refusal(limits, 'view', requesters.address)).not.toBeNull()
    expect(await refusal(limits, 'read', requesters.address)).toBeNull()
  })
})

describe('a limit that survives a restart', () => {
  const HOUR = 3_600_000
  let database: Database
  beforeAll(async () => {
    database = await openDatabase({ databaseUrl: null, dataDir: '', memory: {} })
    await database.migrate()
  })
  afterAll(() => database?.close())
  const take = (limits: RateLimits, address: string) => refusalOf(limits.takeDurable(database.db, 'newsletter', address))

  test('passes three newsletter requests a day per address, in one process or several', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    for (let n = 0; n < 3; n++) expect(await take(new RateLimits(1), 'a')).toBeNull()
    expect(await take(new RateLimits(1), 'a')).toMatchObject({ code: 'RATE_LIMITED', status: 429, retryAfterSeconds: 86_400 })
    expect(await take(new RateLimits(1), 'b')).toBeNull()

    vi.advanceTimersByTime(23 * HOUR)
    expect(await take(new RateLimits(1), 'a')).toMatchObject({ retryAfterSeconds: 3600 })
    vi.advanceTimersByTime(HOUR + 1)
    for (let n = 0; n < 3; n++) expect(await take(new RateLimits(1), 'a')).toBeNull()
    expect(await take(new RateLimits(1), 'a')).not.toBeNull()
  })

  test('is multiplied in a demo', async () => {
    const limits = new RateLimits(20)
    const results = await Promise.all(Array.from({ length: 61 }, () => take(limits, 'demo')))
    expect(results.filter((problem) => problem === null)).toHaveLength(60)
  })

  test('the factor for people multiplies theirs and those of browsers, never the limits of codes', async () => {
    const limits = new RateLimits(1, 2)
    expect((await limits.takeDurable(database.db, 'writeMinute', '991')).of).toBe(60)
    expect((await limits.takeDurable(database.db, 'otpBrowser', 'a browser')).of).toBe(10)
    expect((await limits.takeDurable(database.db, 'newsletter', '203.0.113.99')).of).toBe(3)
    expect((await limits.takeDurable(database.db, 'otpPhoneMinute', '+919000099991')).of).toBe(1)
    expect(limits.pointsOf('otpAllHour')).toBe(300)
    // A demo sends no SMS.
    const demo = new RateLimits(1, 1, 10)
    expect((await demo.takeDurable(database.db, 'otpPhoneMinute', '+919000099992')).of).toBe(10)
    expect(demo.pointsOf('otpAllHour')).toBe(3000)
  })

  test('several limits of a call take one statement: a refused limit stops the later ones, and a repeated name counts twice', async () => {
    const limits = new RateLimits(1)
    const who = { userId: 77, address: 'e' }
    const all = (...names: ('writeMinute' | 'writeDay' | 'uploadDay')[]) => refusalOf(limits.takeAll(database.db, names, who))
    const counted = async () =>
      Object.fromEntries(
        (await database.db.select().from(limitCounts)).flatMap(({ key, points }) => (key.endsWith(':77') ? [[key, points]] : [])),
      )
    expect(await all('writeMinute', 'uploadDay', 'uploadDay', 'writeDay')).toBeNull()
    expect(await counted()).toEqual({ 'writeMinute:77': 1, 'uploadDay:77': 2, 'writeDay:77': 1 })
    for (let n = 1; n < 30; n++) expect(await all('writeMinute', 'writeDay')).toBeNull()
    expect(await all('writeMinute', 'writeDay')).toMatchObject({ code: 'RATE_LIMITED' })
    expect(await counted()).toEqual({ 'writeMinute:77': 31, 'uploadDay:77': 2, 'writeDay:77': 30 })
  })

  test('deletes expired rows', async () => {
    const { db } = database
    await db.insert(limitCounts).values([
      { key: 'over', points: 3, expire: new Date(Date.now() - HOUR) },
      { key: 'running', points: 3, expire: new Date(Date.now() + HOUR) },
    ])
    await take(new RateLimits(1), 'c')
    const keys = (await db.select().from(limitCounts)).map(({ key }) => key)
    expect(keys).toContain('running')
    expect(keys).not.toContain('over')
  })

  test('refuses when the database is unreachable', async () => {
    const closed = await openDatabase({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none', dataDir: '' })
    await expect(new RateLimits(1).takeDurable(closed.db, 'newsletter', 'a')).rejects.not.toBeInstanceOf(Problem)
    await closed.close()
  })
})

describe('the bucket of an address', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::1', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8::ffff:1', '2001:db8:0:0'],
    ['2001:db8::', '2001:db8:0:0'],
    ['2001:db8:1::', '2001:db8:1:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['', ''],
    [undefined, ''],
  ])('%s counts as %s', (remote, bucket) => expect(addressBucket(remote, undefined, 0)).toBe(bucket))

  test('a whole /64 is one bucket, its neighbour another', () => {
    const bucket = (address: string) => addressBucket(address, undefined, 0)
    expect(new Set(['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff:ffff:ffff:ffff', '2001:db8::a:b:c:d'].map(bucket)).size).toBe(1)
    expect(bucket('2001:db8:0:1::1')).not.toBe(bucket('2001:db8::1'))
  })

  test.each([
    [0, '198.51.100.1', '10.0.0.1'],
    [1, '198.51.100.1', '198.51.100.1'],
    [1, 'forged, 198.51.100.1', '198.51.100.1'],
    [1, '1.1.1.1, 2.2.2.2, 198.51.100.1', '198.51.100.1'],
    [2, '198.51.100.1, 10.0.0.2', '198.51.100.1'],
    [2, '1.1.1.1, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
    [2, '198.51.100.1', '10.0.0.1'],
    [1, undefined, '10.0.0.1'],
    [1, '', '10.0.0.1'],
    [1, 'x'.repeat(5000), '10.0.0.1'],
    [1, 'unknown', '10.0.0.1'],
    [1, '198.51.100.1:51234', '198.51.100.1'],
    [1, '[2001:db8::1]:443', '2001:db8:0:0'],
    [1, '2001:db8:1:2::9', '2001:db8:1:2'],
  ])('with %i trusted proxies, X-Forwarded-For %j counts as %s', (proxies, header, bucket) => {
    expect(addressBucket('10.0.0.1', header, proxies)).toBe(bucket)
  })
})

describe('the networks around an address', () => {
  const networksAt = (address: string) => networksOf(addressBucket(address, undefined, 0))

  test.each([
    ['203.0.113.7', '203.0.113.0/24', '203.0.113.0/24'],
    ['2001:db8:1:abcd::1', '2001:db8:1:ab00/56', '2001:db8:1/48'],
    ['2001:db8::1', '2001:db8:0:0/56', '2001:db8:0/48'],
  ])('of %s are %s and %s', (address, network, wide) => expect(networksAt(address)).toEqual([network, wide]))

  test('an unknown address has no network of anybody else', () => {
    expect(networksAt('')).not.toContain(networksAt('2001:db8::1')[0])
  })
})
