import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { AddressUse } from '#src/addresses/address-use.server.ts'
import { type PincodePlace, findPincode } from '#src/addresses/places.server.ts'
import { spread, toStoredPoint } from '#src/addresses/places.ts'
import type { Ctx } from '#src/kit/context.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { searchKeysFor, toTsVector } from './search.server.ts'
import { listings } from '../tables.ts'

/** Listings per statement, so that a trader with a thousand animals stays within the statement time limit. */
const BATCH = 200

/**
 * Moves the listings of this pickup address in every state, because a draft or withdrawn listing may come back. The move is no edit: the listing's
 * age and checks stay.
 */
async function moveListings(ctx: Ctx, pickupAddressId: number, { pincode, taluk, district, state }: PincodePlace): Promise<void> {
  const rows = await ctx.db.select().from(listings).where(eq(listings.pickupAddressId, pickupAddressId)).orderBy(listings.id).for('update')
  const point = findPincode(pincode)?.point ?? null
  const moved = rows.map((row) => {
    const [x, y] = point ? toStoredPoint(spread(point)) : [null, null]
    return { id: row.id, keys: toTsVector(searchKeysFor({ ...row, taluk, district, stateName: state })), x, y }
  })
  for (let from = 0; from < moved.length; from += BATCH) {
    await ctx.db.execute(sql`
      update listings l set pincode = ${pincode}, taluk = ${taluk}, district = ${district}, state_name = ${state},
        location = case when v.x is null then null else point(v.x, v.y) end, search_keys = v.keys::tsvector
      from jsonb_to_recordset(${JSON.stringify(moved.slice(from, from + BATCH))}::jsonb) as v(id bigint, keys text, x float8, y float8)
      where l.id = v.id`)
  }
}

const countRow = z.object({ id: z.number(), count: z.number() })

/** The number of a person's listings per pickup address, without ended ones. By address id. */
async function countListings(ctx: Ctx, ownerId: number): Promise<Map<number, number>> {
  const rows = await rowsOf(
    ctx,
    sql`
    select l.pickup_address_id::int as id, count(*)::int as count from listings l
    where l.seller_id = ${ownerId}::bigint and not l.is_sold and l.state in ('draft', 'pending', 'passed', 'failed')
    group by l.pickup_address_id`,
    countRow,
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}

export const listingsAtAddresses: Pick<AddressUse, 'move' | 'count'> = { move: moveListings, count: countListings }
