import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { judgeEnquiry } from './commands.server.ts'
import { makeEnquiry } from './makers.server.ts'
import { listForDesk, readVerdicts } from './queries.server.ts'

let market: TestMarket
let admin: Viewer
let ctx: Ctx

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admin = await makeUser(market.ctx, { typeId: 9, name: 'Kumar' })
  ctx = market.as(admin)
})

const waiting = (days: number) =>
  makeEnquiry(market.ctx, { isVerified: null, verifiedById: null, verifiedAt: null, createdAt: daysBefore(market.ctx.now, days) })

test('only admins open the desk', async () => {
  const poster = market.as(await makeUser(market.ctx))
  expect(await refusalOf(listForDesk(poster, { state: 'pending', page: 1 }))).toBe('ROLE_FORBIDDEN')
  expect(await refusalOf(readVerdicts(poster, await waiting(1)))).toBe('ROLE_FORBIDDEN')
})

test('the enquiry that has waited longest comes first, and each state has its count', async () => {
  const late = await waiting(5)
  const { enquiries, counts } = await listForDesk(ctx, { state: 'pending', page: 1 })
  expect(enquiries[0]!.id).toBe(late)
  expect(counts.pending).toBe(enquiries.length)
  await judgeEnquiry(ctx, late, { passed: false, comment: 'Sells, does not look' })
  const after = await listForDesk(ctx, { state: 'refused', page: 1 })
  expect(after.enquiries.map(({ id }) => id)).toEqual([late])
  expect(after.counts).toMatchObject({ pending: counts.pending - 1, refused: 1 })
  expect((await listForDesk(ctx, { state: 'refused', page: 2 })).enquiries).toEqual([])
})

test('every verdict stays readable, newest first, with its admin', async () => {
  const id = await waiting(2)
  await judgeEnquiry(ctx, id, { passed: false, comment: 'Unclear' })
  await judgeEnquiry(ctx, id, { passed: true, comment: 'Called them' })
  expect((await readVerdicts(ctx, id)).verdicts).toMatchObject([
    { passed: true, comment: 'Called them', adminName: 'Kumar' },
    { passed: false, comment: 'Unclear' },
  ])
})
