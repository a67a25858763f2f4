import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { makeCsrfToken } from '#src/kit/http/csrf.server.ts'
import { DAY, daysBefore } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { auditEvents, outbox } from '#src/kit/db/tables.ts'
import { makeListing, type ListingFacts } from '#src/listings/makers.server.ts'
import { makeVerification } from '#src/verification/makers.server.ts'
import { contactTaps, listings } from '#src/listings/tables.ts'
import { verifications } from '#src/verification/tables.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { codeOf } from '#tools/test-kit/code-of.ts'
import { listOwnListings, type OwnFilters } from './own-listings.server.ts'
import { quickEdit } from './quick-edit.server.ts'
import { renew } from './renew.server.ts'
import { markSold, relist, withdraw } from './sale.server.ts'

let app: TestApp
let seller: Viewer
let pickupAddressId: number
const people = {} as Record<'owner' | 'admin' | 'other seller' | 'agent' | 'buyer' | 'vet', Viewer>

shareTestApp((opened) => (app = opened))
beforeAll(async () => {
  const { ctx } = app
  seller = people.owner = await makeUser(ctx, { typeId: 2 })
  people.admin = await makeUser(ctx, { typeId: 9 })
  people['other seller'] = await makeUser(ctx, { typeId: 3 })
  people.agent = await makeUser(ctx, { typeId: 4 })
  people.buyer = await makeUser(ctx)
  people.vet = await makeUser(ctx, { typeId: 5, vetApproved: true })
  pickupAddressId = await makeAddress(ctx, seller.id)
})

/** Uses the current time instead of the market's opening time, because the order of events matters here. */
const as = (viewer: Viewer | null, changes: Partial<Ctx> = {}) => app.as(viewer, { now: new Date(), ...changes })
const rowOf = async (id: number) => (await app.ctx.db.select().from(listings).where(eq(listings.id, id)))[0]!
const failure = (error: unknown) => {
  if (error instanceof Problem) return error.code
  throw error
}

type At = 'draft' | 'pending' | 'passed' | 'failed' | 'withdrawn' | 'sold'
const STATES: At[] = ['draft', 'pending', 'passed', 'failed', 'withdrawn', 'sold']

/** Five animals of 100 kg; passed listings and those that were passed once have their verdict. */
async function listingAt(at: At, facts: ListingFacts = {}): Promise<number> {
  const state = at === 'sold' ? 'passed' : at
  const id = await makeListing(app.ctx, {
    sellerId: seller.id,
    pickupAddressId,
    weightKg: 100,
    stock: 5,
    originalPrice: rupees(50_000),
    state,
    ...(at === 'sold' && { isSold: true, soldThroughSandhai: false }),
    ...facts,
  })
  if (at !== 'draft' && at !== 'pending')
    await makeVerification(app.ctx, { listingId: id, adminId: people.admin.id, passed: at !== 'failed', comment: 'Looked at.' })
  return id
}

const edited = { stock: 7, weightKg: 105, originalPrice: rupees(60_000), offerPrice: rupees(55_000) }
const grown = { ...edited, weightKg: 150 }

const steps: Record<string, (ctx: Ctx, id: number) => Promise<unknown>> = {
  'changes stock and price': (ctx, id) => quickEdit(ctx, id, edited),
  'changes the weight by half': (ctx, id) => quickEdit(ctx, id, grown),
  'marks it sold': (ctx, id) => markSold(ctx, id, true),
  'withdraws it': (ctx, id) => withdraw(ctx, id),
  'lists it again': (ctx, id) => relist(ctx, id),
  'renews it': (ctx, id) => renew(ctx, id),
}

/** Written by hand from decisions.md §3, independently of the table in life.ts: the state afterwards, or missing when the step is refused. */
const outcomes: Record<string, Partial<Record<At, string>>> = {
  'changes stock and price': { draft: 'draft', pending: 'pending', passed: 'passed', failed: 'pending', sold: 'passed' },
  'changes the weight by half': { draft: 'draft', pending: 'pending', passed: 'pending', failed: 'pending', sold: 'pending' },
  'marks it sold': { pending: 'pending sold', passed: 'passed sold', failed: 'failed sold', sold: 'passed sold' },
  'withdraws it': { draft: 'withdrawn', pending: 'withdrawn', passed: 'withdrawn', failed: 'withdrawn' },
  'lists it again': { withdrawn: 'passed', sold: 'passed' },
  'renews it': { passed: 'passed' },
}

