import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { makeBearer, makeOrder, statusOf } from '#src/orders/steps/makers.server.ts'
import { often } from '#tools/test-kit/often.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { loadedCode } from '../bearers/fetch-code.server.ts'
import { ON_THE_WAY } from '../process.server.ts'
import { orders } from '../tables.ts'
import { fetchByLink } from './link-acts.server.ts'
import { findRunLink, makeRunLink, revokeRunLink } from './run-links.server.ts'

const ACTS = often(20, 100)

let market: TestMarket
let admin: Viewer
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admin = await makeUser(market.ctx, { typeId: 9 })
})

/** An act that waited on the phone arrives before, beside and after a link that the office sends again. Returns the answers. */
async function sendBeside(sendAgain: typeof makeRunLink): Promise<string[]> {
  const [answers, day, ctx]: [string[], string, typeof market.ctx] = [[], indianDay(market.ctx.now), market.as(admin)]
  const anonymous = { ...market.ctx, viewer: null }
  for (let n = 0; n < ACTS; n++) {
    const bearer = await makeBearer(market.ctx)
    const { id } = await makeOrder(market.ctx, { admin, status: 4 })
    const of = { listedBearerId: bearer.id, deliverOn: day }
    const [order] = await market.ctx.db.update(orders).set(of).where(eq(orders.id, id)).returning()
    const tokenOf = (link: string) => link.split('/').at(-1) ?? ''
    const token = tokenOf(await makeRunLink(ctx, { bearerId: bearer.id, day }))
    const code = loadedCode(market.ctx, { id, createdAt: order?.createdAt ?? market.ctx.now, listedBearerId: bearer.id })
    const [link, answer] = await Promise.all([
      sendAgain(ctx, { bearerId: bearer.id, day }),
      sleep(n).then(() => refusalOf(fetchByLink(anonymous, token, id, code))),
    ])
    answers.push(answer)
    expect(await statusOf(market.ctx, id)).toBe(answer === 'taken' ? ON_THE_WAY : 4)
    expect(await findRunLink(anonymous, token)).toBeNull()
    expect(await findRunLink(anonymous, tokenOf(link))).not.toBeNull()
  }
  return answers
}

test('an act that waited on the phone passes however close to it the office sends the link again', async () => {
  expect(new Set(await sendBeside(makeRunLink))).toEqual(new Set(['taken']))
})

test('control: if a new link stopped the earlier one, the act would be refused', async () => {
  const answers = await sendBeside(async (ctx, of) => {
    await revokeRunLink(ctx, of)
    return makeRunLink(ctx, of)
  })
  expect(answers).toContain('NOT_FOUND')
})
