import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeThread } from '#src/forum/makers.server.ts'
import { hidePost, leavePost, listDecided } from '#src/forum/moderation.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { leaveReported, listClosedReports, report, takeDown } from '#src/reports/reports.server.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'

let market: TestMarket
let ctx: Ctx
let author: Viewer
let others: Viewer[]

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  ctx = market.as(await makeUser(market.ctx, { typeId: 9, name: 'Kumar' }))
  author = await makeUser(market.ctx, { typeId: 2, name: 'Murugesan' })
  others = [await makeUser(market.ctx), await makeUser(market.ctx)]
})

test('only admins read past decisions', async () => {
  expect(await refusalOf(listClosedReports(market.as(author), 1))).toBe('ROLE_FORBIDDEN')
  expect(await refusalOf(listDecided(market.as(author), 1))).toBe('ROLE_FORBIDDEN')
})

test('reports closed by one decision form one row, with the decision, its note and the admin', async () => {
  const cow = await makeListing(market.ctx, { sellerId: author.id, name: 'Reported cow' })
  for (const each of others) await report(market.as(each), { listingId: cow }, { reason: 'wrong', comment: '' })
  await report(market.as(others[0]!), { sellerId: author.id }, { reason: 'other', comment: 'Rude' })
  await takeDown(ctx, cow, { note: 'It is another animal' })
  await leaveReported(ctx, { sellerId: author.id }, { note: 'Called them' })
  const { closed, total } = await listClosedReports(ctx, 1)
  expect(total).toBe(2)
  expect(closed.find(({ listingId }) => listingId === cow)).toMatchObject({
    title: 'Reported cow',
    people: 2,
    outcome: 'taken-down',
    note: 'It is another animal',
    adminName: 'Kumar',
  })
  expect(closed.find(({ listingId }) => listingId === null)).toMatchObject({ title: 'Murugesan', people: 1, outcome: 'left' })
  expect((await listClosedReports(ctx, 2)).closed).toEqual([])
})

test('every decision on a post stays readable, the newest first', async () => {
  const id = await makeThread(market.ctx, { authorId: author.id, content: 'Buy my feed' })
  await hidePost(ctx, { kind: 'thread', id }, { reason: 'No advertising' })
  await leavePost(ctx, { kind: 'thread', id })
  expect(await listDecided(ctx, 1)).toMatchObject({
    total: 2,
    decided: [
      { id, kind: 'thread', isHidden: false, content: 'Buy my feed', adminName: 'Kumar' },
      { id, isHidden: true },
    ],
  })
})
