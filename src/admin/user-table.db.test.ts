import { beforeAll, expect, test } from 'vitest'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { USERS_PER_PAGE } from '#src/accounts/people/users.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { report } from '#src/reports/reports.server.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { countUserViews, readUserTable, userSorts, userViews, type UserTableChoices } from './user-table.server.ts'

let market: TestMarket
let ctx: Ctx
let seller: Viewer
let buyer: Viewer

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  ctx = market.as(await makeUser(market.ctx, { typeId: 9, name: 'Kumar' }))
  seller = await makeUser(market.ctx, { typeId: 2, name: 'Figures seller' })
  buyer = await makeUser(market.ctx, { typeId: 1, name: 'Figures buyer', createdAt: daysBefore(market.ctx.now, 30) })
  const listing = await makeListing(market.ctx, { sellerId: seller.id })
  await makeListing(market.ctx, { sellerId: seller.id })
  await makeOrder(market.ctx, { buyer, seller })
  await report(market.as(buyer), { listingId: listing }, { reason: 'sold', comment: '' })
  await makeSession(market.ctx, buyer.id)
})

const table = (changes: Partial<UserTableChoices> = {}) =>
  readUserTable(ctx, { text: 'Figures', typeId: null, view: 'all', sort: { by: 'registered', isDown: true }, page: 1, ...changes })
const names = async (changes: Partial<UserTableChoices>) => (await table(changes)).users.map(({ name }) => name)

test('only admins read the table of people', async () => {
  const one = market.as(await makeUser(market.ctx))
  expect(await refusalOf(countUserViews(one))).toBe('ROLE_FORBIDDEN')
  expect(await refusalOf(readUserTable(one, { text: '', typeId: null, view: 'all', sort: { by: 'name', isDown: false }, page: 1 }))).toBe(
    'ROLE_FORBIDDEN',
  )
})

test("each row shows the person's figures", async () => {
  const { users, found } = await table()
  expect(found).toBe(2)
  const of = (id: number) => users.find((user) => user.id === id)!
  expect(of(seller.id)).toMatchObject({ listings: 3, orders: 1, reports: 1, openReports: 1, seenAt: null })
  expect(of(buyer.id)).toMatchObject({ listings: 0, orders: 1, reports: 0, openReports: 0 })
  expect(of(buyer.id).seenAt).toBeInstanceOf(Date)
})

test('the table sorts by each column in both directions', async () => {
  const both = (by: (typeof userSorts)[number]) =>
    Promise.all([names({ sort: { by, isDown: true } }), names({ sort: { by, isDown: false } })])
  expect(await both('reports')).toEqual([
    ['Figures seller', 'Figures buyer'],
    ['Figures buyer', 'Figures seller'],
  ])
  expect((await both('listings'))[0]).toEqual(['Figures seller', 'Figures buyer'])
  expect((await both('name'))[1]).toEqual(['Figures buyer', 'Figures seller'])
  // People who were never seen come last in both directions.
  expect(await both('seen')).toEqual([
    ['Figures buyer', 'Figures seller'],
    ['Figures buyer', 'Figures seller'],
  ])
  for (const by of userSorts) expect((await both(by)).flat().toSorted()).toHaveLength(4)
})

test('each saved view has as many people as its count says', async () => {
  await makeUser(market.ctx, { typeId: 5, requestedTypeId: 4 })
  const counts = await countUserViews(ctx)
  for (const view of userViews) expect([view, (await table({ text: '', view })).found]).toEqual([view, counts[view]])
  expect(await names({ view: 'reported' })).toEqual(['Figures seller'])
  expect(await names({ view: 'new' })).toEqual(['Figures seller'])
})

test('the pages together show each person once', async () => {
  for (let n = 0; n < USERS_PER_PAGE + 5; n += 1) await makeUser(market.ctx, { name: 'Leaf' })
  const pages = await Promise.all([1, 2, 3].map((page) => table({ text: 'Leaf', page, sort: { by: 'orders', isDown: true } })))
  expect(pages.map(({ users }) => users.length)).toEqual([USERS_PER_PAGE, 5, 0])
  expect(pages[1]!.found).toBe(USERS_PER_PAGE + 5)
  expect(new Set(pages.flatMap(({ users }) => users.map(({ id }) => id))).size).toBe(USERS_PER_PAGE + 5)
})
