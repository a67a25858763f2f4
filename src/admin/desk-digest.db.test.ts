import { beforeAll, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { pushDevices, sessions } from '#src/accounts/tables.ts'
import type { Viewer } from '#src/kit/context.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { defaultSettings } from '#src/kit/settings.ts'
import { DAY, daysBefore } from '#src/kit/time-money/dates.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { notifyDesks } from './desk-digest.server.ts'
import { countRail, readWork } from './desk-work.server.ts'

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
  // Nobody has to check an animal on the market, so it is no case.
  await makeListing(market.ctx, { sellerId: seller.id })
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

test('rail, home and notification count the same cases', async () => {
  const seller = await makeUser(market.ctx, { typeId: 2 })
  for (let n = 0; n < 2; n++) await makeOrder(market.ctx, { status: 6, seller })
  await makeOrder(market.as(null, { now: daysBefore(MORNING, 3) }))
  const later = new Date(MORNING.getTime() + 2 * DAY)
  const office = market.as(admin, { now: later })
  await market.ctx.db.update(outbox).set({ createdAt: MORNING })
  const { checks, ...rail } = await countRail(office)
  const { work } = await readWork(office, defaultSettings.deskTargets)
  expect(Object.fromEntries(work.map(({ desk, inTime, late, veryLate }) => [desk, inTime + late + veryLate]))).toEqual(rail)
  expect(rail).toMatchObject({ listings: 3, money: 1 })
  expect(checks).toBeGreaterThan(0)
  const cases = Object.values(rail).reduce((sum, count) => sum + count, 0)
  expect(await at(later)).toBe(1)
  expect((await digests()).at(-1)?.body).toBe(`Cases that wait at the desks: ${cases}.`)
})