describe('the life cycle of a listing', () => {
  const cells = Object.keys(steps).flatMap((step) => STATES.map((at) => [step, at] as const))

  test.each(cells)('its seller %s when it is %s, and so may an admin', async (step, at) => {
    for (const who of ['owner', 'admin'] as const) {
      const id = await listingAt(at)
      const before = await rowOf(id)
      const refusal = await steps[step]!(as(people[who]), id).then(() => null, failure)
      const after = await rowOf(id)
      const outcome = outcomes[step]![at]
      if (outcome === undefined) {
        expect([refusal, after], who).toEqual(['LISTING_STEP', before])
      } else {
        expect(refusal, who).toBeNull()
        expect(`${after.state}${after.isSold ? ' sold' : ''}`, who).toBe(outcome)
        // The row changes for a sold listing, too: it gets another answer.
        if (step !== 'renews it') expect(after.version, who).toBe(before.version + 1)
      }
    }
  })

  test.each(cells)('nobody else %s when it is %s, and nothing changes', async (step, at) => {
    const id = await listingAt(at)
    const before = await rowOf(id)
    const codes: Record<string, string | null> = {}
    for (const who of ['other seller', 'agent', 'buyer', 'vet'] as const)
      codes[who] = await steps[step]!(as(people[who]), id).then(() => null, failure)
    codes.nobody = await steps[step]!(as(null), id).then(() => null, failure)
    expect(codes).toEqual({
      'other seller': 'NOT_FOUND',
      agent: 'NOT_FOUND',
      buyer: 'NOT_FOUND',
      vet: 'NOT_FOUND',
      nobody: 'AUTH_REQUIRED',
    })
    expect(await rowOf(id)).toEqual(before)
  })

  test('a seller who has become a buyer cannot change anything', async () => {
    const person = await makeUser(app.ctx, { typeId: 2 })
    const id = await makeListing(app.ctx, { sellerId: person.id })
    await app.ctx.db.update(users).set({ typeId: 1 }).where(eq(users.id, person.id))
    const before = await rowOf(id)
    for (const step of Object.values(steps))
      expect(await step(as({ ...person, typeId: 1 }), id).then(() => null, failure)).toBe('ROLE_FORBIDDEN')
    expect(await rowOf(id)).toEqual(before)
  })

  test('a step that does not edit the animal sends no SMS, and is audited', async () => {
    const id = await listingAt('passed')
    const messages = await app.ctx.db.$count(outbox)
    await markSold(as(seller), id, true)
    await relist(as(seller), id)
    await withdraw(as(seller), id)
    expect(await app.ctx.db.$count(outbox)).toBe(messages)
    const events = await app.ctx.db
      .select({ event: auditEvents.event })
      .from(auditEvents)
      .where(eq(auditEvents.object, `listing:${id}`))
      .orderBy(auditEvents.id)
    expect(events.map(({ event }) => event)).toEqual(['listing_sold', 'listing_relisted', 'listing_withdrawn'])
  })
})

describe('a quick edit', () => {
  test('restarts the hundred days, and keeps the verdict when only stock and price change', async () => {
    const old = daysBefore(new Date(), 95)
    const id = await listingAt('passed', { touchedAt: old, createdAt: old })
    const before = await rowOf(id)
    expect(await quickEdit(as(seller), id, edited)).toBe('passed')
    const after = await rowOf(id)
    expect(after).toMatchObject({
      stock: 7,
      weightKg: 105,
      originalPrice: rupees(60_000),
      offerPrice: rupees(55_000),
      changedAt: before.changedAt,
    })
    expect(after.touchedAt.getTime()).toBeGreaterThan(old.getTime() + 94 * DAY)
    expect(after.submittedAt).toEqual(before.submittedAt)
  })

  test.each([
    [100, 110, 'passed'],
    [100, 110.01, 'pending'],
    [100, 90, 'passed'],
    [100, 89.99, 'pending'],
    [0, 0, 'passed'],
    [0, 12, 'pending'],
    [12, 0, 'pending'],
  ])('from %d kg to %d kg leaves it %s', async (from, to, state) => {
    const id = await listingAt('passed', { weightKg: from })
    const submitted = daysBefore(new Date(), 5)
    await app.ctx.db.update(listings).set({ submittedAt: submitted }).where(eq(listings.id, id))
    expect(await quickEdit(as(seller), id, { ...edited, weightKg: to })).toBe(state)
    const isSubmittedAgain = (await rowOf(id)).submittedAt > submitted
    expect(isSubmittedAgain).toBe(state === 'pending')
  })

  test('is refused when another edit was saved meanwhile', async () => {
    const id = await listingAt('passed')
    const { version } = await rowOf(id)
    await quickEdit(as(seller), id, { ...edited, version })
    expect(await quickEdit(as(seller), id, { ...edited, stock: 1, version }).catch(failure)).toBe('VERSION')
    expect((await rowOf(id)).stock).toBe(7)
  })
})

