import { beforeAll, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { pushDevices, sessions } from '#src/accounts/tables.ts'
import type { Viewer } from '#src/kit/context.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { notifyDesks } from './desk-digest.server.ts'

let market: TestMarket
let admin: Viewer
const MORNING = new Date('2026-11-24T03:00:00Z')

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admin = await makeUser(market.ctx, { typeId: 9, locale: 'en' })
})

async function addDevice(who: Viewer, endpoint: string): Promise<void> {
  await makeSession(market.ctx, who.id)
  const [session] = await market.ctx.db.select().from(sessions).where(eq(sessions.userId, who.id)).limit(1)
  await market.ctx.db.insert(pushDevices).values({ userId: who.id, sessionId: session!.id, endpoint, p256dh: '', auth: '', device: '' })
}
const at = (now: Date) => notifyDesks({ ...market.ctx, now })
const digests = () => market.ctx.db.select().from(outbox).where(eq(outbox.template, 'desk-work')).orderBy(outbox.id)

test("once a day, and never at night, an admin's device shows how many cases wait at the desks; nobody else is notified", async () => {
  const buyer = await makeUser(market.ctx)
  const seller = await makeUser(market.ctx, { typeId: 2 })
  await makeUser(market.ctx, { typeId: 9, name: 'without a phone' })
  await addDevice(admin, 'https://fcm.googleapis.com/1')
  await addDevice(admin, 'https://fcm.googleapis.com/2')
  await addDevice(buyer, 'https://fcm.googleapis.com/3')
  expect(await at(MORNING)).toBe(0)
  for (let n = 0; n < 3; n++) await makeListing(market.ctx, { sellerId: seller.id, state: 'pending' })
  expect(await at(new Date('2026-11-24T16:00:00Z'))).toBe(0)
  const [one, other] = await Promise.all([at(MORNING), at(MORNING)])
  expect(one + other).toBe(1)
  const rows = await digests()
  expect(rows.map(({ userId, channel, standsBefore }) => [userId, channel, standsBefore])).toEqual([
    [admin.id, 'push', null],
    [admin.id, 'push', null],
  ])
  expect(rows[0]).toMatchObject({ body: 'Cases that wait at the desks: 3.', variables: { link: 'https://sandhai.test/en/admin' } })
  await market.ctx.db.update(outbox).set({ createdAt: MORNING })
  expect(await at(MORNING)).toBe(0)
  expect(await at(new Date('2026-11-25T03:00:00Z'))).toBe(1)
})
