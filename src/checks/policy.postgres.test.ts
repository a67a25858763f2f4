import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { makeCsrfToken } from '#src/kit/http/csrf.server.ts'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { cartLines } from '#src/cart/tables.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { makeReply, makeThread } from '#src/forum/makers.server.ts'
import { makeEnquiry } from '#src/enquiries/makers.server.ts'
import { makeListing, makeListingClip } from '#src/listings/makers.server.ts'
import { makeBearer, makeOrder } from '#src/orders/steps/makers.server.ts'
import { policy } from '#src/policy.ts'
import { rowsIn, stateOf } from '#tools/test-kit/market-state.ts'
import { giveOwnNumbers, readNumbers, type OthersNumbers } from '#tools/test-kit/others-numbers.ts'
import { documentedCalls, ORIGIN, shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { makeSecondLook } from '#src/verification/makers.server.ts'

/**
 * The rights to make each call: every role makes every call. policy.expected.csv has the expected answers, written by hand and independently of
 * the policy, so that a wrong line in the policy fails here. A refused call must also change nothing.
 */
const actors = [
  'anonymous',
  'ended',
  'pending',
  'deactivated',
  'buyer',
  'seller',
  'both',
  'agent',
  'vet',
  'newvet',
  'admin',
  'super',
] as const
type Actor = (typeof actors)[number]

/** Columns: operation, request, and a status for each actor. Only the request may be quoted. */
const [, ...expected] = readFileSync(join(import.meta.dirname, 'policy.expected.csv'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [, operation = '', quoted, plain, rest = ''] = /^([^,]+),(?:"((?:[^"]|"")*)"|([^,]*)),(.*)$/.exec(line) ?? []
    return { operation, request: quoted?.replaceAll('""', '"') ?? plain ?? '', statuses: rest.split(',') }
  })

let app: TestApp
let ctx: Ctx
const cookies = {} as Record<Actor, string | null>
const selves = {} as Record<Actor, number>
const targets: Record<string, number> = {}
let numbers: OthersNumbers

shareTestApp((opened) => (app = opened), { rateLimitFactors: { address: 1000, user: 1 } })
beforeAll(async () => {
  ctx = app.ctx
  const types: Partial<Record<Actor, number>> = { buyer: 1, seller: 2, both: 3, agent: 4, vet: 5, newvet: 5, admin: 9, super: 9 }
  const people = {} as Record<Actor, Viewer>
  for (const [actor, typeId] of Object.entries(types) as [Actor, number][]) {
    people[actor] = await makeUser(ctx, { typeId, vetApproved: actor === 'vet', superAdmin: actor === 'super' })
    cookies[actor] = await makeSession(ctx, people[actor].id)
    selves[actor] = people[actor].id
  }
  const gone = await makeUser(ctx, { isActive: false })
  const ended = await makeUser(ctx, { typeId: 9 })
  cookies.deactivated = await makeSession(ctx, gone.id)
  cookies.ended = await makeSession(ctx, ended.id)
  await ctx.db.execute(sql`update sessions set expires_at = now() where user_id = ${ended.id}`)
  cookies.anonymous = cookies.pending = null
  Object.assign(selves, { anonymous: 1, pending: 1, ended: ended.id, deactivated: gone.id })

  const other = await makeUser(ctx, { typeId: 3 })
  await makeSession(ctx, other.id)
  const pickupAddressId = await makeAddress(ctx, people.seller.id, { phone: '+919123454321' })
  targets.OTHER = other.id
  targets.ADDRESS = pickupAddressId
  targets.LISTING = await makeListing(ctx, { sellerId: people.seller.id, pickupAddressId, state: 'passed' })
  await makeListingClip(ctx, targets.LISTING)
  targets.PENDING = await makeListing(ctx, { sellerId: people.seller.id, pickupAddressId, state: 'pending' })
  targets.CHANGED = await makeListing(ctx, { sellerId: people.seller.id, pickupAddressId })
  await makeSecondLook(ctx, targets.CHANGED, { name: 'Other words' })
  targets.ENQUIRY = await makeEnquiry(ctx, { posterId: people.buyer.id })
  targets.WAITING = await makeEnquiry(ctx, { posterId: people.buyer.id, isVerified: null })
  const held = { buyerId: other.id, listingId: targets.LISTING, count: 1, seenPrice: 1n, seenStock: 1 }
  const [line] = await ctx.db.insert(cartLines).values(held).returning({ id: cartLines.id })
  targets.LINE = line!.id
  targets.ORDER = (await makeOrder(ctx, { buyer: people.buyer, seller: people.seller })).id
  // The first thread and reply: requests also name them by number.
  targets.THREAD = await makeThread(ctx, { authorId: other.id })
  targets.REPLY = await makeReply(ctx, { threadId: targets.THREAD, authorId: other.id })
  const [theirs] = await rowsIn<{ id: string }>(ctx, sql`select id from sessions where user_id = ${other.id}`)
  targets.SESSION = Number(theirs!.id)
  await makeAddress(ctx, other.id)
  await makeBearer(ctx)
  await giveOwnNumbers(ctx)
  numbers = await readNumbers(ctx)
})
// Reset the limits: there are more calls than one person may make in a minute.
beforeEach(() => ctx.db.execute(sql`delete from limit_counts`))