describe('a sold or withdrawn listing', () => {
  test('needs verification after relisting when the latest verdict does not hold', async () => {
    const neverVerified = await listingAt('pending')
    await withdraw(as(seller), neverVerified)
    expect(await relist(as(seller), neverVerified)).toBe('pending')
    const failed = await listingAt('failed')
    await withdraw(as(seller), failed)
    expect(await relist(as(seller), failed)).toBe('pending')
    const other = await listingAt('passed')
    // One second later, because timestamps have a resolution of one millisecond.
    await quickEdit(as(seller, { now: new Date(Date.now() + 1000) }), other, grown)
    await withdraw(as(seller), other)
    expect(await relist(as(seller), other)).toBe('pending')
  })

  test('gets its stock back when relisted; without stock the seller must give a number', async () => {
    const id = await listingAt('sold', { stock: 0 })
    expect(await relist(as(seller), id).catch(failure)).toBe('VALIDATION')
    expect(await relist(as(seller), id, 3)).toBe('passed')
    expect(await rowOf(id)).toMatchObject({ stock: 3, isSold: false, soldThroughSandhai: null })
  })

  test('becomes a draft again when it never had a picture', async () => {
    const id = await makeListing(app.ctx, { sellerId: seller.id, pickupAddressId, state: 'draft' }, [])
    await withdraw(as(seller), id)
    expect(await relist(as(seller), id)).toBe('draft')
  })

  test('that is marked sold twice is one sale, and the last answer counts', async () => {
    const id = await listingAt('passed')
    await markSold(as(seller), id, true)
    const first = await rowOf(id)
    await markSold(as(seller), id, true)
    expect(await rowOf(id)).toEqual(first)
    await markSold(as(seller), id, false)
    expect(await rowOf(id)).toMatchObject({ isSold: true, soldThroughSandhai: false, stock: 5 })
    const events = await app.ctx.db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.object, `listing:${id}`))
      .orderBy(auditEvents.id)
    expect(events).toHaveLength(2)
  })
})

/** A new seller for each test, because of the rate limit per minute. */
async function newSeller() {
  const viewer = await makeUser(app.ctx, { typeId: 2 })
  return { viewer, own: { sellerId: viewer.id, pickupAddressId: await makeAddress(app.ctx, viewer.id) } }
}

const put = (as: Viewer, path: string, json?: unknown) =>
  app.call(`/api/v1/update-product/${path}`, { method: 'PUT', as, csrf: true, ...(json !== undefined && { json }) })

