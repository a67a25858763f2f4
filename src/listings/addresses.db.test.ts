import { eq, inArray, sql } from 'drizzle-orm'
import { isRouteErrorResponse, RouterContextProvider } from 'react-router'
import { describe, expect, test } from 'vitest'
import { changeAddress, listAddresses, removeAddress } from '#src/addresses/addresses.server.ts'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { addresses } from '#src/addresses/tables.ts'
import { ctxContext, siteContext, visitorContext, type Ctx } from '#src/kit/context.ts'
import { actionGuardsContext } from '#src/kit/http/page.server.ts'
import { guardOfAction } from '#src/server/guards.server.ts'
import { defaultSettings } from '#src/kit/settings.ts'
import { cookieNamesFor } from '#src/kit/base/cookies.server.ts'
import { makeCsrfToken } from '#src/kit/http/csrf.server.ts'
import { unreachable } from '#src/kit/db/database.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import { readEnv } from '#src/kit/base/env.server.ts'
import { RateLimits } from '#src/kit/db/rate-limits.server.ts'
import { orderGroups } from '#src/orders/tables.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { action, loader } from '#src/addresses/addresses-page.tsx'
import { makeListing } from './makers.server.ts'
import { getProduct } from './queries.server.ts'
import { listings } from './tables.ts'

let market: TestMarket
shareMarket((opened) => (market = opened))

const input = { name: 'Selvi', phone: '+919876543210', typeId: 2, address1: '12 Lake Road', address2: 'Near the shandy', pincode: '642001' }
const rowOf = async (id: number) => (await market.ctx.db.select().from(listings).where(eq(listings.id, id)))[0]!

