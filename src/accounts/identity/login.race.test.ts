import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { hashPassword, verifyPassword } from '#src/kit/passwords.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { codeSentTo, shareTestOutbox, testAuthClient } from '#tools/test-kit/test-auth-client.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { makeSession, makeUser } from '../makers.server.ts'
import { endSessionsOf, findSession, listSessions } from '../sessions.server.ts'
import { users } from '../tables.ts'
import { logIn } from './identity.server.ts'
import { changePassword, finishReset, login, startReset } from './login.server.ts'

// An attacker has the password, and its owner sets a new one by code. Everything that the attacker began with the old one must fail.
const OLD = 'stolen password 77'
const NEW = 'fresh password 88'
const THEIRS = 'their own password 99'
const ATTACKERS = 4
/** Long enough for all attackers to verify the old password, and to write when no lock stops them. */
const HELD_MS = 2000

let market: TestMarket
let ctx: Ctx
shareMarket((opened) => {
  market = opened
  ctx = { ...market.ctx, browserId: null }
})
shareTestOutbox(() => ctx)

async function makeVictim() {
  const user = await makeUser(ctx, { passwordHash: await hashPassword(ctx.vault, OLD) })
  const [row] = await ctx.db.select().from(users).where(eq(users.id, user.id))
  return { viewer: user, phone: row!.phone }
}

const answerOf = (act: Promise<unknown>) =>
  act.then(
    () => 'taken',
    (error: unknown) => (error instanceof Problem ? error.code : String(error)),
  )

/** Runs `attack` while the reset has written everything but not committed, so that the attack still reads the old password. */
async function duringReset(phone: string, attack: () => Promise<string>[]): Promise<string[]> {
  const { token } = await startReset(ctx, phone, testAuthClient())
  const code = await codeSentTo(ctx, phone)
  let attacks: Promise<string[]> = Promise.resolve([])
  await inTransaction(ctx, async (held) => {
    await finishReset(held, { phone, code, password: NEW }, token, testAuthClient())
    attacks = Promise.all(attack())
    await Promise.race([attacks, sleep(HELD_MS)])
  })
  return attacks
}

const sessionsOf = async (viewer: { id: number }) =>
  (await listSessions({ ...ctx, viewer: viewer as Ctx['viewer'], sessionId: null })).length
const opens = (phone: string, password: string) => answerOf(login(ctx, { phone, password }, testAuthClient()))

describe('while the owner resets the password', () => {
  const burst = (act: () => Promise<unknown>) => () => Array.from({ length: ATTACKERS }, () => answerOf(act()))

  test('a login with the old one gets no session', async () => {
    const { viewer, phone } = await makeVictim()
    const answers = await duringReset(
      phone,
      burst(() => login(ctx, { phone, password: OLD }, testAuthClient())),
    )
    expect(answers).toEqual(Array(ATTACKERS).fill('LOGIN_FAILED'))
    expect(await sessionsOf(viewer)).toBe(1)
  })

  test('control: a login that trusts its earlier read keeps its session', async () => {
    const { viewer, phone } = await makeVictim()
    const naiveLogin = async () => {
      const [user] = await ctx.db.select().from(users).where(eq(users.phone, phone))
      const { isRight } = await verifyPassword(ctx.vault, user!.passwordHash, OLD)
      if (!isRight) throw new Problem('LOGIN_FAILED')
      await inTransaction(ctx, (ctx) => logIn(ctx, user!, testAuthClient()))
    }
    await duringReset(phone, burst(naiveLogin))
    expect(await sessionsOf(viewer)).toBeGreaterThan(1)
  })

  test("an attacker's change of the old password is refused and their session ends", async () => {
    const { viewer, phone } = await makeVictim()
    const session = (await findSession(ctx.db, await makeSession(ctx, viewer.id)))!
    const theirs = { ...ctx, viewer: session.viewer, sessionId: session.id }
    const attack = () => [answerOf(changePassword(theirs, { oldPassword: OLD, newPassword: THEIRS }, testAuthClient().limits))]
    expect(await duringReset(phone, attack)).toEqual(['PASSWORD_WRONG'])
    expect(await opens(phone, THEIRS)).toBe('LOGIN_FAILED')
    expect(await opens(phone, NEW)).toBe('taken')
  })

  test('control: a change that trusts its earlier read takes over the account', async () => {
    const { viewer, phone } = await makeVictim()
    const naiveChange = async () => {
      const [user] = await ctx.db.select().from(users).where(eq(users.id, viewer.id))
      const { isRight } = await verifyPassword(ctx.vault, user!.passwordHash, OLD)
      if (!isRight) throw new Problem('PASSWORD_WRONG')
      const passwordHash = await hashPassword(ctx.vault, THEIRS)
      await inTransaction(ctx, async (ctx) => {
        await ctx.db.update(users).set({ passwordHash }).where(eq(users.id, viewer.id))
        await endSessionsOf(ctx, viewer.id)
      })
    }
    await duringReset(phone, () => [answerOf(naiveChange())])
    expect(await opens(phone, THEIRS)).toBe('taken')
    expect(await opens(phone, NEW)).toBe('LOGIN_FAILED')
  })
})
