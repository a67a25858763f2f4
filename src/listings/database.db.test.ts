import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { sqlState } from '#src/kit/db/database-errors.server.ts'
import { often } from '#tools/test-kit/often.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { makeVerification } from '#src/verification/makers.server.ts'
import { makeVetCheck } from '#src/health/makers.server.ts'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeListing } from './makers.server.ts'

let market: TestMarket
let ids: number[]
let sellerId: number
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  sellerId = (await makeUser(market.ctx, { typeId: 2 })).id
  ids = []
  for (let n = 0; n < 6; n++) ids.push(await makeListing(market.ctx, { sellerId }))
})

const rowsOf = async <T>(query: ReturnType<typeof sql>) => ((await market.ctx.db.execute(query)) as unknown as { rows: T[] }).rows

/** Constraints that hold for every writer. */
describe('the database', () => {
  test('refuses visible listings without a picture, breeds of another category, and offers above the price', async () => {
    let seed = 20261121
    const random = (below: number) => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % below
    const id = () => ids[random(ids.length)]!
    let refused = 0
    for (let n = 0; n < often(400, 5000); n++) {
      const writes = [
        () => sql`update listings set state = ${['draft', 'pending', 'passed', 'failed', 'withdrawn'][random(5)]!} where id = ${id()}`,
        () => sql`delete from listing_photos where listing_id = ${id()}`,
        () =>
          sql`insert into listing_photos (listing_id, position, media_key, width, height, thumbhash, average_color, dhash, sha256)
              values (${id()}, ${random(4)}, ${`photo-${n}`}, 1, 1, '', '#000000', '', '')`,
        () => sql`update listings set breed_id = ${[101, 201, 301, null][random(4)]!}::smallint where id = ${id()}`,
        () => sql`update listings set category_id = ${[1, 2, 3, 21][random(4)]!}::smallint where id = ${id()}`,
        () => sql`update listings set offer_price = ${random(200) * 10_000_000}::bigint where id = ${id()}`,
        () => sql`update listings set original_price = ${random(200) * 10_000_000}::bigint where id = ${id()}`,
        () => sql`update listings set stock = ${random(12_000) - 1000} where id = ${id()}`,
        () => sql`update listing_photos set listing_id = ${id()} where listing_id = ${id()}`,
      ]
      // Two writes in one transaction, because the constraint is checked at its end.
      await inTransaction(market.ctx, async ({ db }) => {
        await db.execute(writes[random(writes.length)]!())
        await db.execute(writes[random(writes.length)]!())
      }).catch((error: unknown) => {
        expect(['23514', '23503', '23505'], String(error)).toContain(sqlState(error))
        refused += 1
      })
      const [row] = await rowsOf<{ wrong: number }>(sql`
        select count(*)::int as wrong from listings l left join breeds b on b.id = l.breed_id
        where (l.state in ('pending', 'passed') and not exists (select 1 from listing_photos p where p.listing_id = l.id))
          or b.category_id <> l.category_id or l.offer_price >= l.original_price or l.stock < 0 or l.stock > 10000`)
      expect(row!.wrong).toBe(0)
    }
    expect(refused).toBeGreaterThan(50)
  })

  test('accepts new verdicts and findings, and refuses changes of them', async () => {
    const listingId = await makeListing(market.ctx, { sellerId })
    const [admin, vet] = [await makeUser(market.ctx, { typeId: 9 }), await makeUser(market.ctx, { typeId: 5 })]
    await makeVerification(market.ctx, { listingId, adminId: admin.id, passed: true, comment: 'Good' })
    await makeVetCheck(market.ctx, { listingId, vetId: vet.id, approved: true, comments: 'Good', checkedOn: '2026-11-20' })
    for (const change of [
      sql`update verifications set passed = false`,
      sql`delete from verifications`,
      sql`update vet_checks set approved = false`,
      sql`delete from vet_checks`,
      sql`delete from listings where id = ${listingId}`,
    ])
      await expect(market.ctx.db.execute(change)).rejects.toSatisfy((error) => sqlState(error) === '23000')
  })
})
