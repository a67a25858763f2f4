import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeEnquiry } from '#src/enquiries/makers.server.ts'
import { listForDesk } from '#src/enquiries/queries.server.ts'
import { makeReply, makeThread } from '#src/forum/makers.server.ts'
import { hidePost, listDecided, listWaiting } from '#src/forum/moderation.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { payoutLines, payouts } from '#src/selling/tables.ts'
import { smsTo } from '#src/accounts/notifications/receivers.server.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { listBearers } from '#src/orders/bearers/bearers.server.ts'
import { makeBearer } from '#src/orders/steps/makers.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { listDeskMessages } from './message-desk.server.ts'
import { listPayouts } from './money/payouts.server.ts'

/** One way to search the tables of the desks: a number, a whole phone number, or words. */
let market: TestMarket
let office: Ctx
let murugan: Viewer & { phone: string }
let selvi: Viewer & { phone: string }

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  office = market.as(await makeUser(market.ctx, { typeId: 9, superAdmin: true, name: 'Office' }))
  murugan = await makeUser(market.ctx, { typeId: 2, name: 'Murugan Raja' })
  selvi = await makeUser(market.ctx, { typeId: 2, name: 'செல்வி' })
})

/** The found ones of two things, by search. */
type Search = (text: string) => Promise<unknown[]>

/** Each of these searches finds `one`; none of `never` finds anything. */
async function expectFound(search: Search, one: unknown, texts: string[], never: string[]): Promise<void> {
  for (const text of texts) expect([text, await search(text)]).toEqual([text, [one]])
  for (const text of never) expect([text, await search(text)]).toEqual([text, []])
  expect(await search('')).toHaveLength(2)
}
const halfAPhone = () => murugan.phone.slice(3, 9)

test('enquiries', async () => {
  const one = await makeEnquiry(market.ctx, {
    posterId: murugan.id,
    description: 'A milk cow, 100% calm',
    isVerified: null,
    contact: '+919123412345',
  })
  await makeEnquiry(market.ctx, { posterId: selvi.id, description: 'ஆடு வேண்டும்', isVerified: null })
  const search = async (text: string) => (await listForDesk(office, { state: 'pending', page: 1, text })).enquiries.map(({ id }) => id)
  await expectFound(
    search,
    one,
    [`ENQ-${String(one).padStart(5, '0')}`, String(one), murugan.phone, '91234 12345', 'raja murugan', 'milk', '100% calm'],
    ['milk ஆடு', '100%calm', `ENQ-${one + 99}`],
  )
  expect((await listForDesk(office, { state: 'pending', page: 1, text: 'milk' })).counts.pending).toBe(1)
})

test('posts of the forum, waiting and decided', async () => {
  const thread = await makeThread(market.ctx, { authorId: murugan.id, content: 'Fever of my cow', state: 'review' })
  const reply = await makeReply(market.ctx, {
    threadId: await makeThread(market.ctx, { authorId: selvi.id, content: 'வணக்கம்' }),
    authorId: selvi.id,
    content: 'மருத்துவர்',
    state: 'review',
  })
  const waiting = async (text: string) => (await listWaiting(office, 1, text)).posts.map(({ kind, id }) => `${kind}-${id}`)
  await expectFound(waiting, `thread-${thread}`, [murugan.phone, 'murugan', 'fever cow'], ['fever செல்வி', halfAPhone()])
  for (const [kind, id] of [
    ['thread', thread],
    ['reply', reply],
  ] as const)
    await hidePost(office, { kind, id }, { reason: `Rude ${kind}` })
  const decided = async (text: string) => (await listDecided(office, 1, text)).decided.map(({ kind, id }) => `${kind}-${id}`)
  await expectFound(decided, `thread-${thread}`, [murugan.phone, 'murugan', 'rude thread'], ['thread செல்வி'])
})

test('payouts, by number, seller or admin', async () => {
  const ids: number[] = []
  for (const { id: sellerId } of [murugan, selvi]) {
    const [payout] = await market.owner.insert(payouts).values({ byId: office.viewer!.id, at: market.ctx.now }).returning()
    const line = { amount: 8_075_000_000n, account: 'xxxx7890', sales: [], state: 'open' as const }
    await market.owner.insert(payoutLines).values({ ...line, payoutId: payout!.id, sellerId })
    ids.push(payout!.id)
  }
  const search = async (text: string) => (await listPayouts(office, 1, text)).listed.map(({ id }) => id)
  await expectFound(search, ids[0], [`PO-${ids[0]}`, String(ids[0]), murugan.phone, 'raja', 'office murugan'], ['raja செல்வி', 'PO-99999'])
  expect((await listPayouts(office, 1, 'office')).count).toBe(2)
})

test('messages, by receiver and template, never by their text', async () => {
  await market.owner.delete(outbox)
  for (const { id, phone } of [murugan, selvi])
    await queueMessage(market.ctx, smsTo({ id, phone, locale: 'en' }, 'vet-approved', {}, `Secret words for ${id}`))
  const search = async (text: string) =>
    (await listDeskMessages(office, { view: 'waiting', way: null, page: 1, text })).map(({ userId }) => userId)
  await expectFound(search, murugan.id, [murugan.phone, String(murugan.id), 'murugan', 'raja vet-approved'], ['secret', halfAPhone()])
  expect((await listDeskMessages(office, { view: 'waiting', way: null, page: 1, text: 'approved' })).map(({ found }) => found)).toEqual([
    2, 2,
  ])
})

test('bearers', async () => {
  const one = await makeBearer(market.ctx, { name: 'Velu Kumar' })
  await makeBearer(market.ctx, { name: 'Anbu' })
  const search = async (text: string) => (await listBearers(office, text)).map(({ id }) => id)
  await expectFound(search, one.id, [one.phone, 'kumar', `#${one.id}`], ['kumar anbu', one.phone.slice(3, 9)])
})