const address = { name: 'Farm', phone: '+919000000000', type: 2, address_1: '1 Sample Farm', address_2: 'Main Road', pincode: '638701' }

/** The answers with whole numbers of other people, besides those to admins with powers: a seller's is for everybody who is logged in. */
const sellers = ['listing_clips.caption', 'listings.description', 'listings.name', 'users.phone']
const shownTo = (people: Actor[], places: string[]) => Object.fromEntries(people.map((actor) => [actor, places]))
const loggedIn: Actor[] = ['buyer', 'seller', 'both', 'agent', 'vet', 'newvet', 'admin']
const mayShow: Record<string, Partial<Record<Actor, string[]>>> = {
  '/product/id=LISTING': shownTo(['buyer', 'both', 'agent', 'vet', 'newvet'], sellers),
  // Forum texts are whole for everybody who may read them; a desk decides on a text as it was written.
  '/thread': shownTo(loggedIn, ['replies.content', 'threads.content']),
  '/thread/Replies/id=THREAD': shownTo(loggedIn, ['replies.content']),
  '/admin/second-looks': { admin: ['listings.description', 'listings.name'] },
}

/** B §6, decisions §2: these show every admin the street where an animal is fetched. */
const showsPickup = (request: string) => /^\/(product\/id|sellerproducts|vet-productlist|order\/buyer)/.test(request)
const pickups = ['addresses.address_1', 'orders.pickup']

async function ask(actor: Actor, operation: string, request: string): Promise<Response> {
  const method = operation.split(' ')[0]!
  const [, path = '', body] = /^(\S+)(?: (.*))?$/.exec(request)!
  const filled = path.replace(/=(SELF|[A-Z]+)\b/g, (_, name: string) => `=${name === 'SELF' ? selves[actor] : targets[name]}`)
  const session = cookies[actor]
  const token = makeCsrfToken(app.secret, session ?? undefined)
  const cookie = [session && `__Host-sid=${session}`, `__Host-csrf=${token}`, actor === 'pending' && `__Host-reg=${'r'.repeat(43)}`]
  const headers: Record<string, string> = { cookie: cookie.filter(Boolean).join('; '), 'X-CSRFToken': token }
  if (body === 'FORM') {
    const form = new FormData()
    form.set('user', String(selves[actor]))
    return app.call(`/api/v1${filled}`, { method, headers, form })
  }
  if (body === 'REPORT') {
    headers['Content-Type'] = 'application/csp-report'
    return app.call(`/api/v1${filled}`, {
      method,
      headers,
      body: '{"csp-report":{"effective-directive":"img-src","blocked-uri":"inline"}}',
    })
  }
  const sent =
    body === 'LINE'
      ? { product: targets.LISTING, items_count: 1 }
      : body === 'ADDRESS'
        ? address
        : body === 'ADDRESS OF OTHER'
          ? { ...address, user: targets.OTHER }
          : body && (JSON.parse(body) as object)
  return app.call(`/api/v1${filled}`, { method, headers, ...(sent && { json: sent }) })
}

describe('every call', () => {
  const documented = documentedCalls.map(({ method, path }) => `${method.toUpperCase()} ${path}`)

  test('has a line in the policy, and every line has a call', () => {
    expect(Object.keys(policy).toSorted()).toEqual([...new Set(documented)].toSorted())
  })

  test('has expected answers', () => {
    expect([...new Set(expected.map(({ operation }) => operation))].toSorted()).toEqual(Object.keys(policy).toSorted())
    for (const { operation, statuses } of expected) expect(statuses, operation).toHaveLength(actors.length)
  })
})

describe('who may make a call', () => {
  test.each(expected)('$operation: $request', async ({ operation, request, statuses }) => {
    const answers: Record<string, string> = {}
    const shown: Partial<Record<Actor, string[]>> = {}
    const isRefused = (actor: Actor) => Number(statuses[actors.indexOf(actor)]) >= 400
    const askAs = async (actor: Actor) => {
      // A logout uses a session of its own.
      const kept = cookies[actor]
      if (operation === 'POST /logout' && kept) cookies[actor] = await makeSession(ctx, selves[actor])
      const answer = await ask(actor, operation, request)
      answers[actor] = String(answer.status)
      const isFetched = (place: string) => actor === 'admin' && showsPickup(request) && pickups.includes(place)
      const seen = numbers.in(await answer.text(), { id: selves[actor] }).filter((place) => !isFetched(place))
      if (seen.length > 0) shown[actor] = seen
      cookies[actor] = kept
    }
    const refused = actors.filter(isRefused)
    const changes = !operation.startsWith('GET') && refused.length > 0
    const before = changes ? await stateOf(ctx) : ''
    for (const actor of refused) await askAs(actor)
    expect(changes ? await stateOf(ctx) : '', 'a refused call changed something').toBe(before)
    for (const actor of actors) if (!isRefused(actor)) await askAs(actor)
    expect(actors.map((actor) => `${actor} ${answers[actor]}`)).toEqual(actors.map((actor, index) => `${actor} ${statuses[index]}`))
    delete shown.super
    expect(shown, 'whole numbers of other people').toEqual(mayShow[request] ?? {})
  })
})

