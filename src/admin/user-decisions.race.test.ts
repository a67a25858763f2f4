import { beforeAll, expect, test } from 'vitest'
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { auditEvents } from '#src/kit/db/tables.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { testVault } from '#tools/test-kit/test-ctx.ts'
import { untilLockWait } from '#tools/test-kit/lock-wait.ts'
import { often } from '#tools/test-kit/often.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { makeUser } from '#src/accounts/makers.server.ts'
import { seenUser } from '#src/accounts/people/seen-user.server.ts'
import { users } from '#src/accounts/tables.ts'
import { approveVet, decideTypeRequest, setActive, setBadge, setPowers, undoDecision } from '#src/accounts/people/users.server.ts'
import { action } from './user-page.tsx'

const PASSWORD = 'a quiet evening'
const PEOPLE = often(20, 100)

let market: TestMarket
let admins: [Viewer, Viewer]
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  const powers = { typeId: 9, superAdmin: true, passwordHash: await hashPassword(testVault, PASSWORD) }
  admins = [await makeUser(market.ctx, { ...powers, name: 'Meena' }), await makeUser(market.ctx, { ...powers, name: 'Kumar' })]
})

const rowOf = async (id: number) => (await market.ctx.db.select().from(users).where(eq(users.id, id)))[0]!
const decisionsAbout = (id: number) =>
  market.ctx.db.$count(
    auditEvents,
    and(
      eq(auditEvents.object, `user:${id}`),
      inArray(auditEvents.event, ['seller_badge_given', 'seller_badge_withdrawn', 'vet_approval_changed', 'user_type_decided']),
    ),
  )

type Decide = (ctx: Ctx, id: number, seen: string, who: number) => Promise<void>
const badge =
  (withSeen: boolean): Decide =>
  (ctx, id, seen, who) =>
    setBadge(ctx, id, { isVerified: true, note: `PAN checked by ${who}`, password: PASSWORD, seen: withSeen ? seen : undefined })

/** Two admins opened the same seller's page, and each gives the badge with a note of their own. */
async function decideAtOnce(decide: Decide) {
  const ends: { taken: number; events: number }[] = []
  for (let n = 0; n < PEOPLE; n++) {
    const { id } = await makeUser(market.ctx, { typeId: 2 })
    const seen = await seenUser(market.ctx, id)
    const outcomes = await Promise.all(admins.map((admin, who) => refusalOf(decide(market.as(admin), id, seen, who))))
    ends.push({ taken: outcomes.filter((each) => each === 'taken').length, events: await decisionsAbout(id) })
  }
  return ends
}

test('of two badges given on the same page the first counts', async () => {
  for (const end of await decideAtOnce(badge(true))) expect(end).toEqual({ taken: 1, events: 1 })
})

test('control: without the state that was seen both are given, and the second note replaces the first', async () => {
  for (const end of await decideAtOnce(badge(false))) expect(end).toEqual({ taken: 2, events: 2 })
})

test('a request that one admin refuses and the other approves at once ends as one decision', async () => {
  for (let n = 0; n < PEOPLE; n++) {
    const { id } = await makeUser(market.ctx)
    await market.ctx.db.update(users).set({ requestedTypeId: 5, requestedTypeAt: market.ctx.now }).where(eq(users.id, id))
    const seen = await seenUser(market.ctx, id)
    const outcomes = await Promise.all(admins.map((admin, who) => refusalOf(decideTypeRequest(market.as(admin), id, who === 0, seen))))
    expect(outcomes.toSorted()).toEqual(['VERSION', 'taken'])
    expect((await rowOf(id)).typeId).toBe(outcomes[0] === 'taken' ? 5 : 1)
  }
})

test('an older page of the same admin cannot seem to refuse what they have approved', async () => {
  const { id } = await makeUser(market.ctx)
  await market.ctx.db.update(users).set({ requestedTypeId: 5, requestedTypeAt: market.ctx.now }).where(eq(users.id, id))
  const seen = await seenUser(market.ctx, id)
  for (const _twice of [1, 2]) await decideTypeRequest(market.as(admins[0]), id, true, seen)
  const refused = await decideTypeRequest(market.as(admins[0]), id, false, seen).catch((error: Problem) => error)
  expect(problemDetail(refused as Problem, 'en')).toContain('“Type request decided” (Meena')
})

/** Returns how the undo and the other decision ended. */
type Undo = (ctx: Ctx, id: number, decide: () => Promise<string>) => Promise<string[]>

