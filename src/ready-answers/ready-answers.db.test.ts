import { desc, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { auditEvents } from '#src/kit/db/tables.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { saveAnswers, seenOf } from './commands.server.ts'
import { MOST_ANSWERS } from './limits.ts'
import { answersFor, listAnswers } from './queries.server.ts'
import { answersInput } from './schemas.ts'
import { ANSWER_DESKS, type AnswerDesk } from './tables.ts'

let market: TestMarket
let admin: Ctx

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admin = market.as(await makeUser(market.ctx, { typeId: 9 }))
})

const called = { ta: 'அழைத்தோம்.', en: 'We called.' }
const later = { ta: 'பிறகு வாருங்கள்.', en: 'Come later.' }
const seen = async (desk: AnswerDesk) => seenOf(await listAnswers(admin, desk))

test('a new market has answers at each desk, in both languages', async () => {
  for (const desk of ANSWER_DESKS) {
    const answers = await listAnswers(admin, desk)
    expect(answers.length, desk).toBeGreaterThan(2)
    expect(answers.filter(({ ta, en }) => !/[\u0B80-\u0BFF]/.test(ta) || /[\u0B80-\u0BFF]/.test(en))).toEqual([])
  }
})

test('an admin reads the answers in their own language, and the receiver gets theirs', async () => {
  await saveAnswers(admin, 'tickets', [called, later], await seen('tickets'))
  expect(await answersFor({ ...admin, locale: 'en' }, 'tickets', 'ta')).toEqual([
    { label: called.en, text: called.ta },
    { label: later.en, text: later.ta },
  ])
})

test("an admin's save replaces the answers of that desk only, and is audited", async () => {
  const ofForum = await listAnswers(admin, 'forum')
  await saveAnswers(admin, 'reports', [later], await seen('reports'))
  expect(await listAnswers(admin, 'reports')).toMatchObject([later])
  expect(await listAnswers(admin, 'forum')).toEqual(ofForum)
  const events = await market.ctx.db
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.object, 'answers:reports'))
    .orderBy(desc(auditEvents.id))
  expect(events).toMatchObject([{ event: 'answers_changed', actorId: admin.viewer!.id, details: { before: 3, after: 1 } }])
  // Saving the same answers again changes nothing.
  await saveAnswers(admin, 'reports', [later], await seen('reports'))
  expect(await market.ctx.db.select().from(auditEvents).where(eq(auditEvents.object, 'answers:reports'))).toHaveLength(1)
})

test('when two admins change the same answers, the second gets VERSION', async () => {
  const before = await seen('forum')
  const ends = await Promise.all([called, later].map((answer) => refusalOf(saveAnswers(admin, 'forum', [answer], before))))
  expect(ends.toSorted()).toEqual(['VERSION', 'taken'])
  expect(await listAnswers(admin, 'forum')).toHaveLength(1)
  // Also when the first one has removed all of them.
  const now = await seen('forum')
  await saveAnswers(admin, 'forum', [], now)
  expect(await refusalOf(saveAnswers(admin, 'forum', [called], now))).toBe('VERSION')
})

test('answers are for admins', async () => {
  const seller = market.as(await makeUser(market.ctx, { typeId: 2 }))
  expect(await refusalOf(saveAnswers(seller, 'tickets', [], 0))).toBe('ROLE_FORBIDDEN')
  expect(await refusalOf(listAnswers(seller, 'tickets'))).toBe('ROLE_FORBIDDEN')
})

test('an answer needs both languages; two empty boxes are no answer', () => {
  const empty = { ta: ' ', en: '' }
  expect(answersInput.parse([called, empty, later])).toEqual([called, later])
  const half = answersInput.safeParse([called, { ta: '', en: 'We called.' }])
  expect(half.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([['1.ta', 'field_blank']])
  expect(answersInput.safeParse(Array(MOST_ANSWERS + 1).fill(called)).success).toBe(false)
  expect(answersInput.safeParse([{ ta: 'அ'.repeat(301), en: 'A' }]).success).toBe(false)
})
