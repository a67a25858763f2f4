import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { CANCELLED, CONFIRMED, NOT_AVAILABLE, PLACED } from '#src/orders/process.server.ts'
import { orders, orderSteps } from '#src/orders/tables.ts'
import { postForm, shareBuiltSite, textOf, type BuiltSite } from '#tools/test-kit/built-site.ts'
import { often } from '#tools/test-kit/often.ts'
import type { TestMarket } from '#tools/test-kit/test-market.ts'
import { seenMark } from '#src/verification/seen-mark.ts'
import { verifications } from '#src/verification/tables.ts'
import { verifyListing } from '#src/verification/verify-listing.server.ts'

// Two admins decide the same listings and the same orders at once, with the forms of the built site (decision 0126). It ends as if they had sat
// side by side: one verdict for each listing, one step for each state of an order, and messages that say how it ended.

const CASES = often(200, 1000)
const READY = 4
/** Browser tabs of each admin. */
const TABS = 3
const MOST_PAUSE_MS = 12

let market: TestMarket
let site: BuiltSite
let seller: Viewer
let buyer: Viewer
let admins: { viewer: Viewer; name: string; cookies: Record<string, string> }[]
shareBuiltSite((opened) => ({ market, site } = opened))
beforeAll(async () => {
  const { ctx } = market
  seller = await makeUser(ctx, { typeId: 2 })
  buyer = await makeUser(ctx)
  admins = await Promise.all(
    ['Meenakshi', 'Kumaravel'].map(async (name) => {
      const viewer = await makeUser(ctx, { typeId: 9, name })
      return { viewer, name, cookies: { '__Host-sid': await makeSession(ctx, viewer.id) } }
    }),
  )
})

interface Form {
  path: string
  fields: Record<string, string>
}

/** The answer to each admin about each case: null when the decision was taken, and else the text of the page. */
type Answers = (string | null)[][]

/** Both admins decide each case at once, by turns one of them some milliseconds before the other. `formOf`: what an admin decides about a case. */
async function walk<T>(cases: T[], formOf: (one: T, n: number, who: number) => Form, seed: number): Promise<Answers> {
  const answers: Answers = admins.map(() => [])
  const pauses = fc.sample(fc.integer({ min: 0, max: MOST_PAUSE_MS }), { seed, numRuns: cases.length })
  let next = 0
  const tab = async () => {
    for (let n = next++; n < cases.length; n = next++)
      await Promise.all(
        admins.map(async ({ cookies }, who) => {
          // Two cases each, because the decisions alternate, too.
          if (who !== (n >> 1) % admins.length) await sleep(pauses[n]!)
          const { path, fields } = formOf(cases[n]!, n, who)
          const { status, html } = await postForm(site, path, fields, { ...cookies })
          answers[who]![n] = status === 302 ? null : textOf(html)
        }),
      )
  }
  await Promise.all(Array.from({ length: TABS }, tab))
  return answers
}

/** One of both answers to a case is a success. Returns who was first, and expects the other one to read that name. */
function winnerOf(answers: Answers, n: number, what: string): number {
  const [one, two] = answers.map((own) => own[n]!)
  expect(
    [one, two].filter((answer) => answer === null),
    what,
  ).toHaveLength(1)
  const winner = one === null ? 0 : 1
  expect([one, two][1 - winner], what).toMatch(
    new RegExp(`Meanwhile somebody has decided: “.+” \\((Sandhai team · )?${admins[winner]!.name}, \\d+-`),
  )
  return winner
}

/** The templates of all messages, by the order number or the listing's path that their variables name. */
async function templatesBy(name: 'number' | 'link'): Promise<Map<string, string[]>> {
  const rows = await market.ctx.db.select({ template: outbox.template, variables: outbox.variables }).from(outbox)
  const all = Map.groupBy(rows, ({ variables }) => new URL(variables?.[name] ?? '/', 'http://x').pathname)
  return new Map([...all].map(([key, of]) => [key, of.map(({ template }) => template).toSorted()]))
}