describe('a changed pickup address', () => {
  test('moves all its listings in every state, and no others', async () => {
    const seller = await makeUser(market.ctx, { typeId: 2 })
    const pickupAddressId = await makeAddress(market.ctx, seller.id, { pincode: '638701' })
    const elsewhere = await makeAddress(market.ctx, seller.id, { pincode: '638701' })
    const facts = { sellerId: seller.id, pickupAddressId, pincode: '638701' }
    const moved = [await makeListing(market.ctx, facts), await makeListing(market.ctx, { ...facts, state: 'draft' })]
    const stays = await makeListing(market.ctx, { ...facts, pickupAddressId: elsewhere })
    const fresh = await makeListing(market.ctx, { sellerId: seller.id, pincode: '642001' })
    const before = await rowOf(moved[0]!)
    const stayedBefore = await rowOf(stays)

    await changeAddress(market.as(seller), pickupAddressId, input)

    const wanted = await rowOf(fresh)
    for (const id of moved) {
      const row = await rowOf(id)
      const { pincode, taluk, district, stateName } = wanted
      expect(row).toMatchObject({ pincode, taluk, district, stateName })
      expect(row.searchKeys).toBe(wanted.searchKeys)
      expect(row.location![0]).toBeCloseTo(wanted.location![0], 2)
      expect(row.location![1]).toBeCloseTo(wanted.location![1], 2)
    }
    expect((await rowOf(moved[0]!)).touchedAt).toEqual(before.touchedAt)
    expect((await rowOf(moved[0]!)).location).not.toEqual((await rowOf(moved[1]!)).location)
    expect(await rowOf(stays)).toEqual(stayedBefore)
    expect((await getProduct(market.ctx, moved[0]!)).district).toBe('Coimbatore')
  })

  test('does not touch the listings’ rows while the PIN code stays', async () => {
    const seller = await makeUser(market.ctx, { typeId: 2 })
    const pickupAddressId = await makeAddress(market.ctx, seller.id, { pincode: '642001' })
    const id = await makeListing(market.ctx, { sellerId: seller.id, pickupAddressId, pincode: '642001' })
    const before = await rowOf(id)
    market.statements()
    await changeAddress(market.as(seller), pickupAddressId, input)
    expect(market.statements().filter((statement) => /update\s+"?listings/i.test(statement))).toEqual([])
    expect(await rowOf(id)).toEqual(before)
  })

  test('moves together with its listings or not at all', async () => {
    const seller = await makeUser(market.ctx, { typeId: 2 })
    const pickupAddressId = await makeAddress(market.ctx, seller.id, { pincode: '638701' })
    const id = await makeListing(market.ctx, { sellerId: seller.id, pickupAddressId })
    await market.owner.execute(
      sql`alter table listings add constraint listings_test_stay check (pincode <> '642001' or id <> ${sql.raw(String(id))})`,
    )
    await expect(changeAddress(market.as(seller), pickupAddressId, input)).rejects.toThrow()
    await market.owner.execute(sql`alter table listings drop constraint listings_test_stay`)
    const [address] = await market.ctx.db.select().from(addresses).where(eq(addresses.id, pickupAddressId))
    expect(address).toMatchObject({ pincode: '638701', name: 'Farm' })
    expect((await rowOf(id)).pincode).toBe('638701')
  })

  test('moves three hundred listings', async () => {
    const seller = await makeUser(market.ctx, { typeId: 2 })
    const pickupAddressId = await makeAddress(market.ctx, seller.id, { pincode: '638701' })
    const ids: number[] = []
    for (let n = 0; n < 300; n++) ids.push(await makeListing(market.ctx, { sellerId: seller.id, pickupAddressId }))
    await changeAddress(market.as(seller), pickupAddressId, input)
    const rows = await market.ctx.db.select({ pincode: listings.pincode }).from(listings).where(inArray(listings.id, ids))
    expect(rows.map(({ pincode }) => pincode)).toEqual(ids.map(() => '642001'))
  })

  test('of another person gives NOT_FOUND, and nothing moves', async () => {
    const seller = await makeUser(market.ctx, { typeId: 2 })
    const pickupAddressId = await makeAddress(market.ctx, seller.id, { pincode: '638701' })
    const id = await makeListing(market.ctx, { sellerId: seller.id, pickupAddressId })
    const stranger = await makeUser(market.ctx, { typeId: 2 })
    await expect(changeAddress(market.as(stranger), pickupAddressId, input)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await rowOf(id)).pincode).toBe('638701')
  })

  test('that is removed stays the pickup place of its listings', async () => {
    const seller = await makeUser(market.ctx, { typeId: 2 })
    const pickupAddressId = await makeAddress(market.ctx, seller.id)
    const id = await makeListing(market.ctx, { sellerId: seller.id, pickupAddressId })
    await removeAddress(market.as(seller), pickupAddressId)
    expect(await listAddresses(market.as(seller), seller.id)).toEqual([])
    expect((await getProduct(market.as(seller), id)).pickup).toMatchObject({ id: pickupAddressId })
  })
})

const origin = 'https://sandhai.test'
const env = { ...readEnv({ PUBLIC_ORIGIN: origin }), secret: 's'.repeat(32) }
const token = makeCsrfToken(env.secret, undefined)

function contextOf(ctx: Ctx) {
  const context = new RouterContextProvider()
  context.set(ctxContext, ctx)
  context.set(siteContext, { env, limits: new RateLimits(1), media: null as never, contact: defaultSettings.contact, noteAway: () => {} })
  context.set(visitorContext, {
    cookies: { '__Host-csrf': token },
    cookieNames: cookieNamesFor(origin, origin, 'demo'),
    address: '203.0.113.7',
    userAgent: '',
  } as never)
  context.set(actionGuardsContext, guardOfAction)
  return context
}
const open = async (ctx: Ctx, path = '/en/my-addresses') => {
  const [, , type, orderId] = path.replace(/^\/en/, '').split('?')[0]!.split('/')
  const { data, init } = await loader({ request: new Request(origin + path), params: { type, orderId }, context: contextOf(ctx) })
  return { data, status: init?.status ?? 200 }
}
const send = async (ctx: Ctx, fields: Record<string, string>, params: Record<string, string> = {}) => {
  const request = new Request(`${origin}/en/my-addresses`, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ csrf: token, ...fields }),
  })
  try {
    const { data, init } = await action({ request, params, context: contextOf(ctx) })
    return { status: init?.status ?? 200, ...data }
  } catch (error) {
    return { status: (error as Response).status, to: (error as Response).headers.get('Location') }
  }
}
const typed = { name: 'Selvi', phone: '98765 43210', typeId: '2', address1: '12 Lake Road', address2: 'Pollachi', pincode: '642 001' }

