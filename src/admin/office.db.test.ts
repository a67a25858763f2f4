import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { listTickets, openTicket } from '#src/content/support/tickets.server.ts'
import type { DeskId } from '#src/content/site-frame/desks.ts'
import { takeAnimal } from '#src/health/holds.server.ts'
import { listDesk } from '#src/health/queries.server.ts'
import { makeEnquiry } from '#src/enquiries/makers.server.ts'
import { makeThread } from '#src/forum/makers.server.ts'
import { listWaiting as listPosts } from '#src/forum/moderation.server.ts'
import { settleInvoice, takeSettlementBack } from '#src/invoices/commands.server.ts'
import { getInvoice } from '#src/invoices/queries.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { audit, sealEvents } from '#src/kit/records/audit.server.ts'
import { auditEvents } from '#src/kit/db/tables.ts'
import { defaultSettings, type DeskTargets } from '#src/kit/settings.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { DAY, daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { makeListing, makeMilking } from '#src/listings/makers.server.ts'
import { makeVerification, makeSecondLook } from '#src/verification/makers.server.ts'
import { makeBearer, makeOrder } from '#src/orders/steps/makers.server.ts'
import { flagged } from '#src/orders/order-conditions.ts'
import { orders } from '#src/orders/tables.ts'
import { listReported, report } from '#src/reports/reports.server.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { listWaitingProofs } from '#src/verification/proofs/waiting-proofs.server.ts'
import { readQueue } from '#src/verification/queue.server.ts'
import { countWaiting as countListings } from '#src/verification/second-look-list.server.ts'
import { phraseText } from '#src/verification/verification-phrases.ts'
import { countRail, countWork, readWork, type DeskWork } from './desk-work.server.ts'
import { readFigures } from './office-figures.server.ts'
import { everything, trailFilterIn } from './trail-filter.server.ts'
import { checkSeals, listTrail } from './trail.server.ts'
import { listSellerSales, readOwed } from './money/owed.server.ts'
import { settlesIt } from './money/settle.server.ts'
import { countUserViews } from './user-table.server.ts'

const { deskTargets } = defaultSettings
let market: TestMarket
let admin: Viewer
let ctx: Ctx
const ago = (days: number) => daysBefore(market.ctx.now, days)
const daysSince = (since: Date) => Math.floor((market.ctx.now.getTime() - since.getTime()) / DAY)
const workAt = async (wanted: DeskId) => (await readWork(ctx, deskTargets)).work.find(({ desk }) => desk === wanted)
type Case = DeskWork['oldest'][number]

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admin = await makeUser(market.ctx, { typeId: 9, name: 'Kumar' })
  ctx = market.as(admin)
})

test('only admins open the office', async () => {
  const seller = market.as(await makeUser(market.ctx, { typeId: 2 }))
  for (const ask of [
    countWork,
    (each: Ctx) => readWork(each, deskTargets),
    readFigures,
    (each: Ctx) => listTrail(each, everything),
    checkSeals,
  ])
    expect(await refusalOf(ask(seller))).toBe('ROLE_FORBIDDEN')
})

