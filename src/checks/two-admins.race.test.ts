import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { tickets } from '#src/content/tables.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { CANCELLED, CONFIRMED, NOT_AVAILABLE, PLACED } from '#src/orders/process.server.ts'
import { orders, orderSteps } from '#src/orders/tables.ts'
import { postForm, shareBuiltSite, textOf, type BuiltSite } from '#tools/test-kit/built-site.ts'
import { often } from '#tools/test-kit/often.ts'
import { meetingOf } from '#tools/test-kit/signal.ts'
import type { TestMarket } from '#tools/test-kit/test-market.ts'
import { makeSecondLook } from '#src/verification/makers.server.ts'
import { seenMark } from '#src/verification/seen-mark.ts'
import { secondLooks, verifications } from '#src/verification/tables.ts'
import { verifyListing } from '#src/verification/verify-listing.server.ts'

// Two admins decide the same listings, orders, tickets and second looks at once, with the forms of the built site (decision 0126). It ends as if they had sat
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
          expect([302, 409]).toContain(status)
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

/** The cases that end after one decision, with less to compare. */
const SINGLES = CASES / 4

async function openTickets(count: number): Promise<number[]> {
  const letter = { name: 'Selvi', phone: '+919876543210', topic: 'other' as const, content: 'Call me', locale: 'en' as const }
  const rows = Array.from({ length: count }, () => ({ ...letter, userId: buyer.id }))
  return (await market.ctx.db.insert(tickets).values(rows).returning()).map(({ id }) => id)
}

const ticketOf = async (id: number) => (await market.ctx.db.select().from(tickets).where(eq(tickets.id, id)))[0]!
const answersSent = () => market.ctx.db.$count(outbox, eq(outbox.template, 'ticket-closed'))

test(`two admins answer ${SINGLES} tickets at once: each has one answer, which its author gets, and the other admin keeps their text`, async () => {
  const ids = await openTickets(SINGLES)
  const before = await answersSent()
  const noteOf = (n: number, who: number) => `Answer ${n} of ${admins[who]!.name}`
  const form = (id: number, n: number, who: number) => ({
    path: `/en/admin/tickets?ticket=${id}`,
    fields: { id: String(id), note: noteOf(n, who) },
  })
  const answers = await walk(ids, form, 30)
  for (const [n, id] of ids.entries()) {
    const winner = winnerOf(answers, n, `ticket ${id}`)
    expect(answers[1 - winner]![n]).toContain(`You wrote: ${noteOf(n, 1 - winner)}`)
    expect(await ticketOf(id)).toMatchObject({ note: noteOf(n, winner), closedById: admins[winner]!.viewer.id })
  }
  expect((await answersSent()) - before).toBe(SINGLES)
})

test('control: reading and then writing gives a ticket two answers', async () => {
  const [id = 0] = await openTickets(1)
  const meet = meetingOf(2)
  const close = async ({ viewer, name }: (typeof admins)[number]) => {
    if ((await ticketOf(id)).closedAt) return 'late'
    await meet()
    const answer = { closedAt: new Date(), closedById: viewer.id, note: name }
    await market.ctx.db.update(tickets).set(answer).where(eq(tickets.id, id))
    return 'taken'
  }
  expect(await Promise.all(admins.map(close))).toEqual(['taken', 'taken'])
})

test(`two admins decide ${SINGLES} second looks at once: each ends as the first said, and the other admin keeps their text`, async () => {
  const ids: number[] = []
  for (let n = 0; n < SINGLES; n++) {
    const id = await makeListing(market.ctx, { sellerId: seller.id, name: 'Passed' })
    await makeSecondLook(market.ctx, id, { name: 'Changed' })
    ids.push(id)
  }
  const acts = ['pass', 'revert', 'fail'] as const
  const actOf = (n: number, who: number) => acts[(n + who) % acts.length]!
  const form = (id: number, n: number, who: number) => ({
    path: `/en/admin/second-looks?look=${id}`,
    fields: { listing: String(id), version: '2', act: actOf(n, who), comment: `Why ${n}, ${admins[who]!.name}.` },
  })
  const answers = await walk(ids, form, 40)
  const left = await market.ctx.db.select().from(secondLooks)
  const rows = new Map((await market.ctx.db.select().from(listings)).map((row) => [row.id, row]))
  ids.forEach((id, n) => {
    const winner = winnerOf(answers, n, `second look ${id}`)
    expect(answers[1 - winner]![n]).toContain(`You wrote: Why ${n}, ${admins[1 - winner]!.name}.`)
    const act = actOf(n, winner)
    const { name, state } = rows.get(id)!
    expect([name, state]).toEqual([act === 'revert' ? 'Passed' : 'Changed', act === 'fail' ? 'failed' : 'passed'])
    expect(left.some(({ listingId }) => listingId === id)).toBe(false)
  })
})