/** An admin undoes a deactivation while another one changes the person's role. Returns whether both are taken. */
async function undoWhileDeciding(undo: Undo): Promise<boolean> {
  const { id } = await makeUser(market.ctx, { typeId: 2 })
  await setActive(market.as(admins[0]), id, { isActive: false, password: PASSWORD })
  const seen = await seenUser(market.ctx, id)
  const role = { typeId: 3, internalType: 1, password: PASSWORD, seen } as const
  const ends = await undo(market.as(admins[0]), id, () => refusalOf(setPowers(market.as(admins[1]), id, role)))
  const { isActive, typeId } = await rowOf(id)
  expect([isActive, typeId === 3]).toEqual(ends.map((end) => end === 'taken'))
  return ends.every((end) => end === 'taken')
}

test('of an undone deactivation and another admin’s decision at once one is taken', async () => {
  const undoLater = async (ctx: Ctx, id: number) => {
    // The other admin's password takes about this long to check.
    await ctx.db.execute(sql`select pg_sleep(random() * 0.3)`)
    await undoDecision(ctx, id)
  }
  const atOnce: Undo = (ctx, id, decide) => Promise.all([refusalOf(undoLater(ctx, id)), decide()])
  for (let n = 0; n < PEOPLE; n++) expect(await undoWhileDeciding(atOnce)).toBe(false)
  // The other admin decides between the undo and its commit.
  const held: Undo = async (ctx, id, decide) => {
    const [decided] = await inTransaction(ctx, async (ctx) => {
      await undoDecision(ctx, id)
      const deciding = decide()
      await untilLockWait(market.owner, deciding)
      return [deciding]
    })
    return ['taken', await decided!]
  }
  expect(await undoWhileDeciding(held)).toBe(false)
})

test('control: an undo that reads the last decision without a lock overwrites the other one', async () => {
  const unlocked: Undo = async ({ db, viewer }, id, decide) => {
    const events = db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.object, `user:${id}`))
    const [last] = await events.orderBy(desc(auditEvents.id)).limit(1)
    const decided = await decide()
    if (last?.event !== 'user_deactivated' || last.actorId !== viewer?.id) throw new Problem('VERSION')
    await db.update(users).set({ isActive: true }).where(eq(users.id, id))
    return ['taken', decided]
  }
  expect(await undoWhileDeciding(unlocked)).toBe(true)
})

const stale: [string, { typeId: number }, (ctx: Ctx, id: number, seen: string) => Promise<void>, RegExp][] = [
  [
    'a vet',
    { typeId: 5 },
    (ctx, id, seen) => approveVet(ctx, id, { registration: 'TNVC 7', password: PASSWORD, seen }),
    /Vet approval changed/,
  ],
  ['a badge', { typeId: 2 }, (ctx, id, seen) => badge(true)(ctx, id, seen, 1), /Verified Seller badge given/],
  ['an account', { typeId: 2 }, (ctx, id, seen) => setActive(ctx, id, { isActive: false, password: PASSWORD, seen }), /Deactivated/],
  [
    'a role',
    { typeId: 2 },
    (ctx, id, seen) => setPowers(ctx, id, { typeId: 3, internalType: 1, password: PASSWORD, seen }),
    /Type or powers/,
  ],
]
test.each(stale)('of %s: the refusal says what, who and when; the own decision sent twice succeeds', async (_, facts, decide, what) => {
  const { id } = await makeUser(market.ctx, { ...facts, passwordHash: 'x' })
  const seen = await seenUser(market.ctx, id)
  for (const _twice of [1, 2]) await decide(market.as(admins[0]), id, seen)
  const refused = await decide(market.as(admins[1]), id, seen).catch((error: Problem) => error)
  const text = problemDetail(refused as Problem, 'en')
  expect(text).toMatch(what)
  expect(text).toMatch(/\(Meena, \d+-\w+-\d{4}, \d\d:\d\d\)/)
  expect(await refusalOf(decide(market.as(admins[1]), id, await seenUser(market.ctx, id)))).toBe('taken')
})

test('a name changed meanwhile is a new state, and the page says so', async () => {
  const { id } = await makeUser(market.ctx, { typeId: 2 })
  const seen = await seenUser(market.ctx, id)
  await market.ctx.db.update(users).set({ name: 'Somebody else' }).where(eq(users.id, id))
  const fields = { act: 'badge', note: 'PAN checked', password: PASSWORD }
  const send = (mark: string) =>
    sendForm(market.ctx, action as never, { viewer: admins[0], params: { userId: String(id) }, fields: { ...fields, seen: mark } }).catch(
      (redirected: unknown) => (redirected instanceof Response ? 'taken' : String(redirected)),
    )
  expect(await send(seen)).toBe('VERSION')
  expect((await rowOf(id)).isVerified).toBe(false)
  expect(await send(await seenUser(market.ctx, id))).toBe('taken')
})
