import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Problem } from '#src/kit/base/problem.ts'
import type { Viewer } from '#src/kit/context.ts'
import { auditEvents, outbox } from '#src/kit/db/tables.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import { MESSAGE_DELAY_SECONDS } from '#src/kit/undo-seconds.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { closeEnquiry, judgeEnquiry, undoRefusal } from './commands.server.ts'
import { action } from './desk-page.tsx'
import { makeEnquiry } from './makers.server.ts'
import { readVerdicts } from './queries.server.ts'
import { seenEnquiry } from './rules.ts'
import { enquiries } from './tables.ts'

let market: TestMarket
let admin: Viewer
let other: Viewer
let poster: Awaited<ReturnType<typeof makeUser>>
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admin = await makeUser(market.ctx, { typeId: 9, name: 'Meena' })
  other = await makeUser(market.ctx, { typeId: 9, name: 'Kumar' })
  poster = await makeUser(market.ctx, { name: 'Selvi' })
})

const waiting = () => makeEnquiry(market.ctx, { posterId: poster.id, isVerified: null, verifiedById: null, verifiedAt: null })
const rowOf = async (id: number) => (await market.ctx.db.select().from(enquiries).where(eq(enquiries.id, id)))[0]!
const stateOf = async (id: number) => ({
  row: await rowOf(id),
  verdicts: (await readVerdicts(market.as(admin), id)).verdicts,
  messages: await market.ctx.db.$count(outbox, eq(outbox.recipient, poster.phone)),
})
const send = async (id: number, fields: Record<string, string>) =>
  sendForm(market.ctx, action as never, {
    viewer: admin,
    params: {},
    fields: { enquiry: String(id), seen: seenEnquiry(await rowOf(id)), ...fields },
  }).catch((redirected: unknown) => (redirected as Response).headers.get('Location'))
const detailOf = async (act: Promise<unknown>) => problemDetail((await act.catch((error: unknown) => error)) as Problem, 'en')
const later = (seconds: number) => new Date(Date.now() + seconds * 1000)

test.each([null, true])(
  'a refusal that is undone restores the enquiry whose verdict was %s, and its poster gets no message',
  async (passed) => {
    const id = await waiting()
    if (passed) await judgeEnquiry(market.as(other), id, { passed, comment: 'Called them' })
    const before = await stateOf(id)
    expect(await send(id, { act: 'refuse', comment: ' ' })).toBe('VALIDATION')
    expect(await send(id, { act: 'refuse', comment: 'A trader' })).toMatch(new RegExp(`done=refused&of=${id}$`))
    expect(await stateOf(id)).toMatchObject({ row: { isVerified: false, verificationComment: 'A trader' }, messages: before.messages + 1 })
    const [message] = await market.ctx.db.select().from(outbox).where(eq(outbox.template, 'enquiry-refused'))
    expect(message!.dueAt.getTime()).toBeGreaterThan(later(MESSAGE_DELAY_SECONDS - 5).getTime())
    for (const _twice of [1, 2]) expect(await send(id, { act: 'undo' })).toMatch(new RegExp(`done=undone&of=${id}$`))
    expect(await stateOf(id)).toEqual(before)
    const trail = market.ctx.db.select().from(auditEvents)
    expect(
      (await trail.where(eq(auditEvents.object, `enquiry:${id}`)).orderBy(auditEvents.id))
        .slice(-2)
        .map(({ event, actorId }) => [event, actorId]),
    ).toEqual([
      ['enquiry_refused', admin.id],
      ['enquiry_refusal_undone', admin.id],
    ])
    expect(await send(id, { act: 'refuse', comment: 'A trader' })).toMatch(/done=refused/)
  },
)

test('an undo is refused when it is late, the message was sent, another admin acts, or somebody judged or closed it since', async () => {
  const id = await waiting()
  const undo = (as = admin, now = new Date()) => undoRefusal(market.as(as, { now }), id)
  expect(await refusalOf(undo())).toBe('ENQUIRY_STEP')
  await send(id, { act: 'refuse', comment: 'A trader' })
  const refused = await stateOf(id)
  expect(await detailOf(undo(admin, later(MESSAGE_DELAY_SECONDS + 1)))).toContain('It is too late')
  expect(await detailOf(undo(other))).toMatch(/“Not Verified” \(Meena, \d+-/)
  expect(await refusalOf(undo(poster))).toBe('ROLE_FORBIDDEN')
  await market.ctx.db.update(outbox).set({ attempts: 1 }).where(eq(outbox.recipient, poster.phone))
  expect(await detailOf(undo())).toContain('It is too late')
  expect(await stateOf(id)).toEqual(refused)
  await judgeEnquiry(market.as(other), id, { passed: true, comment: 'Called them' })
  expect(await detailOf(undo())).toMatch(/“Verified” \(Kumar, \d+-/)
  await send(id, { act: 'refuse', comment: 'A trader' })
  await closeEnquiry(market.as(poster), id)
  expect(await detailOf(undo())).toMatch(/“Closed” \(Selvi, \d+-/)
})

test('the message of a refusal through the API goes out at once, and the refusal cannot be undone', async () => {
  const id = await waiting()
  await judgeEnquiry(market.as(admin), id, { passed: false, comment: 'A trader' })
  expect(await refusalOf(undoRefusal(market.as(admin), id))).toBe('ENQUIRY_STEP')
})
