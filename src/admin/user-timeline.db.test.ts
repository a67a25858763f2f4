import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeReview } from '#src/reviews/makers.server.ts'
import { openTicket } from '#src/content/support/tickets.server.ts'
import { makeEnquiry, makeOffer } from '#src/enquiries/makers.server.ts'
import { makeReply, makeThread } from '#src/forum/makers.server.ts'
import { flags } from '#src/forum/tables.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { makeVerification } from '#src/verification/makers.server.ts'
import { makeVetCheck } from '#src/health/makers.server.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { report } from '#src/reports/reports.server.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { EVENTS_PER_PAGE, readTimeline, timelineGroups, type TimelineGroup } from './user-timeline.server.ts'

let market: TestMarket
let admin: Viewer
let person: Viewer
let other: Viewer
let ctx: Ctx

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  const { ctx: anyone } = market
  admin = await makeUser(anyone, { typeId: 9, name: 'Kumar' })
  ctx = market.as(admin)
  person = await makeUser(anyone, { typeId: 3, name: 'Everything' })
  other = await makeUser(anyone, { typeId: 3, name: 'Muthu' })
  const listing = await makeListing(anyone, { sellerId: person.id, name: 'Timeline cow' })
  await makeVerification(anyone, { listingId: listing, adminId: admin.id, passed: true, comment: 'Good photos' })
  await makeVetCheck(anyone, { listingId: listing, vetId: person.id, approved: true, comments: 'Healthy', checkedOn: '2026-11-01' })
  await makeOrder(anyone, { buyer: person, seller: other })
  await makeOrder(anyone, { buyer: other, seller: person })
  await report(market.as(other), { listingId: listing }, { reason: 'fraud', comment: 'Wants: money first' })
  await report(market.as(person), { sellerId: other.id }, { reason: 'other', comment: 'Rude' })
  const thread = await makeThread(anyone, { authorId: person.id, content: 'How much hay for a calf?' })
  const reply = await makeReply(anyone, { authorId: other.id, threadId: thread })
  await makeReply(anyone, { authorId: person.id, threadId: thread })
  await anyone.db.insert(flags).values([
    { reporterId: other.id, threadId: thread, reason: 'other' },
    { reporterId: person.id, replyId: reply, reason: 'hate' },
  ])
  const enquiry = await makeEnquiry(anyone, { posterId: person.id, description: 'Two heifers' })
  await makeOffer(anyone, enquiry, listing)
  await makeReview(anyone, { sellerId: person.id, reviewerId: other.id, stars: 4, comment: 'Honest' })
  await makeReview(anyone, { sellerId: other.id, reviewerId: person.id, stars: 2 })
  await audit(ctx, 'user_deactivated', `user:${person.id}`)
  await audit(ctx, 'sensitive_read', `user:${person.id}`, { what: 'profile' })
})

const timeline = (group: TimelineGroup | null, viewer = admin, page = 1) => readTimeline(market.as(viewer), person.id, { group, page })
const kinds = async (group: TimelineGroup | null, viewer = admin) =>
  (await timeline(group, viewer)).events.map(({ kind, state }) => (kind === 'audit' ? state : kind)).toSorted()

test('only admins read a timeline', async () => {
  expect(await refusalOf(timeline(null, other))).toBe('ROLE_FORBIDDEN')
})

test('the timeline has all events of a person, each in its group', async () => {
  expect(await kinds('listings')).toEqual(['listed', 'listed', 'verdict', 'vet-check'])
  expect(await kinds('orders')).toEqual(['bought', 'sold'])
  expect(await kinds('reports')).toEqual(['flagged', 'reported', 'was-flagged', 'was-reported'])
  expect(await kinds('talk')).toEqual(['enquiry', 'offer', 'reply', 'reviewed', 'thread', 'was-reviewed'])
  expect(await kinds('account')).toEqual(['registered', 'user_deactivated'])
  const each = (await Promise.all(timelineGroups.map((group) => kinds(group)))).flat()
  expect(await kinds(null)).toEqual(each.toSorted())
})

test('the newest event comes first, with its kind, who did it, and a link', async () => {
  const { events } = await timeline(null)
  const times = events.map(({ at }) => at.getTime())
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  const of = (kind: string) => events.find((event) => event.kind === kind)!
  expect(of('was-reported')).toMatchObject({ title: 'Timeline cow', note: 'fraud:Wants: money first', otherName: 'Muthu' })
  expect(of('verdict')).toMatchObject({ title: 'Timeline cow', note: 'Good photos', state: 'passed', otherName: 'Kumar' })
  expect(of('bought')).toMatchObject({ state: '1', otherName: 'Muthu', path: expect.stringMatching(/^\/orders\?q=SN-/) as string })
  expect(of('was-reviewed')).toMatchObject({ title: 'Honest', state: '4' })
})

test('only super admins see who viewed the person, and only in the history of the account', async () => {
  expect(await kinds('account', { ...admin, superAdmin: true })).toEqual(['registered', 'sensitive_read', 'user_deactivated'])
  expect(await kinds(null, { ...admin, superAdmin: true })).not.toContain('sensitive_read')
})

test('a ticket appears with its answer', async () => {
  const letter = { name: 'Selvi', phone: '+919000012345', email: null, topic: 'order', content: 'Where is it?', key: randomUUID() } as const
  await openTicket(market.as(person), letter, 'browser')
  expect((await timeline('talk')).events.find(({ kind }) => kind === 'ticket')).toMatchObject({ title: 'Where is it?', state: '' })
})

test('the pages together show each event once', async () => {
  for (let n = 0; n < EVENTS_PER_PAGE; n += 1) await audit(ctx, 'user_activated', `user:${person.id}`)
  const first = await timeline('account')
  const second = await timeline('account', admin, 2)
  expect([first.hasMore, second.hasMore]).toEqual([true, false])
  expect(first.events.length + second.events.length).toBe(EVENTS_PER_PAGE + 2)
})