describe('PUT update-product', () => {
  const prices = { originalprice: 60_000.1234, offerprice: '55000.5', weight: 105.25 }

  test('changes stock, prices and weight for the seller', async () => {
    const { viewer, own } = await newSeller()
    const id = await listingAt('passed', own)
    const response = await put(viewer, `id=${id}&quantity=8&sold=false&issandhaisale=false`, prices)
    expect([response.status, await response.json()]).toEqual([200, { rows: 1 }])
    expect(await rowOf(id)).toMatchObject({
      stock: 8,
      weightKg: 105.25,
      originalPrice: 600_001_234n,
      offerPrice: rupees(55_000.5),
      state: 'passed',
    })
  })

  test("an admin's verdict with the state that the queue showed is refused once somebody else has decided", async () => {
    const { own } = await newSeller()
    const admin = await makeUser(app.ctx, { typeId: 9 })
    const id = await listingAt('pending', own)
    const queue = await app.read<{ listings: { product: number; seen: string }[] }>('/api/v1/admin/verification-queue', { as: admin })
    const { seen } = queue.listings.find(({ product }) => product === id)!
    const decide = (as: Viewer, passed: boolean) =>
      put(as, `id=${id}&quantity=0&sold=false&issandhaisale=false`, { is_verified: passed, comment: 'Looked at.', seen })
    expect((await decide(await makeUser(app.ctx, { typeId: 9 }), true)).status).toBe(200)
    const stale = await decide(admin, false)
    expect([stale.status, ((await stale.json()) as { code: string }).code]).toEqual([409, 'VERSION'])
    expect((await rowOf(id)).state).toBe('passed')
  })

  test.each([[0], [null], [''], [undefined]])('takes an offer price of %j as none', async (offerprice) => {
    const { viewer, own } = await newSeller()
    const id = await listingAt('passed', { ...own, offerPrice: rupees(40_000) })
    expect((await put(viewer, `id=${id}&quantity=8&sold=false&issandhaisale=false`, { ...prices, offerprice })).status).toBe(200)
    expect((await rowOf(id)).offerPrice).toBeNull()
  })

  test.each<[string, string, unknown]>([
    ['422 VALIDATION offerprice', 'quantity=8&sold=false&issandhaisale=false', { ...prices, offerprice: 60_000.1234 }],
    ['422 VALIDATION weight offerprice', 'quantity=8&sold=false&issandhaisale=false', { ...prices, offerprice: 70_000, weight: -1 }],
    ['422 VALIDATION originalprice', 'quantity=8&sold=false&issandhaisale=false', { ...prices, originalprice: 1.00005 }],
    ['422 VALIDATION originalprice', 'quantity=8&sold=false&issandhaisale=false', { ...prices, originalprice: 0, offerprice: 0 }],
    ['422 VALIDATION originalprice', 'quantity=8&sold=false&issandhaisale=false', { ...prices, originalprice: '1e3', offerprice: 0 }],
    ['422 VALIDATION originalprice', 'quantity=8&sold=false&issandhaisale=false', { ...prices, originalprice: 100_000_000 }],
    ['422 VALIDATION originalprice', 'quantity=8&sold=false&issandhaisale=false', { ...prices, originalprice: -1, offerprice: 0 }],
    ['422 VALIDATION originalprice', 'quantity=8&sold=false&issandhaisale=false', { offerprice: 0, weight: 1 }],
    ['422 VALIDATION weight', 'quantity=8&sold=false&issandhaisale=false', { ...prices, weight: 5000.01 }],
    ['422 VALIDATION weight', 'quantity=8&sold=false&issandhaisale=false', { ...prices, weight: 1.005 }],
    ['422 VALIDATION weight', 'quantity=8&sold=false&issandhaisale=false', { ...prices, weight: null }],
    ['422 VALIDATION quantity', 'quantity=10001&sold=false&issandhaisale=false', prices],
    ['422 VALIDATION quantity', 'quantity=1.5&sold=false&issandhaisale=false', prices],
    ['422 VALIDATION sold', 'quantity=8&sold=yes&issandhaisale=false', prices],
    ['422 VALIDATION sold', 'quantity=8&sold=false&issandhaisale=true', prices],
    ['422 VALIDATION quantity', 'quantity=8&sold=true&issandhaisale=true', undefined],
    ['422 VALIDATION originalprice offerprice weight', 'quantity=0&sold=true&issandhaisale=true', prices],
    ['422 VALIDATION originalprice offerprice weight', 'quantity=0&sold=false&issandhaisale=false', prices],
    ['422 VALIDATION comment', 'quantity=8&sold=false&issandhaisale=false', { ...prices, comment: 'x' }],
    ['422 VALIDATION state', 'quantity=8&sold=false&issandhaisale=false', { ...prices, state: 'passed' }],
    ['422 VALIDATION path', 'quantity=8&sold=false', prices],
    ['422 VALIDATION path', 'quantity=8&quantity=8&sold=false&issandhaisale=false', prices],
    ['422 VALIDATION path', 'quantity=8&sold=false&issandhaisales=false', prices],
    ['403 ROLE_FORBIDDEN', 'quantity=0&sold=false&issandhaisale=false', { is_verified: true, comment: 'Mine is good' }],
    ['403 ROLE_FORBIDDEN', 'quantity=8&sold=false&issandhaisale=false', { ...prices, is_verified: true }],
  ])('answers a seller %s for %s', async (expected, keys, json) => {
    const { viewer, own } = await newSeller()
    const id = await listingAt('pending', own)
    const before = await rowOf(id)
    expect(await codeOf(await put(viewer, `id=${id}&${keys}`, json))).toBe(expected)
    expect(await rowOf(id)).toEqual(before)
  })

  test.each(['issandhaisale', 'issale', 'isFarmMarket2sale'])('accepts the last key as %s', async (key) => {
    const { viewer, own } = await newSeller()
    const id = await listingAt('passed', own)
    // The API document has one spelling only, so answers to the others cannot be validated against it.
    const session = await makeSession(app.ctx, viewer.id)
    const token = makeCsrfToken(app.secret, session)
    const response = await app.fetch(`/api/v1/update-product/id=${id}%26quantity=0%26sold=true%26${key}=true`, {
      method: 'PUT',
      headers: { cookie: `__Host-sid=${session}; __Host-csrf=${token}`, 'X-CSRFToken': token },
    })
    expect(response.status).toBe(200)
    expect(await rowOf(id)).toMatchObject({ isSold: true, soldThroughSandhai: true, stock: 5 })
  })

  test('a verdict of an admin does not change the stock', async () => {
    const id = await listingAt('pending')
    const path = `id=${id}&quantity=0&sold=false&issandhaisale=false`
    expect((await put(people.admin, path, { is_verified: true, comment: 'Photos and facts agree.' })).status).toBe(200)
    expect(await rowOf(id)).toMatchObject({ state: 'passed', stock: 5, isSold: false })
    expect((await put(people.admin, path, { is_verified: false, comment: 'Another animal.' })).status).toBe(200)
    expect(await rowOf(id)).toMatchObject({ state: 'failed', stock: 5, isSold: false })
    expect(await app.ctx.db.$count(verifications, eq(verifications.listingId, id))).toBe(2)
  })

  test("a verdict needs a valid word and a comment, and is refused for the admin's own listing", async () => {
    const id = await listingAt('pending', { createdById: people.admin.id })
    const path = `id=${id}&quantity=0&sold=false&issandhaisale=false`
    expect(await codeOf(await put(people.admin, path, { is_verified: true, comment: ' ' }))).toBe('422 VALIDATION comment')
    expect(await codeOf(await put(people.admin, path, { is_verified: 'true', comment: 'Good' }))).toBe('422 VALIDATION is_verified')
    expect(await codeOf(await put(people.admin, path, { is_verified: true, comment: 'Good' }))).toBe('409 OWN_LISTING')
    expect((await rowOf(id)).state).toBe('pending')
  })

  test('sold takes no body and is idempotent', async () => {
    const { viewer, own } = await newSeller()
    const id = await listingAt('passed', own)
    for (const json of [undefined, {}]) {
      expect((await put(viewer, `id=${id}&quantity=0&sold=true&issandhaisale=false`, json)).status).toBe(200)
      expect(await rowOf(id)).toMatchObject({ isSold: true, soldThroughSandhai: false, stock: 5 })
    }
  })
})

