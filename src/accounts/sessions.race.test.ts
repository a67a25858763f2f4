import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eq, sql } from 'drizzle-orm'
import { createApp } from '#src/server/app.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { makeCsrfToken } from '#src/kit/http/csrf.server.ts'
import { readEnv } from '#src/kit/base/env.server.ts'
import { openMediaStore } from '#src/kit/media/media-store.server.ts'
import { DatabaseClock } from '#src/kit/db/database-clock.server.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { PageViews } from '../content/page-views.server.ts'
import { RateLimits } from '#src/kit/db/rate-limits.server.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { codeSentTo, testAuthClient } from '#tools/test-kit/test-auth-client.ts'
import { testVault } from '#tools/test-kit/test-ctx.ts'
import { untilLockWait } from '#tools/test-kit/lock-wait.ts'
import { often } from '#tools/test-kit/often.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { newPhone, refusalOf } from '#tools/test-kit/test-people.ts'
import { decideActive, setActive, setPowers } from '#src/accounts/people/users.server.ts'
import { makeSession, makeUser } from './makers.server.ts'
import { addDevice } from './notifications/devices.server.ts'
import { finishPhoneChange, startPhoneChange } from './profile/phone-change.server.ts'
import { endSessionsOf, findSession, hasFreshProof, rotateSession } from './sessions.server.ts'
import { sessions, users } from './tables.ts'

// INV-14 and INV-15 of safety.md over real sockets. Only responses to calls that began after the act was confirmed count.
const PASSWORD = 'a quiet evening'
const FURTHER = often(100, 1000)
const AT_ONCE = 25
const HELD_BACK = 40
let market: TestMarket
let server: Server
let dir: string
let origin: string
let boss: Viewer
const secret = 's'.repeat(32)

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'sandhai-sessions-'))
  const env = {
    ...readEnv({ DATA_DIR: dir, SESSION_SECRET: secret, PEPPER: 'p'.repeat(32), LOG_LEVEL: 'silent' }),
    publicOrigin: 'http://localhost:3000',
  }
  const limits = new RateLimits(1)
  // A person at their rate limit would be refused for another reason.
  limits.take = async () => {}
  limits.takeAll = async () => {}
  limits.takeDurable = async () => ({ used: 1, of: 2 })
  const app = createApp(
    {
      env,
      log: pino({ level: 'silent' }),
      database: market.database,
      clock: await DatabaseClock.start(market.database.watch),
      media: await openMediaStore(join(dir, 'media')),
      views: new PageViews(),
      vault: testVault,
      limits,
      // Other tests may keep this process busy; ignore that overload.
      latenessMs: () => 0,
      isDraining: false,
      noteAway: () => {},
      close: () => market.close(),
    },
    async () => new Response('a page'),
  )
  server = createServer(getRequestListener(app.fetch))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  boss = await makeUser(market.ctx, { typeId: 9, superAdmin: true, passwordHash: await hashPassword(testVault, PASSWORD) })
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(dir, { recursive: true, force: true })
})

const cookieOf = (session: string) => `__Host-sid=${session}; __Host-csrf=${makeCsrfToken(secret, session)}`

async function statusOf(path: string, session: string): Promise<number> {
  const response = await fetch(origin + path, { headers: { cookie: cookieOf(session) } })
  await response.arrayBuffer()
  return response.status === 503 ? statusOf(path, session) : response.status
}

/** Calls `path` all the time while `act` runs. Returns the statuses of calls that began before the act was confirmed, and of those after. */
async function callDuring(path: string, session: string, act: () => Promise<void>) {
  const before = new Map<number, number>()
  const after = new Map<number, number>()
  let isOver = false
  let counted = 0
  const caller = async () => {
    while (counted < FURTHER) {
      const isFurther = isOver
      if (isFurther) counted += 1
      const status = await statusOf(path, session)
      const tally = isFurther ? after : before
      tally.set(status, (tally.get(status) ?? 0) + 1)
    }
  }
  const callers = Array.from({ length: AT_ONCE }, caller)
  while ((before.get(200) ?? 0) < 100) await new Promise((resolve) => setTimeout(resolve, 5))
  await act()
  isOver = true
  await Promise.all(callers)
  return { before, after }
}

/** Opens a write request and holds back its last byte. */
async function heldBack(path: string, session: string, name: string): Promise<{ release(): Promise<number> }> {
  const body = JSON.stringify({ username: name })
  const socket: Socket = connect({ host: '127.0.0.1', port: Number(new URL(origin).port) })
  await new Promise((resolve) => socket.once('connect', resolve))
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost:3000',
    `Cookie: ${cookieOf(session)}`,
    `X-CSRFToken: ${/__Host-csrf=(.*)/.exec(cookieOf(session))![1]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  // The token in the cookie must equal the one in the header.
  const token = head[3]!.slice('X-CSRFToken: '.length)
  head[2] = `Cookie: __Host-sid=${session}; __Host-csrf=${token}`
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, -1)}`)
  return {
    release: () =>
      new Promise((resolve, reject) => {
        let text = ''
        socket.on('data', (bytes) => (text += bytes.toString()))
        socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])))
        socket.on('error', reject)
        socket.write(body.slice(-1))
      }),
  }
}

