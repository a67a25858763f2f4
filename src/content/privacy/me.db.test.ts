import { inArray, or, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { saveListing } from '#src/alerts/saved.server.ts'
import { makeReply, makeThread } from '#src/forum/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { MESSAGE_DELAY_SECONDS } from '#src/kit/undo-seconds.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { countOwn, listNotifications, messageLanguage, NOTIFICATIONS_PER_PAGE } from './me.server.ts'

let market: TestMarket
let selvi: Viewer & { phone: string }
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  selvi = await makeUser(market.ctx, { typeId: 3 })
})

const notify = (to: { id: number; phone: string } | null, body: string, isSecret = false) =>
  queueMessage(market.ctx, {
    channel: 'sms',
    to: to?.phone ?? selvi.phone,
    ...(to && { userId: to.id }),
    template: 'x',
    locale: 'en',
    body,
    isSecret,
  })

describe('the list of own messages', () => {
  test('holds only the person’s messages, newest first, in pages, without secrets', async () => {
    const other = await makeUser(market.ctx)
    await notify(other, 'Of another')
    await notify(null, 'To my number, before it was mine')
    await notify(selvi, 'Your code is 123456', true)
    for (let n = 1; n <= NOTIFICATIONS_PER_PAGE + 2; n++) await notify(selvi, `Message ${n}`)
    const first = await listNotifications(market.ctx, selvi, null)
    expect(first.told.map(({ text }) => text)).toEqual(
      Array.from({ length: NOTIFICATIONS_PER_PAGE }, (_, n) => `Message ${NOTIFICATIONS_PER_PAGE + 2 - n}`),
    )
    const second = await listNotifications(market.ctx, selvi, first.next)
    expect(second.told.map(({ text }) => text)).toEqual(['Message 2', 'Message 1'])
    expect(second.next).toBeNull()
  })

  test('leaves out a message while its act can be undone, and shows one that waits only for a push', async () => {
    const reader = await makeUser(market.ctx)
    const day = { ...market.ctx, now: new Date('2026-03-02T12:00:00+05:30') }
    const held = { ...day, held: { seconds: MESSAGE_DELAY_SECONDS, ids: [] } }
    const sms = { channel: 'sms' as const, to: reader.phone, userId: reader.id, template: 'x', locale: 'en' as const }
    await queueMessage(day, { ...sms, body: 'Sent at once' })
    await queueMessage(day, { ...sms, body: 'Pushed at once', devices: [1] })
    const ids = [
      await queueMessage(held, { ...sms, body: 'Held' }),
      await queueMessage(held, { ...sms, body: 'Held, then pushed', devices: [1] }),
    ]
    const shown = async () => (await listNotifications(market.ctx, reader, null)).told.map(({ text }) => text)
    expect(await shown()).toEqual(['Pushed at once', 'Sent at once'])
    const passed = sql`make_interval(secs => ${MESSAGE_DELAY_SECONDS})`
    await market.ctx.db
      .update(outbox)
      .set({ createdAt: sql`${outbox.createdAt} - ${passed}`, dueAt: sql`${outbox.dueAt} - ${passed}` })
      .where(or(inArray(outbox.id, ids), inArray(outbox.standsBefore, ids)))
    expect(await shown()).toEqual(['Held, then pushed', 'Held', 'Pushed at once', 'Sent at once'])
  })
})

test('the page counts what the person has, and nobody else’s', async () => {
  const seller = await makeUser(market.ctx, { typeId: 2 })
  await makeListing(market.ctx, { sellerId: selvi.id })
  await makeListing(market.ctx, { sellerId: selvi.id, state: 'pending' })
  await saveListing(market.as(selvi), await makeListing(market.ctx, { sellerId: seller.id }))
  const threadId = await makeThread(market.ctx, { authorId: selvi.id })
  await makeThread(market.ctx, { authorId: selvi.id, state: 'deleted' })
  await makeReply(market.ctx, { threadId, authorId: selvi.id })
  await makeReply(market.ctx, { threadId, authorId: seller.id })
  expect(await countOwn(market.ctx, selvi)).toEqual({
    animals: 1,
    searches: 0,
    live: 1,
    waiting: 1,
    bought: 0,
    sold: 0,
    enquiries: 0,
    offers: 0,
    threads: 1,
    replies: 1,
  })
})

test('new messages come in the language of the profile, whichever page the person reads', async () => {
  const reader = await makeUser(market.ctx, { locale: 'en' })
  for (const locale of ['ta', 'en'] as const) expect(await messageLanguage({ ...market.as(reader), locale }, reader)).toBe('en')
})