test(`two admins give ${CASES} listings a verdict at once: each has one, and the seller one message that agrees`, async () => {
  const ids: number[] = []
  for (let n = 0; n < CASES; n++) ids.push(await makeListing(market.ctx, { sellerId: seller.id, state: 'pending' }))
  const seen = seenMark({ version: 1, lastVerdictId: null })
  const { html } = await site.open(`/en/admin/verification?id=${ids[0]}`, { session: admins[0]!.cookies['__Host-sid']! })
  expect(html).toContain(`name="seen" value="${seen}"`)
  const isPass = (n: number, who: number) => (n + who) % 2 === 0
  const answers = await walk(
    ids,
    (id, n, who) => ({
      path: `/en/admin/verification?id=${id}`,
      fields: { listing: String(id), seen, passed: isPass(n, who) ? 'yes' : 'no', comment: `Case ${n}` },
    }),
    1,
  )
  const verdicts = Map.groupBy(await market.ctx.db.select().from(verifications), ({ listingId }) => listingId)
  const rows = new Map((await market.ctx.db.select().from(listings)).map((row) => [row.id, row]))
  const messages = await templatesBy('link')
  const wins = [0, 0]
  ids.forEach((id, n) => {
    const winner = winnerOf(answers, n, `listing ${id}`)
    wins[winner]! += 1
    const passed = isPass(n, winner)
    const own = verdicts.get(id)!.map(({ adminId, passed }) => ({ adminId, passed }))
    expect(own).toEqual([{ adminId: admins[winner]!.viewer.id, passed }])
    expect(rows.get(id)!.state).toBe(passed ? 'passed' : 'failed')
    const sent = [...messages].flatMap(([path, templates]) => (path.endsWith(`/product/${id}`) ? templates : []))
    expect(sent).toEqual([passed ? 'listing-passed' : 'listing-failed'])
  })
  // Timings in which one admin is always first would prove nothing.
  expect(Math.min(...wins)).toBeGreaterThan(CASES / 20)
})

const templates: Record<number, string> = {
  [CONFIRMED]: 'order-confirmed',
  [READY]: 'order-ready',
  [CANCELLED]: 'order-cancelled',
  [NOT_AVAILABLE]: 'order-unavailable',
}

test(`two admins step ${CASES} orders at once: one step from each state, and buyer and seller hear of each once`, async () => {
  const listingId = await makeListing(market.ctx, { sellerId: seller.id, stock: CASES + 10 })
  const addressId = await makeAddress(market.ctx, buyer.id)
  const people = { seller, buyer, admin: admins[0]!.viewer, addressId, listingId }
  const ids: number[] = []
  for (let n = 0; n < CASES; n++) ids.push((await makeOrder(market.ctx, { ...people, status: PLACED })).id)
  const before = await templatesBy('number')
  const steps = async () => Map.groupBy(await market.ctx.db.select().from(orderSteps).orderBy(orderSteps.id), ({ orderId }) => orderId)
  const start = await steps()
  const round = async (cases: number[], from: number, [end, on]: [number, number], seed: number) => {
    const toOf = (n: number, who: number) => ((n + who) % 3 === 0 ? end : on)
    const form = (id: number, n: number, who: number) => {
      const to = toOf(n, who)
      const act = to === end ? 'end' : 'step'
      return { path: '/en/orders', fields: { act, id: String(id), from: String(from), to: String(to), note: 'No longer wanted' } }
    }
    const answers = await walk(cases, form, seed)
    return cases.map((id, n) => ({ id, from, to: toOf(n, winnerOf(answers, n, `order ${id} from ${from}`)) }))
  }
  const first = await round(ids, PLACED, [NOT_AVAILABLE, CONFIRMED], 10)
  const confirmed = first.filter(({ to }) => to === CONFIRMED).map(({ id }) => id)
  const second = await round(confirmed, CONFIRMED, [CANCELLED, READY], 20)
  const rows = new Map((await market.ctx.db.select().from(orders)).map((row) => [row.id, row]))
  const messages = await templatesBy('number')
  const all = await steps()
  for (const id of ids) {
    const mine = [...first, ...second].filter((each) => each.id === id)
    const taken = all.get(id)!.slice(start.get(id)?.length ?? 0)
    expect(taken.map(({ fromStatus, toStatus }) => [fromStatus, toStatus])).toEqual(mine.map(({ from, to }) => [from, to]))
    const { status, orderNo } = rows.get(id)!
    expect(status).toBe(mine.at(-1)!.to)
    const sent = (messages.get(`/${orderNo}`) ?? []).slice()
    for (const each of before.get(`/${orderNo}`) ?? []) sent.splice(sent.indexOf(each), 1)
    expect(sent).toEqual(mine.flatMap(({ to }) => ['buyer', 'seller'].map((side) => `${templates[to]}-${side}`)).toSorted())
  }
  expect(confirmed.length).toBeGreaterThan(CASES / 4)
  // Each order that ended gave its animal back.
  const ended = ids.filter((id) => rows.get(id)!.status >= CANCELLED)
  const [listing] = await market.ctx.db.select().from(listings).where(eq(listings.id, listingId))
  expect(listing!.stock).toBe(CASES + 10 - (CASES - ended.length))
})

test('control: without the state that they saw both verdicts are taken, and the seller hears both', async () => {
  const id = await makeListing(market.ctx, { sellerId: seller.id, state: 'pending' })
  await Promise.all(admins.map(({ viewer }, who) => verifyListing(market.as(viewer), id, { passed: who === 0, comment: 'Looked at it' })))
  expect(await market.ctx.db.$count(verifications, eq(verifications.listingId, id))).toBe(2)
  const sent = [...(await templatesBy('link'))].flatMap(([path, of]) => (path.endsWith(`/product/${id}`) ? of : []))
  expect(sent).toEqual(['listing-failed', 'listing-passed'])
})