const ends: [string, (person: Viewer) => Promise<void>][] = [
  ['was deactivated', (person) => setActive(market.as(boss), person.id, { isActive: false, password: PASSWORD })],
  ['was logged out everywhere', (person) => endSessionsOf(market.ctx, person.id)],
]

describe('a person who', () => {
  test.each(ends)(`%s gets 401 on all later calls: ${FURTHER} of them`, async (_, end) => {
    const person = await makeUser(market.ctx)
    const session = await makeSession(market.ctx, person.id)
    const { before, after } = await callDuring(`/api/v1/userprofile/id=${person.id}`, session, () => end(person))
    expect([...before.keys()].filter((status) => status !== 200 && status !== 401)).toEqual([])
    expect([...after.keys()]).toEqual([401])
    expect(after.get(401)).toBeGreaterThanOrEqual(FURTHER)
  })

  test.each(ends)('%s cannot finish a request that was under way: its last byte came too late', async (_, end) => {
    const person = await makeUser(market.ctx, { name: 'Before' })
    const session = await makeSession(market.ctx, person.id)
    const path = `/api/v1/userprofile/id=${person.id}`
    // The same request succeeds while the person has the right.
    expect(await (await heldBack(path, session, 'Before')).release()).toBe(200)
    const waiting = await Promise.all(Array.from({ length: HELD_BACK }, (_, n) => heldBack(path, session, `Late ${n}`)))
    await new Promise((resolve) => setTimeout(resolve, 200))
    await end(person)
    const statuses = await Promise.all(waiting.map((each) => each.release()))
    expect(statuses.filter((status) => status === 200)).toEqual([])
    expect((await market.ctx.db.select().from(users).where(eq(users.id, person.id)))[0]!.name).toBe('Before')
  })

  test(`was an admin and was demoted is refused on all later calls: ${FURTHER} of them`, async () => {
    const watched = await makeUser(market.ctx)
    const person = await makeUser(market.ctx, { typeId: 9 })
    const session = await makeSession(market.ctx, person.id)
    const path = `/api/v1/userprofile/id=${watched.id}`
    // As when somebody edits the database by hand: the session stays, the role is gone.
    const { after } = await callDuring(path, session, async () => {
      await market.ctx.db.update(users).set({ typeId: 1 }).where(eq(users.id, person.id))
    })
    expect([...after.keys()]).toEqual([404])
    await market.ctx.db.update(users).set({ typeId: 9 }).where(eq(users.id, person.id))
    expect(await statusOf(path, session)).toBe(200)
    await setPowers(market.as(boss), person.id, { typeId: 1, internalType: 0, password: PASSWORD })
    expect(await statusOf(path, session)).toBe(401)
  })
})

/** The person in a session that the server has already looked up for a request. */
async function lookedUp(person: Viewer): Promise<Ctx> {
  const session = await findSession(market.ctx.db, await makeSession(market.ctx, person.id))
  return market.as(person, { sessionId: session!.id })
}

/** A person's phone change waits for the row of the person until `act` is committed. */
async function changePhoneBehind(act: (ctx: Ctx, id: number) => Promise<unknown>) {
  const person = await makeUser(market.ctx, { passwordHash: await hashPassword(testVault, PASSWORD) })
  const own = await lookedUp(person)
  const phone = newPhone()
  await startPhoneChange(own, { phone, password: PASSWORD }, testAuthClient())
  const code = await codeSentTo(market.ctx, phone)
  const under = await inTransaction(market.as(boss), async (ctx) => {
    await act(ctx, person.id)
    const end = refusalOf(finishPhoneChange(own, { phone, code }))
    await untilLockWait(market.ctx.db, end)
    return { end }
  })
  const end = await under.end
  const [row] = await market.ctx.db.select().from(users).where(eq(users.id, person.id))
  return { end, isChanged: row!.phone === phone }
}

test('a phone change under way is refused when the person is deactivated first', async () => {
  const behind = await changePhoneBehind((ctx, id) => decideActive(ctx, id, { isActive: false }))
  expect(behind).toEqual({ end: 'NOT_FOUND', isChanged: false })
})

test('control: a phone change that waits for another change of the person is taken', async () => {
  const behind = await changePhoneBehind((ctx, id) => ctx.db.update(users).set({ name: 'Selvi' }).where(eq(users.id, id)))
  expect(behind).toEqual({ end: 'taken', isChanged: true })
})

test('a request under way neither renews a session, nor proves a code, nor adds a browser for a deactivated person', async () => {
  const person = await makeUser(market.ctx)
  const own = await lookedUp(person)
  await market.ctx.db
    .update(sessions)
    .set({ proofUntil: sql`now() + interval '5 minutes'` })
    .where(eq(sessions.userId, person.id))
  const subscription = {
    endpoint: `https://fcm.googleapis.com/fcm/send/${person.id}`,
    keys: { p256dh: `B${'a'.repeat(86)}`, auth: 'a'.repeat(22) },
  }
  const tries = async () => [
    await hasFreshProof(own),
    await refusalOf(addDevice(own, subscription, { userAgent: '', origins: [] })),
    await refusalOf(rotateSession(own)),
  ]
  // The same calls succeed while the person is active.
  expect(await tries()).toEqual([true, 'taken', 'taken'])
  await setActive(market.as(boss), person.id, { isActive: false, password: PASSWORD })
  expect(await tries()).toEqual([false, 'NOT_FOUND', 'NOT_FOUND'])
})
