import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { makeReview } from '#src/reviews/makers.server.ts'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { addToCart } from '#src/cart/commands.server.ts'
import { openTicket } from '#src/content/support/tickets.server.ts'
import { makeEnquiry } from '#src/enquiries/makers.server.ts'
import { makeReply, makeThread } from '#src/forum/makers.server.ts'
import { ensureActionsHaveLines, guardOfAction } from '#src/server/guards.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { RateLimits } from '#src/kit/db/rate-limits.server.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { pageTable } from '#src/page-table.ts'
import { actions } from '#src/policy.ts'
import { rowsIn, stateOf } from '#tools/test-kit/market-state.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { makeSecondLook } from '#src/verification/makers.server.ts'
import { openTestMarket, type TestMarket } from '#tools/test-kit/test-market.ts'

/**
 * The rights to send each form: strangers send every form with the owner's objects. actions.expected.csv has the expected answers, written by
 * hand and independently of the policy, so that a wrong line in the policy fails here. A refused form must also change nothing.
 */
const actors = ['anonymous', 'buyer', 'seller', 'agent', 'vet', 'newvet', 'admin', 'super'] as const
type Actor = (typeof actors)[number]

interface Module {
  action?: { id?: string }
}
const files = import.meta.glob<Module>('../*/**/*.{ts,tsx}')

/**
 * Columns: action, parameters of the address, fields of the form (names in capitals are the owner's objects), and an answer for each actor.
 * `saved CODE`: the typed text is stored before the form is refused. `after CODE`: an earlier actor has already done it.
 */
const [, ...expected] = readFileSync(join(import.meta.dirname, 'actions.expected.csv'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [id = '', params = '', fields = '', ...answers] = line.split(',')
    return { id, params, fields, answers }
  })

let market: TestMarket
const people = {} as Record<Actor, Viewer | null>
const things: Record<string, string | number> = {}
const modules = new Map<string, Module>()

beforeAll(async () => {
  for (const { file } of pageTable) modules.set(file, await files[`../${file}`]!())
  market = await openTestMarket()
  const { ctx } = market
  people.anonymous = null
  people.buyer = await makeUser(ctx)
  people.seller = await makeUser(ctx, { typeId: 2 })
  people.agent = await makeUser(ctx, { typeId: 4 })
  people.vet = await makeUser(ctx, { typeId: 5, vetApproved: true })
  people.newvet = await makeUser(ctx, { typeId: 5 })
  // No internal role: an admin with the fewest rights.
  people.admin = await makeUser(ctx, { typeId: 9 })
  people.super = await makeUser(ctx, { typeId: 9, superAdmin: true })

  const owner = await makeUser(ctx, { typeId: 3 })
  const other = await makeUser(ctx, { typeId: 3 })
  things.OWNER = owner.id
  things.ADDRESS = await makeAddress(ctx, owner.id)
  things.LISTING = await makeListing(ctx, { sellerId: owner.id, pickupAddressId: Number(things.ADDRESS), stock: 5 })
  things.FORSALE = await makeListing(ctx, { sellerId: owner.id, pickupAddressId: Number(things.ADDRESS) })
  things.PENDING = await makeListing(ctx, { sellerId: owner.id, pickupAddressId: Number(things.ADDRESS), state: 'pending' })
  things.CHANGED = await makeListing(ctx, { sellerId: owner.id, pickupAddressId: Number(things.ADDRESS) })
  await makeSecondLook(ctx, things.CHANGED, { name: 'Other words' })
  things.WITHDRAWN = await makeListing(ctx, { sellerId: owner.id, pickupAddressId: Number(things.ADDRESS), state: 'withdrawn' })
  things.PLACED = (await makeOrder(ctx, { buyer: owner, seller: other })).id
  things.ONTHEWAY = (await makeOrder(ctx, { buyer: owner, seller: other, status: 5 })).id
  things.DELIVERED = (await makeOrder(ctx, { buyer: owner, seller: other, status: 6 })).id
  await addToCart(market.as(owner), { listingId: await makeListing(ctx, { sellerId: other.id }), count: 1 })
  things.LINE = (await rowsIn<{ id: string }>(ctx, sql`select id from cart_lines`))[0]!.id
  await makeReview(ctx, { reviewerId: other.id, sellerId: owner.id, stars: 4, comment: 'Good' })
  things.REVIEW = (await rowsIn<{ id: string }>(ctx, sql`select id from seller_reviews`))[0]!.id
  things.ENQUIRY = await makeEnquiry(ctx, { posterId: owner.id })
  things.WAITING = await makeEnquiry(ctx, { posterId: owner.id, isVerified: null })
  things.THREAD = await makeThread(ctx, { authorId: owner.id })
  things.REPLY = await makeReply(ctx, { threadId: Number(things.THREAD), authorId: owner.id })
  const letter = { name: 'Selvi', phone: '+919876543210', topic: 'other' as const, content: 'Please call', key: randomUUID() }
  await openTicket(market.as(owner), letter, 'browser')
  things.TICKET = (await rowsIn<{ id: string }>(ctx, sql`select id from tickets`))[0]!.id
  await makeSession(ctx, owner.id)
  things.SESSION = (await rowsIn<{ id: string }>(ctx, sql`select id from sessions where user_id = ${owner.id}`))[0]!.id
})
afterAll(() => market?.close())
beforeEach(() => market.ctx.db.execute(sql`delete from limit_counts`))

