import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#src/kit/context.ts'
import { codeSentTo, shareTestOutbox, testAuthClient } from '#tools/test-kit/test-auth-client.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { newPhone, refusalOf } from '#tools/test-kit/test-people.ts'
import { makeUser } from '../makers.server.ts'
import { consents, otps, sessions, users } from '../tables.ts'
import { finishCodeLogin, finishNewPerson, startCodeLogin } from './code-login.server.ts'
import { logIn } from './identity.server.ts'

const AT_ONCE = 50

let market: TestMarket
let ctx: Ctx
shareMarket((opened) => {
  market = opened
  ctx = { ...market.ctx, browserId: null }
})
shareTestOutbox(() => ctx)

async function asks(phone: string) {
  const client = testAuthClient()
  const { token } = await startCodeLogin({ ...ctx, browserId: randomUUID() }, phone, client)
  return { token, client, code: await codeSentTo(ctx, phone) }
}

const atOnce = (act: () => Promise<unknown>) => Promise.all(Array.from({ length: AT_ONCE }, () => refusalOf(act())))
const taken = (answers: string[]) => answers.filter((answer) => answer === 'taken').length

describe('one code, given many times concurrently', () => {
  test('begins one session', async () => {
    const { phone, id } = await makeUser(ctx, { phone: newPhone() })
    const { token, client, code } = await asks(phone)
    expect(taken(await atOnce(() => finishCodeLogin(ctx, { phone, code }, token, client)))).toBe(1)
    expect(await ctx.db.$count(sessions, eq(sessions.userId, id))).toBe(1)
  })

  test('creates one person, with one consent and one session', async () => {
    const phone = newPhone()
    const { token, client, code } = await asks(phone)
    await finishCodeLogin(ctx, { phone, code }, token, client)
    const selvi = { name: 'Selvi', typeId: 1, referralCode: '', hasConsented: true as const }
    expect(taken(await atOnce(() => finishNewPerson(ctx, selvi, token, client)))).toBe(1)
    const [user] = await ctx.db.select().from(users).where(eq(users.phone, phone))
    expect(await ctx.db.$count(consents, eq(consents.userId, user!.id))).toBe(1)
    expect(await ctx.db.$count(sessions, eq(sessions.userId, user!.id))).toBe(1)
  })
})

test('control: reading the code first and ending it afterwards begins several sessions', async () => {
  const { phone, id } = await makeUser(ctx, { phone: newPhone() })
  const { client } = await asks(phone)
  const [user] = await ctx.db.select().from(users).where(eq(users.id, id))
  await atOnce(async () => {
    const [row] = await ctx.db.select().from(otps).where(eq(otps.phone, phone))
    if (row!.endedAt) return
    await logIn(ctx, user!, client, { isByCode: true })
    await ctx.db.update(otps).set({ endedAt: new Date() }).where(eq(otps.id, row!.id))
  })
  expect(await ctx.db.$count(sessions, eq(sessions.userId, id))).toBeGreaterThan(1)
})