describe('waiting cases', () => {
  beforeAll(async () => {
    const { ctx: anyone } = market
    await makeListing(anyone, { state: 'pending', name: 'Kangayam cow', submittedAt: ago(3) })
    await makeListing(anyone, { state: 'pending', submittedAt: ago(0) })
    const changed = await makeListing(anyone, { name: 'Jersey cow' })
    await makeSecondLook(market.as(admin), changed, { name: 'Jersey cow, 12 litres', description: 'Second calf, 12 litres a day.' })
    const cow = await makeListing(anyone, { name: 'Sindhi cow' })
    await makeMilking(anyone, { listingId: cow, milkedOn: indianDay(anyone.now), seenRevision: null })
    await makeUser(anyone, { name: 'Selvi', requestedTypeId: 4, requestedTypeAt: ago(5) })
    await makeUser(anyone, { typeId: 5, name: 'Meena' })
    await makeEnquiry(anyone, { isVerified: null, createdAt: ago(1.5) })
    const { id: sellerId } = await makeUser(anyone, { typeId: 2, name: 'Murugesan' })
    for (const who of ['A', 'B']) {
      const reporter = market.as(await makeUser(anyone, { name: who }), { now: ago(2) })
      await report(reporter, { sellerId }, { reason: 'fraud', comment: '' })
    }
    const { id: authorId } = await makeUser(anyone, { name: 'Anbu' })
    await makeThread(anyone, { authorId, content: 'Is this fodder good?', state: 'review', createdAt: ago(1) })
    const letter = { name: 'Rani', phone: '+919876543210', topic: 'other', content: 'How do I sell?', key: randomUUID() } as const
    await openTicket(market.as(null, { now: ago(9) }), letter, 'browser')
    // Placed three days ago; the seller has not answered.
    await makeOrder(market.as(null, { now: ago(3) }))
  })

  test('the office counts the same cases as each desk', async () => {
    const sold = await makeOrder(market.as(null, { now: ago(200) }), { status: 6 })
    const { queue, secondLooks } = await countListings(ctx)
    const { requests, vets } = await countUserViews(ctx)
    const own = {
      listings: queue,
      secondLooks,
      orders: await ctx.db.$count(orders, flagged(ctx.now)),
      enquiries: 1,
      people: requests + vets,
      reports: (await listReported(ctx)).waiting,
      forum: (await listPosts(ctx)).waiting,
      tickets: (await listTickets(ctx, { isClosed: false })).waiting,
      proofs: (await listWaitingProofs(ctx)).length,
      money: (await readOwed(ctx)).totals.sellers.open,
      checks: (await listDesk(ctx, { isComplete: false, district: null, near: null, after: null, top: 1 })).found,
    }
    expect(Object.values(own).filter((count) => count === 0)).toEqual([])
    expect(await countWork(ctx)).toEqual(own)
    // A sale with an entry no longer waits, and waits again when the entry is revoked. The money desk lists the rest of a part.
    const { id } = await getInvoice(ctx, sold.id, 'commission')
    const entry = { amount: 1n, method: 'bank', reference: 'UTR 1', paidOn: indianDay(ctx.now) } as const
    await settleInvoice(ctx, id, { ...entry, seen: 0 })
    expect((await countWork(ctx)).money).toBeUndefined()
    const [open] = await listSellerSales(ctx, sold.seller.id, 'open')
    await takeSettlementBack(ctx, id, { seen: open!.entry!.id, note: 'The bank returned it' })
    expect((await countWork(ctx)).money).toBe(1)
    const [again] = await listSellerSales(ctx, sold.seller.id, 'open')
    await settleInvoice(ctx, id, { ...entry, amount: settlesIt(again!), seen: again!.entry!.id })
    expect((await countWork(ctx)).money).toBeUndefined()
  })

  test('the sales of a seller are one case, with the figures of the money desk', async () => {
    const seller = await makeUser(market.ctx, { typeId: 2, name: 'Kannan' })
    const price = { originalPrice: 850_000_001n, offerPrice: null }
    for (const days of [83, 92, 120]) await makeOrder(market.as(null, { now: ago(days) }), { status: 6, seller, listing: price })
    const taken = await makeOrder(market.as(null, { now: ago(140) }), { status: 6 })
    await market.ctx.db.update(orders).set({ bearerId: taken.seller.id }).where(eq(orders.id, taken.id))
    const { sellers } = await readOwed(ctx)
    const { oldest, ...load } = (await workAt('money'))!
    expect(oldest.map(({ path, sales, amount, since }) => [path, sales, amount, daysSince(since)])).toEqual(
      sellers.map(({ sellerId, sales, balance, oldest }) => [`/admin/money/${sellerId}`, sales, balance, oldest]),
    )
    expect(oldest.map(({ person, amount }) => [person, amount])).toEqual([
      [`Murugesan #${taken.seller.id}`, rupees(-3750)],
      [`Kannan #${seller.id}`, 2_422_500_003n],
    ])
    expect(load).toEqual({ desk: 'money', inTime: 0, late: 0, veryLate: 2 })
    expect((await countWork(ctx)).money).toBe(2)
  })

  test('the rail takes one statement, and so does the first page', async () => {
    market.statements()
    await countWork(ctx)
    await readWork(ctx, deskTargets)
    expect(market.statements()).toHaveLength(2)
  })

  test('each case says what waits, whose it is and how much money, and links to the page that decides it', async () => {
    const first = async (desk: DeskId, locale: Locale = 'en') => {
      const { work } = await readWork({ ...ctx, locale }, deskTargets)
      const [{ title, person, amount, path }] = work.find((each) => each.desk === desk)!.oldest as [Case]
      return [title, person, amount, path.replace(/\d+/, 'N')]
    }
    expect(await first('listings')).toEqual(['Kangayam cow', 'Murugesan', rupees(85_000), '/admin/verification?id=N'])
    expect(await first('secondLooks')).toEqual(['Jersey cow, 12 litres', 'Murugesan', null, '/admin/second-looks?look=N'])
    const proof = expect.stringMatching(/^\/admin\/proofs\?proof=\w+$/) as string
    expect(await first('proofs')).toEqual(['Sindhi cow', 'Murugesan', null, proof])
    expect(await first('orders')).toEqual([expect.stringMatching(/^SN-\d{6}$/), 'Selvi', rupees(84_500), '/orders?q=SN-N'])
    expect(await first('enquiries')).toEqual(['உழவுக்கு ஒரு காளை வேண்டும்', 'Selvi', rupees(80_000), '/admin/enquiries?enquiry=N'])
    expect(await first('people')).toEqual(['Seller / agent', 'Selvi', null, '/admin/users/N'])
    expect(await first('people', 'ta')).toContain('விற்பனை முகவர்')
    expect(await first('reports')).toEqual(['Murugesan', null, null, '/admin/reports?subject=seller-N'])
    expect(await first('forum')).toEqual(['Is this fodder good?', 'Anbu', null, '/admin/forum?post=thread-N'])
    expect(await first('tickets')).toEqual(['How do I sell?', 'Rani', null, '/admin/tickets?ticket=N'])
  })

  test('the desk furthest over its target time comes first', async () => {
    const order = async (changed: Partial<DeskTargets>) => {
      const { work } = await readWork(ctx, { ...deskTargets, ...changed })
      return work.map(({ desk }) => desk).filter((desk) => ['tickets', 'people', 'listings', 'forum'].includes(desk))
    }
    const same = { tickets: 24, people: 24, listings: 24, forum: 24 }
    expect(await order(same)).toEqual(['tickets', 'people', 'listings', 'forum'])
    // A letter has waited for nine days, a request for five, a listing for three, a post for one.
    expect(await order({ ...same, tickets: 24 * 8 })).toEqual(['people', 'listings', 'tickets', 'forum'])
    expect(await order({ ...same, tickets: 24 * 8, people: 24 * 30 })).toEqual(['listings', 'tickets', 'forum', 'people'])
  })

  test('a late desk lists three cases at most, so that it does not hide the other desks', async () => {
    const letter = { name: 'Rani', phone: '+919876543210', topic: 'other', content: 'How do I sell?' } as const
    for (let n = 0; n < 5; n++) await openTicket(market.as(null, { now: ago(20 + n) }), { ...letter, key: randomUUID() }, `browser ${n}`)
    const tickets = await workAt('tickets')
    expect(tickets?.oldest.map(({ since }) => since)).toEqual([ago(24), ago(23), ago(22)])
    expect(tickets?.veryLate).toBe(6)
  })

  test('a case names the admin who works on it', async () => {
    const { id } = await makeOrder(market.as(null, { now: ago(30) }), { status: 5 })
    const bearer = await makeBearer(market.ctx, { name: 'Mani' })
    await market.ctx.db.update(orders).set({ listedBearerId: bearer.id }).where(eq(orders.id, id))
    const [first] = (await workAt('listings'))!.oldest
    await readQueue(ctx, Number(/\d+/.exec(first!.path)![0]), { filter: { categoryId: null, district: null, view: null }, claims: true })
    const handlers = async (desk: DeskId) => (await workAt(desk))!.oldest.map(({ handler }) => handler)
    expect(await handlers('listings')).toEqual(['Kumar', null])
    expect(await handlers('orders')).toEqual(['Mani', null])
    expect(await handlers('people')).toEqual([null, null])
  })

  test('a vet sees how many animals they may take, the office how many no vet has checked', async () => {
    const vet = market.as(await makeUser(market.ctx, { typeId: 5, vetApproved: true }))
    const waiting = async () => (await readWork(ctx, deskTargets)).vets
    const before = await waiting()
    const free = (await countRail(vet)).checks
    expect(free).toBe(before.waiting)
    await takeAnimal(vet, await makeListing(market.ctx))
    // A taken animal still needs its check, but no other vet may take it.
    expect(await waiting()).toEqual({ waiting: before.waiting + 1, held: before.held + 1 })
    expect((await countRail(vet)).checks).toBe(free)
    await makeListing(market.ctx)
    expect((await countRail(vet)).checks).toBe(free! + 1)
    expect(await countRail(market.as(await makeUser(market.ctx, { typeId: 5 })))).toEqual({})
  })

  test("a case is late after its desk's target hours, and very late after twice that time", async () => {
    const loadOf = async (hours: number) =>
      (await readWork(ctx, { ...deskTargets, listings: hours })).work.find(({ desk }) => desk === 'listings')
    // One case has waited for three days, the other for a moment.
    expect(await loadOf(24)).toMatchObject({ inTime: 1, late: 0, veryLate: 1 })
    expect(await loadOf(48)).toMatchObject({ inTime: 1, late: 1, veryLate: 0 })
    expect(await loadOf(96)).toMatchObject({ inTime: 2, late: 0, veryLate: 0 })
  })

  test('a case about the admin themselves waits for another admin', async () => {
    const before = (await countWork(ctx)).listings
    await makeListing(market.ctx, { state: 'pending', createdById: admin.id })
    expect((await countWork(ctx)).listings).toBe(before)
  })
})

