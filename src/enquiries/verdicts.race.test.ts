import { and, desc, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import type { Problem } from '#src/kit/base/problem.ts'
import { often } from '#tools/test-kit/often.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { undoably } from '#src/accounts/undo.server.ts'
import { auditEvents, outbox } from '#src/kit/db/tables.ts'
import { closeEnquiry, judgeEnquiry, undoRefusal } from './commands.server.ts'
import { makeEnquiry } from './makers.server.ts'
import { seenEnquiry } from './rules.ts'
import { enquiries, enquiryVerdicts } from './tables.ts'

const ROUNDS = often(20, 100)

let market: TestMarket
let admins: [Viewer, Viewer]
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admins = [await makeUser(market.ctx, { typeId: 9, name: 'Meena' }), await makeUser(market.ctx, { typeId: 9, name: 'Kumar' })]
})

const waiting = () => makeEnquiry(market.ctx, { isVerified: null, verifiedById: null, verifiedAt: null })
const rowOf = async (id: number) => (await market.ctx.db.select().from(enquiries).where(eq(enquiries.id, id)))[0]!
const sentenceOf = async (decision: Promise<unknown>) =>
  problemDetail((await decision.then(() => null).catch((error: Problem) => error)) as unknown as Problem, 'en')

type Decide = (ctx: Ctx, id: number, seen: string | undefined) => Promise<void>
const approve: Decide = (ctx, id, seen) => judgeEnquiry(ctx, id, { passed: true, comment: 'Called them', seen })
const refuse: Decide = (ctx, id, seen) => judgeEnquiry(ctx, id, { passed: false, comment: 'Sells, does not look', seen })

/** Two admins have the same waiting enquiry open, and each decides otherwise. */
async function decideAtOnce(decisions: [Decide, Decide], withSeen: boolean) {
  const id = await waiting()
  const seen = withSeen ? seenEnquiry(await rowOf(id)) : undefined
  const ends = await Promise.all(decisions.map((decide, who) => refusalOf(decide(market.as(admins[who]!), id, seen))))
  return { ends, row: await rowOf(id), verdicts: await market.ctx.db.$count(enquiryVerdicts, eq(enquiryVerdicts.enquiryId, id)) }
}

test('of an approval and a refusal on the same page the first counts', async () => {
  for (let n = 0; n < ROUNDS; n++) {
    const { ends, row, verdicts } = await decideAtOnce([approve, refuse], true)
    expect([ends.toSorted(), verdicts]).toEqual([['VERSION', 'taken'], 1])
    expect(row.isVerified).toBe(ends[0] === 'taken')
  }
})

test('control: without the state that was seen, the second verdict replaces the first', async () => {
  expect(await decideAtOnce([approve, refuse], false)).toMatchObject({ ends: ['taken', 'taken'], verdicts: 2 })
})

test('an enquiry that is approved is not closed from a page that showed it waiting', async () => {
  for (let n = 0; n < ROUNDS; n++) {
    const { ends, row } = await decideAtOnce([approve, closeEnquiry], true)
    expect(ends.toSorted()).toEqual(['VERSION', 'taken'])
    expect([row.isVerified, row.closedAt !== null]).toEqual(ends[0] === 'taken' ? [true, false] : [null, true])
  }
})

test('a refusal says what, who and when; the own decision sent twice succeeds; the poster closes without a state', async () => {
  const [meena, kumar] = [market.as(admins[0]), market.as(admins[1])]
  const id = await waiting()
  const seen = seenEnquiry(await rowOf(id))
  for (const _twice of [1, 2]) await approve(meena, id, seen)
  expect(await sentenceOf(refuse(kumar, id, seen))).toMatch(/“Verified” \(Meena, \d+-\w+-\d{4}, \d\d:\d\d\)/)
  expect(await sentenceOf(refuse(meena, id, seen))).toMatch(/“Verified” \(Meena, /)
  const open = seenEnquiry(await rowOf(id))
  for (const _twice of [1, 2]) await closeEnquiry(kumar, id, open)
  expect(await sentenceOf(closeEnquiry(meena, id, open))).toMatch(/“Closed” \(Kumar, /)
  const own = await waiting()
  const { posterId } = await rowOf(own)
  await approve(meena, own, seenEnquiry(await rowOf(own)))
  await closeEnquiry(market.as({ ...(await makeUser(market.ctx)), id: posterId }), own, 'an older page')
  expect((await rowOf(own)).closedAt).not.toBeNull()
})

/** An admin undoes a refusal while another one approves the enquiry. Returns how both ended. */
async function undoWhileApproving(undo: (ctx: Ctx, id: number, approve: () => Promise<string>) => Promise<string[]>) {
  const id = await waiting()
  await undoably(market.as(admins[0]), (ctx) => refuse(ctx, id, undefined))
  const seen = seenEnquiry(await rowOf(id))
  const ends = await undo(market.as(admins[0]), id, () => refusalOf(approve(market.as(admins[1]), id, seen)))
  const { isVerified } = await rowOf(id)
  return { ends, isVerified, messages: await market.ctx.db.$count(outbox, eq(outbox.template, 'enquiry-refused')) }
}

test('of an undone refusal and another admin’s approval at once one counts', async () => {
  for (let n = 0; n < ROUNDS; n++) {
    await market.ctx.db.delete(outbox)
    const end = await undoWhileApproving((ctx, id, approve) => Promise.all([refusalOf(undoRefusal(ctx, id)), approve()]))
    expect(end).toEqual(
      end.ends[0] === 'taken'
        ? { ends: ['taken', 'VERSION'], isVerified: null, messages: 0 }
        : { ends: ['VERSION', 'taken'], isVerified: true, messages: 1 },
    )
  }
})

test('control: an undo that reads the last event without a lock takes an approval back', async () => {
  const end = await undoWhileApproving(async ({ db, viewer }, id, approve) => {
    const about = and(eq(auditEvents.object, `enquiry:${id}`), eq(auditEvents.event, 'enquiry_refused'))
    const [last] = await db.select().from(auditEvents).where(about).orderBy(desc(auditEvents.id)).limit(1)
    const approved = await approve()
    if (last?.actorId !== viewer?.id) throw new Error('decided since')
    await db
      .update(enquiries)
      .set({ isVerified: null, verifiedById: null, verifiedAt: null, verificationComment: null })
      .where(eq(enquiries.id, id))
    return ['taken', approved]
  })
  expect(end).toMatchObject({ ends: ['taken', 'taken'], isVerified: null })
})