test('the walk finds numbers: an admin with powers sees those of others in several answers', async () => {
  const found: string[] = []
  for (const { operation, request, statuses } of expected)
    if (operation.startsWith('GET') && statuses[actors.indexOf('super')] === '200')
      found.push(...numbers.in(await (await ask('super', operation, request)).text(), { id: selves.super }))
  expect([...new Set(found)].toSorted()).toEqual([
    'addresses.address_1',
    'addresses.phone',
    'enquiries.contact',
    'enquiries.description',
    'listing_clips.caption',
    'listings.description',
    'listings.name',
    'orders.delivery',
    'orders.pickup',
    'replies.content',
    'threads.content',
    'users.phone',
  ])
})

describe('a cross-site call', () => {
  const unsafe = expected.filter(({ operation }) => !operation.startsWith('GET') && !policy[operation]?.withoutCsrf)
  const shapes: [string, (token: string, session: string) => Record<string, string>][] = [
    ['without a token', () => ({ 'X-CSRFToken': '' })],
    ['from another site, as fetch metadata says', () => ({ 'Sec-Fetch-Site': 'cross-site' })],
    ['from a sibling of our name', () => ({ 'Sec-Fetch-Site': 'same-site' })],
    ['from another origin', () => ({ Origin: 'https://evil.example' })],
    ['from nowhere that is named', () => ({ Origin: 'null' })],
    ["with another session's token", (_, session) => otherToken(makeCsrfToken(app.secret, 'x'.repeat(43)), session)],
    ['with the token of before the login', (_, session) => otherToken(makeCsrfToken(app.secret, undefined), session)],
    ['with a token that is nobody’s', (_, session) => otherToken('aaaa.bbbb', session)],
    ['with a token that is not in the cookie', () => ({ 'X-CSRFToken': makeCsrfToken(app.secret, cookies.admin!) })],
  ]
  const otherToken = (token: string, session: string) => ({ 'X-CSRFToken': token, cookie: `__Host-sid=${session}; __Host-csrf=${token}` })

  test.each(shapes)('%s is refused by every call, and changes nothing', async (_, headersOf) => {
    const before = await stateOf(ctx)
    for (const { operation, request } of unsafe) {
      const session = cookies.admin!
      const token = makeCsrfToken(app.secret, session)
      const [path, body] = request.split(/ (.*)/)
      const response = await app.call(`/api/v1${path!.replace(/=([A-Z]+)\b/g, '=1')}`, {
        method: operation.split(' ')[0]!,
        headers: { cookie: `__Host-sid=${session}; __Host-csrf=${token}`, 'X-CSRFToken': token, ...headersOf(token, session) },
        ...(body === 'FORM' ? { form: new FormData() } : body ? { json: {} } : {}),
      })
      expect([operation, response.status, ((await response.json()) as { code: string }).code]).toEqual([operation, 403, 'CSRF_REJECTED'])
    }
    expect(await stateOf(ctx)).toBe(before)
  })

  test('of our own origin passes', async () => {
    const session = cookies.buyer!
    const token = makeCsrfToken(app.secret, session)
    const headers = {
      cookie: `__Host-sid=${session}; __Host-csrf=${token}`,
      'X-CSRFToken': token,
      Origin: ORIGIN,
      'Sec-Fetch-Site': 'same-origin',
    }
    expect((await app.call('/api/v1/validatesession', { method: 'POST', headers })).status).toBe(200)
  })
})

describe("the old client's flags", () => {
  const flags = { is_admin: true, is_staff: true, is_superuser: true, is_verified: true, is_active: false }

  test.each(['buyer', 'seller', 'both', 'agent', 'vet', 'newvet', 'admin'] as const)('have no effect for a %s', async (actor) => {
    const row = async () =>
      (
        await rowsIn(
          ctx,
          sql`select type_id, vet_approved, is_staff, is_admin, super_admin, is_verified, is_active from users where id = ${selves[actor]}`,
        )
      )[0]
    const before = await row()
    const session = cookies[actor]!
    const token = makeCsrfToken(app.secret, session)
    const response = await app.call(`/api/v1/userprofile/id=${selves[actor]}`, {
      method: 'POST',
      headers: { cookie: `__Host-sid=${session}; __Host-csrf=${token}`, 'X-CSRFToken': token },
      json: flags,
    })
    expect(response.status).toBe(200)
    expect(await row()).toEqual(before)
  })
})