describe('the plots', () => {
  test('the plots show the figures of the market', async () => {
    const listingId = await makeListing(market.ctx)
    const failed = { listingId, adminId: admin.id, passed: false }
    await makeVerification(market.ctx, { ...failed, comment: `${phraseText('unclear', 'ta')} ${phraseText('price', 'ta')}` })
    await makeVerification(market.ctx, { ...failed, comment: phraseText('price', 'en') })
    await makeVerification(market.ctx, { ...failed, comment: 'This is a buffalo.' })
    await makeVerification(market.ctx, { ...failed, comment: phraseText('side', 'ta'), createdAt: ago(40) })
    await makeOrder(market.ctx, { status: 6, count: 2, listing: { originalPrice: rupees(50_000), offerPrice: null } })
    await makeOrder(market.ctx, { status: 3 })
    const { stages, weeks, reasons, places } = await readFigures(ctx)
    expect(reasons).toEqual([
      { phrase: 'price', count: 2 },
      { phrase: 'unclear', count: 1 },
      { phrase: null, count: 1 },
    ])
    expect(stages.map(({ status }) => status)).toEqual([1, 2, 3, 4, 5])
    expect(stages[2]!.count).toBe(1)
    expect(weeks).toHaveLength(8)
    expect(weeks.map(({ monday }) => new Date(monday).getUTCDay())).toEqual(Array(8).fill(1))
    expect(weeks.at(-1)!.monday <= indianDay(ctx.now)).toBe(true)
    expect(weeks.at(-1)).toMatchObject({ sales: rupees(100_000), commission: rupees(5_000) })
    expect(weeks.slice(0, -1).filter(({ sales }) => sales > 0n)).toEqual([])
    expect(places.map(({ district }) => district)).toEqual(['Tiruppur'])
    expect(places[0]!.lat).toBeCloseTo(11, 0)
  })
})