describe("a seller's own list", () => {
  const all: OwnFilters = { sellerId: null, tab: 'instock', seller: '', state: null, categoryId: null, listingId: null, after: null }

  test('has every state, those that wait for the seller first, and counts who asked', async () => {
    const mine = await makeUser(app.ctx, { typeId: 3 })
    const address = await makeAddress(app.ctx, mine.id)
    const own = { sellerId: mine.id, pickupAddressId: address }
    const ids: Record<string, number> = {}
    for (const at of STATES) ids[at] = await listingAt(at, own)
    ids.silent = await listingAt('passed', { ...own, touchedAt: daysBefore(new Date(), 91) })
    ids.gone = await listingAt('passed', { ...own, stock: 0 })
    for (const personId of [people.buyer.id, people.vet.id])
      await app.ctx.db.insert(contactTaps).values((['call', 'whatsapp'] as const).map((way) => ({ listingId: ids.passed!, personId, way })))
    const read = async (tab: OwnFilters['tab']) => (await listOwnListings(as(mine), { ...all, sellerId: mine.id, tab })).listings
    const instock = await read('instock')
    expect(instock.map(({ card }) => card.id)).toEqual([ids.silent, ids.failed, ids.draft, ids.passed, ids.pending, ids.withdrawn])
    expect(instock.find(({ card }) => card.id === ids.passed)).toMatchObject({ asked: 2, state: 'passed' })
    expect((await read('soldout')).map(({ card }) => card.id)).toEqual([ids.gone, ids.sold])
    const count = async (tab: OwnFilters['tab']) => (await listOwnListings(as(mine), { ...all, sellerId: mine.id, tab })).count
    expect([await count('instock'), await count('soldout')]).toEqual([6, 2])
  })

  test('is NOT_FOUND for other sellers; an admin can search all by a whole number or a name', async () => {
    expect(await listOwnListings(as(people['other seller']), { ...all, sellerId: seller.id }).catch(failure)).toBe('NOT_FOUND')
    expect(await listOwnListings(as(people['other seller']), all).catch(failure)).toBe('NOT_FOUND')
    const found = await makeUser(app.ctx, { typeId: 2, name: 'Zuleikha', phone: '+919843212345' })
    const id = await makeListing(app.ctx, { sellerId: found.id })
    for (const typed of ['zulei', '98432 12345', '+919843212345']) {
      const { listings: page } = await listOwnListings(as(people.admin), { ...all, seller: typed })
      expect(
        page.map(({ card }) => card.id),
        typed,
      ).toEqual([id])
    }
    expect((await listOwnListings(as(people.admin), { ...all, seller: '12345' })).listings).toEqual([])
    expect((await listOwnListings(as(people.admin), { ...all, seller: '%' })).listings).toEqual([])
  })

  test('comes in pages without gaps', async () => {
    const trader = await makeUser(app.ctx, { typeId: 4 })
    const address = await makeAddress(app.ctx, trader.id)
    const ids: number[] = []
    for (let n = 0; n < 27; n++)
      ids.push(await makeListing(app.ctx, { sellerId: trader.id, pickupAddressId: address, state: n % 9 === 0 ? 'withdrawn' : 'passed' }))
    const first = await listOwnListings(as(trader), { ...all, sellerId: trader.id })
    const second = await listOwnListings(as(trader), { ...all, sellerId: trader.id, after: first.next })
    expect(second.next).toBeNull()
    expect([...first.listings, ...second.listings].map(({ card }) => card.id).toSorted((a, b) => a - b)).toEqual(ids)
  })

  test("over the API has the count, newest first, and another seller's is 404", async () => {
    const path = (id: number, rest = 'getitems=instock&top=2') => `/api/v1/sellerproducts/seller=${id}&type=2&${rest}`
    const trader = await makeUser(app.ctx, { typeId: 4, phone: '+919711100001' })
    const address = await makeAddress(app.ctx, trader.id)
    const own = { sellerId: trader.id, pickupAddressId: address }
    const ids = [
      await listingAt('failed', own),
      await listingAt('passed', own),
      await listingAt('pending', own),
      await listingAt('sold', own),
    ]
    const first = await app.call(path(trader.id), { as: trader })
    const page = (await first.json()) as { id: number; seller: { phone: string } }[]
    expect(page.map(({ id }) => id)).toEqual([ids[2], ids[1]])
    expect(page[0]!.seller.phone).toBe('+919711100001')
    const next = await app.read<{ id: number }[]>(`${path(trader.id)}?cursor=${first.headers.get('x-next-cursor')}`, { as: trader })
    expect(next.map(({ id }) => id)).toEqual([ids[0]])
    expect((await app.read<{ id: number }[]>(path(trader.id, 'getitems=sold&top=0'), { as: trader })).map(({ id }) => id)).toEqual([ids[3]])
    expect(await app.read(path(trader.id, 'getitems=ordered&top=0'), { as: trader })).toEqual([])
    expect(await app.refused(path(trader.id), { as: seller })).toBe('404 NOT_FOUND')
    expect(await app.refused(path(0), { as: seller })).toBe('404 NOT_FOUND')
    // top=0 is the cap, after which a cursor continues.
    for (const top of [0, 60]) {
      const all = await app.call(path(0, `getitems=instock&top=${top}`), { as: people.admin })
      expect([((await all.json()) as unknown[]).length, all.headers.get('x-next-cursor')]).toEqual([60, expect.any(String)])
    }
    expect(await app.refused(path(trader.id, 'getitems=all&top=0'), { as: trader })).toBe('422 VALIDATION')
    expect(await app.refused(path(trader.id, 'getitems=sold&top=61'), { as: trader })).toBe('422 VALIDATION')
    expect(
      await app.refused(`${path(trader.id, 'getitems=sold&top=1')}?cursor=${first.headers.get('x-next-cursor')}`, { as: trader }),
    ).toBe('422 VALIDATION')
  })
})