/** Replaces names in capitals by ids. */
const filled = (query: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(query.replace(/\b[A-Z]{4,}\b/g, (name) => String(things[name] ?? name))))

/** Returns `done`, the code of the refusal, or `login` for a redirect to the login. */
async function send(actor: Actor, { id, params, fields }: (typeof expected)[number]): Promise<string> {
  const { action } = [...modules.values()].find((module) => module.action?.id === id)!
  try {
    const refused = await sendForm(market.ctx, action as never, { viewer: people[actor], params: filled(params), fields: filled(fields) })
    return refused ?? 'done'
  } catch (error) {
    if (!(error instanceof Response)) throw error
    const to = new URL(error.headers.get('Location') ?? '/', 'http://here.invalid')
    // When the answer would be a file, the page with the form shows the refusal.
    const refusalInQuery = to.searchParams.get('data') ?? to.searchParams.get('csv')
    if (refusalInQuery) return refusalInQuery
    if (error.status === 403) return 'ROLE_FORBIDDEN'
    return /^(\/en)?\/login\b/.test(to.pathname) ? 'login' : 'done'
  }
}

describe('every action', () => {
  const acting = () => [...modules.values()].flatMap(({ action }) => (action ? [action.id] : []))

  test('has a line in the policy, and every line has an action', () => {
    expect([...new Set(acting())].toSorted()).toEqual(Object.keys(actions).toSorted())
  })

  test('has expected answers for every act of its form', () => {
    const acts = Object.entries(actions).flatMap(([id, { acts }]) => Object.keys(acts ?? { '': {} }).map((act) => `${id} ${act}`))
    const written = expected.map(({ id, fields }) => {
      const form = new URLSearchParams(fields)
      const act = actions[id]?.acts ? (form.get(actions[id].actField ?? 'act') ?? '') : ''
      return `${id} ${act.split(':')[0]}`
    })
    expect([...new Set(written)].toSorted()).toEqual(acts.toSorted())
    for (const { id, answers } of expected) expect(answers, id).toHaveLength(actors.length)
  })

  test('keeps the site from starting when it has no line', () => {
    const route = (action: unknown) => [{ id: 'new-page', module: { action } }]
    expect(() => ensureActionsHaveLines(route(async () => null))).toThrow('The action of new-page has no line in policy.ts.')
    expect(() => ensureActionsHaveLines(route(Object.assign(async () => null, { id: 'elsewhere' })))).toThrow('new-page')
    expect(() => ensureActionsHaveLines([{ id: 'page-to-read' }, undefined, ...route({ id: 'cart' })])).not.toThrow()
    expect(() => guardOfAction('new-page')).toThrow('no line in policy.ts')
  })
})

describe('who may send a form', () => {
  test.each(expected)('$id $params $fields', async (row) => {
    const answers: Record<string, string> = {}
    const isRefused = (actor: Actor) => !/^(done|login|(saved|after) .+)$/.test(row.answers[actors.indexOf(actor)]!)
    const before = await stateOf(market.ctx)
    for (const actor of actors.filter(isRefused)) answers[actor] = await send(actor, row)
    expect(await stateOf(market.ctx), 'a refused form changed something').toBe(before)
    for (const actor of actors) if (!isRefused(actor)) answers[actor] = await send(actor, row)
    expect(actors.map((actor) => `${actor} ${answers[actor]}`)).toEqual(
      actors.map((actor, n) => `${actor} ${row.answers[n]!.replace(/^(saved|after) /, '')}`),
    )
  })
})

describe('limits', () => {
  test.each(Object.entries(actions).filter(([, { limits }]) => limits.length > 0))('apply to %s before its action runs', async (id) => {
    const limits = new RateLimits(0, 0)
    const form = new FormData()
    const viewer = people.admin
    const passing = guardOfAction(id).pass(market.as(viewer), { form, limits, address: '203.0.113.9' })
    await expect(passing).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })
})