describe('the audit trail', () => {
  test('the trail is filtered by event, object, person and day', async () => {
    const person = await makeUser(market.ctx)
    const other = await makeUser(market.ctx, { typeId: 9 })
    await audit(market.as(other), 'user_deactivated', `user:${person.id}`)
    await audit(market.as(other), 'user_activated', `user:${person.id}`)
    await audit(market.as(other), 'sensitive_read', `user:${person.id}`, { what: 'profile' })
    const found = async (query: string, viewer = admin) =>
      (await listTrail(market.as(viewer), trailFilterIn(new URLSearchParams(query)))).events.map(({ event }) => event)
    expect(await found(`object=user:${person.id}`)).toEqual(['user_activated', 'user_deactivated'])
    // Super admins find the views by their event.
    expect(await found(`object=user:${person.id}`, { ...admin, superAdmin: true })).toEqual(['user_activated', 'user_deactivated'])
    expect(await found(`object=user:${person.id}&event=sensitive_read`, { ...admin, superAdmin: true })).toEqual(['sensitive_read'])
    expect(await found(`object=user:${person.id}&event=sensitive_read`)).toEqual([])
    expect(await found(`object=user:${person.id}&event=user_activated`)).toEqual(['user_activated'])
    expect(await found(`actor=${other.id}`)).toEqual(['user_activated', 'user_deactivated'])
    const today = indianDay(new Date())
    expect(await found(`actor=${other.id}&day=${today}`)).toHaveLength(2)
    expect(await found(`actor=${other.id}&day=${indianDay(new Date(Date.now() - DAY))}`)).toEqual([])
    // Unreadable values filter nothing.
    for (const query of ['day=2026-02-30', 'actor=x', "object=user:1'", 'event=Drop', 'before=0'])
      expect(trailFilterIn(new URLSearchParams(query))).toEqual(everything)
  })

  test('the next page of the trail starts where the last one ended', async () => {
    const first = await listTrail(ctx, everything, 2)
    const second = await listTrail(ctx, { ...everything, beforeId: first.nextBeforeId }, 2)
    const ids = [...first.events, ...second.events].map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a))
    expect(ids).toHaveLength(4)
  })

  test("an admin's check finds the trail intact until somebody changes a row", async () => {
    await sealEvents(market.owner, market.ctx.vault)
    const whole = await checkSeals(ctx)
    expect(whole).toMatchObject({ isWhole: true })
    const [event] = await market.owner.select().from(auditEvents).where(eq(auditEvents.position, 2))
    await market.owner.execute(sql`alter table audit_events disable trigger all`)
    await market.owner.update(auditEvents).set({ object: 'user:0' }).where(eq(auditEvents.id, event!.id))
    expect(await checkSeals(ctx)).toEqual({ isWhole: false, position: 2, eventId: event!.id })
    expect((await listTrail(ctx, { ...everything, event: 'audit_checked' })).events.length).toBe(2)
  })
})