describe('the address book page', () => {
  test('sends an anonymous visitor to the login, and back', async () => {
    const error = (await open(market.ctx, '/en/my-addresses/sell/selleraddress').catch((thrown: unknown) => thrown)) as Response
    expect(error.headers.get('Location')).toBe(`/en/login?next=${encodeURIComponent('/en/my-addresses/sell/selleraddress')}`)
  })

  test('recognizes the purpose in the path, in any letter case', async () => {
    const owner = await makeUser(market.ctx)
    for (const [path, purpose] of [
      ['/en/my-addresses', 'manage'],
      [`/en/my-addresses/Buy/${owner.id}`, 'buy'],
      ['/en/my-addresses/SELL/selleraddress', 'sell'],
      ['/en/my-addresses/other/1', 'manage'],
    ])
      expect((await open(market.as(owner), path)).data).toMatchObject({ purpose, book: [] })
  })

  test("redirects a path with another buyer's id to the viewer's own book", async () => {
    const [owner, other] = [await makeUser(market.ctx), await makeUser(market.ctx)]
    for (const id of [other.id, 0, 'x']) {
      const found = (await open(market.as(owner), `/en/my-addresses/buy/${id}?change=1`).catch((thrown: unknown) => thrown)) as Response
      expect(found.headers.get('Location')).toBe(`/en/my-addresses/buy/${owner.id}`)
    }
  })

  test('shows no delivery purpose to a viewer who may not buy', async () => {
    const agent = await makeUser(market.ctx, { typeId: 4 })
    expect((await open(market.as(agent), `/en/my-addresses/buy/${agent.id}`)).data.purpose).toBe('manage')
  })

  test('answers 503 when the book cannot be read, never an empty book', async () => {
    const owner = await makeUser(market.ctx)
    await makeAddress(market.ctx, owner.id)
    expect((await open(market.as(owner))).data.book).toHaveLength(1)
    const away = await open({ ...market.as(owner), db: unreachable })
    expect(away).toMatchObject({ status: 503, data: { book: null, view: { kind: 'book' } } })
  })

  test('answers 404 for a change or removal of another person’s address', async () => {
    const owner = await makeUser(market.ctx)
    const foreignAddress = await makeAddress(market.ctx, (await makeUser(market.ctx)).id)
    for (const query of [`change=${foreignAddress}`, `remove=${foreignAddress}`, 'change=abc', 'remove=99999999']) {
      const error: unknown = await open(market.as(owner), `/en/my-addresses?${query}`).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ init: { status: 404 } })
      expect(isRouteErrorResponse(error)).toBe(false)
    }
    expect((await open(market.as(owner), `/en/my-addresses?saved=${foreignAddress}`)).data.view).toEqual({ kind: 'book', done: null })
    expect(await send(market.as(owner), { act: 'remove', id: String(foreignAddress) })).toMatchObject({ status: 404 })
    expect(await send(market.as(owner), { act: 'change', id: String(foreignAddress), ...typed })).toMatchObject({ status: 404 })
  })

  test('shows the panel of a saved address for each purpose', async () => {
    const owner = await makeUser(market.ctx)
    for (const [params, path] of [
      [{}, (id: number) => `/my-addresses?saved=${id}`],
      [{ type: 'buy', orderId: '7' }, (id: number) => `/my-addresses/buy/7?saved=${id}`],
      [{ type: 'Sell', orderId: 'selleraddress' }, (id: number) => `/my-addresses/sell/selleraddress?saved=${id}`],
      [{ type: '//evil.example', orderId: '..' }, (id: number) => `/my-addresses/%2F%2Fevil.example/..?saved=${id}`],
    ] as const) {
      const { status, to } = (await send(market.as(owner), { act: 'add', ...typed }, params)) as { status: number; to: string }
      const { id } = (await listAddresses(market.as(owner), owner.id))[0]!
      expect([status, to]).toEqual([302, `/en${path(id)}`])
    }
  })

  test('refuses an address without one of its lines, new or changed', async () => {
    const owner = await makeUser(market.ctx)
    const id = await makeAddress(market.ctx, owner.id)
    for (const act of [{ act: 'add' }, { act: 'change', id: String(id) }] as Record<string, string>[])
      for (const line of ['address1', 'address2'])
        expect(await send(market.as(owner), { ...act, ...typed, [line]: ' ' })).toMatchObject({
          status: 422,
          refused: { errors: { [line]: 'Address cannot be blank' } },
        })
    expect(await listAddresses(market.as(owner), owner.id)).toMatchObject([{ id, address1: '1 Sample Farm' }])
  })

  test('proposes the address of the last order, or else the newest, first, as long as we deliver there', async () => {
    const owner = await makeUser(market.ctx)
    const far = { pincode: '605001' }
    const proposal = async () => {
      const { book, proposed } = (await open(market.as(owner), `/en/my-addresses/buy/${owner.id}`)).data
      return [proposed, book?.map(({ id }) => id)]
    }
    expect(await proposal()).toEqual([null, []])
    const first = await makeAddress(market.ctx, owner.id)
    const away = await makeAddress(market.ctx, owner.id, far)
    expect(await proposal()).toEqual([first, [first, away]])
    const newest = await makeAddress(market.ctx, owner.id)
    expect(await proposal()).toEqual([newest, [newest, away, first]])
    await market.ctx.db.insert(orderGroups).values({ buyerId: owner.id, addressId: first, code: '' })
    expect(await proposal()).toEqual([first, [first, newest, away]])
    await removeAddress(market.as(owner), first)
    expect(await proposal()).toEqual([newest, [newest, away]])
    expect((await open(market.as(owner))).data.proposed).toBeNull()
  })

  test('keeps a second line that names the taluk in the form, and shows it once', async () => {
    const owner = await makeUser(market.ctx)
    await makeAddress(market.ctx, owner.id, { address2: 'Kangayam', pincode: '638701' })
    const [address] = (await open(market.as(owner), '/my-addresses')).data.book!
    expect(address).toMatchObject({ address2: 'Kangayam', lines: ['1 Sample Farm'] })
  })

  test('keeps the typed fields after a validation error, a server error and an expired session', async () => {
    const owner = await makeUser(market.ctx)
    expect(await send(market.as(owner), { act: 'add', ...typed, pincode: '123', name: '' })).toMatchObject({
      status: 422,
      refused: {
        errors: { name: 'Name cannot be blank', pincode: 'Pincode not valid' },
        typed: { address1: '12 Lake Road', pincode: '123' },
      },
    })
    expect(await send(market.ctx, { act: 'add', ...typed })).toMatchObject({ status: 401, refused: { typed } })
    expect(await send({ ...market.as(owner), db: unreachable }, { act: 'add', ...typed })).toMatchObject({
      status: 503,
      refused: { typed },
    })
    expect(await send({ ...market.as(owner), db: withoutTransactions(market.ctx.db) }, { act: 'add', ...typed })).toMatchObject({
      status: 500,
      refused: { code: 'INTERNAL', typed },
    })
    expect(await listAddresses(market.as(owner), owner.id)).toEqual([])
  })

  test('looks up a PIN code without a script', async () => {
    const owner = await makeUser(market.ctx)
    expect(await send(market.as(owner), { act: 'lookup', ...typed, pincode: '605 001' })).toMatchObject({
      status: 200,
      done: { place: { pincode: '605001', district: 'Puducherry', isDeliverable: false }, typed: { name: 'Selvi' } },
    })
    for (const [pincode, pincodeError] of [
      ['', 'Pincode cannot be blank'],
      ['12', 'Pincode not valid'],
      ['999999', 'This Pincode is not valid. Please try different code.'],
    ])
      expect(await send(market.as(owner), { act: 'lookup', ...typed, pincode: pincode! })).toMatchObject({
        status: 422,
        refused: { errors: { pincode: pincodeError }, typed: { name: 'Selvi' } },
      })
  })
})

/** Simulates a bug during the save. */
const withoutTransactions = (db: Db) =>
  new Proxy(db, {
    get: (target, name) => {
      if (name === 'transaction') throw new Error('a bug')
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
