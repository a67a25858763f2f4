import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { DAY } from '#src/kit/time-money/dates.ts'
import { setSetting } from '#src/kit/records/settings.server.ts'
import { defaultSettings } from '#src/kit/settings.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { giveBack, listHolds, takeAnimal } from './holds.server.ts'
import { takeEach } from './taking.server.ts'
import { action as deskAction } from './vet-desk-page.tsx'
import { readDesk } from './vet-desk-view.server.ts'

const MOST_HELD = defaultSettings.vetDay.holds

let market: TestMarket
shareMarket((opened) => (market = opened))

const animal = (facts: Parameters<typeof makeListing>[1] = {}) => makeListing(market.ctx, facts)

test('takes the ticked animals and names each that the vet cannot have, with the reason', async () => {
  const other = await makeUser(market.ctx, { typeId: 5, vetApproved: true, name: 'Ravi' })
  const keen = await makeUser(market.ctx, { typeId: 5, vetApproved: true })
  for (let n = 1; n < MOST_HELD; n++) await takeAnimal(market.as(keen), await animal())
  const [held, sold, free, tooMany] = [await animal({ nameEn: 'Bull 98765 43210' }), await animal(), await animal(), await animal()]
  await takeAnimal(market.as(other), held)
  await market.ctx.db.update(listings).set({ isSold: true }).where(eq(listings.id, sold))
  const hidden = await animal({ state: 'pending' })
  const ends = await takeEach(market.as(keen, { locale: 'en' }), [held, sold, hidden, free, tooMany])
  expect(ends.map(({ id, refusal }) => [id, refusal !== null])).toEqual([
    [held, true],
    [sold, true],
    [hidden, true],
    [free, false],
    [tooMany, true],
  ])
  expect(ends[0]).toMatchObject({ name: 'Bull xxxxx', refusal: expect.stringContaining('(Ravi, ') })
  expect(ends[2]!.name).toBe(String(hidden))
  expect(ends[4]!.refusal).toMatch(/^You hold as many animals as one vet may/)
  expect((await listHolds(market.ctx, keen.id)).some(({ listingId }) => listingId === free)).toBe(true)
})

test('reads with the figure of the setting that the animals of a day are taken', async () => {
  const admin = await makeUser(market.ctx, { typeId: 9 })
  const vet = await makeUser(market.ctx, { typeId: 5, vetApproved: true })
  const ids = [await animal(), await animal(), await animal()]
  await setSetting(market.as(admin), 'vetDay', { holds: 20, checks: 2 })
  const ends = await takeEach(market.as(vet, { locale: 'en' }), ids)
  expect(ends.map(({ refusal }) => refusal)).toEqual([null, null, expect.stringContaining('You can take 2 animals in a day')])
  const desk = await readDesk(market.as(vet), new URLSearchParams('full=day'))
  expect([desk.maxHolds, desk.maxChecks]).toEqual([20, 2])
  await setSetting(market.as(admin), 'vetDay', defaultSettings.vetDay)
})

test('an animal that the vet gave back and takes again counts once for the day', async () => {
  const [admin, vet] = [await makeUser(market.ctx, { typeId: 9 }), await makeUser(market.ctx, { typeId: 5, vetApproved: true })]
  const [first, second, third] = [await animal(), await animal(), await animal()]
  await setSetting(market.as(admin), 'vetDay', { holds: 20, checks: 2 })
  const ctx = market.as(vet)
  for (const id of [first, first, second, first]) {
    await takeAnimal(ctx, id)
    await giveBack(ctx, id)
  }
  await expect(takeAnimal(ctx, third)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) })
  expect(await takeAnimal(ctx, second)).toBe('taken')
  expect(await takeAnimal({ ...ctx, now: new Date(ctx.now.getTime() + 2 * DAY) }, third)).toBe('taken')
  await setSetting(market.as(admin), 'vetDay', defaultSettings.vetDay)
})

test('takes nothing when nothing is ticked', async () => {
  const vet = await makeUser(market.ctx, { typeId: 5, vetApproved: true })
  const ticked = (ids: string[]) => sendForm(market.ctx, deskAction, { viewer: vet, params: {}, fields: ids.map((id) => ['ids', id]) })
  expect([await ticked([]), await ticked(['x'])]).toEqual(['VALIDATION', 'VALIDATION'])
  const [first, second] = [await animal(), await animal()]
  expect(await ticked([String(first), String(second), String(first)])).toBeNull()
  expect(await listHolds(market.ctx, vet.id)).toHaveLength(2)
})
