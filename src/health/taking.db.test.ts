import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { RateLimits } from '#src/kit/db/rate-limits.server.ts'
import { limitCounts } from '#src/kit/db/tables.ts'
import { defaultSettings } from '#src/kit/settings.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { listHolds, takeAnimal } from './holds.server.ts'
import { takeEach } from './taking.server.ts'
import { action as deskAction } from './vet-desk-page.tsx'

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
  const sender = { site: { limits: new RateLimits(1).ofRequest() }, visitor: { address: '203.0.113.7' } }
  const ends = await takeEach(market.as(keen, { locale: 'en' }), sender, [held, sold, hidden, free, tooMany])
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
  // Only the taken animal counts for the day.
  const [count] = await market.ctx.db
    .select()
    .from(limitCounts)
    .where(eq(limitCounts.key, `holdDay:${keen.id}`))
  expect(count?.points).toBe(1)
})

test('takes nothing when nothing is ticked', async () => {
  const vet = await makeUser(market.ctx, { typeId: 5, vetApproved: true })
  const ticked = (ids: string[]) => sendForm(market.ctx, deskAction, { viewer: vet, params: {}, fields: ids.map((id) => ['ids', id]) })
  expect([await ticked([]), await ticked(['x'])]).toEqual(['VALIDATION', 'VALIDATION'])
  const [first, second] = [await animal(), await animal()]
  expect(await ticked([String(first), String(second), String(first)])).toBeNull()
  expect(await listHolds(market.ctx, vet.id)).toHaveLength(2)
})
