import { eq, sql } from 'drizzle-orm'
import type { AddressInput } from '#src/accounts/address-schemas.ts'
import { changeAddress, type PincodePlace } from '#src/accounts/addresses.server.ts'
import { spread, toStoredPoint } from '#src/accounts/places.ts'
import { findPincode } from '#src/accounts/places.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/database.server.ts'
import { searchKeysFor, toTsVector } from './search.server.ts'
import { listings } from './tables.ts'

/** Listings written by one statement: a trader with a thousand animals keeps well within the time a statement has. */
const BATCH = 200

/**
 * Changes one's own address, and with it the place of the listings that are fetched there: both or neither. A listing made or
 * moved there at the same moment must hold the address's row `for share`, or it keeps the old place.
 */
export async function changeAddressAndListings(ctx: Ctx, id: number, input: AddressInput): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const place = await changeAddress(ctx, id, input)
    if (place) await moveListings(ctx, id, place)
  })
}

/** Those in every state: a draft or a withdrawn one may come back. It is no edit of the listing: its age and its checks stay. */
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

/** How many listings are fetched at each of a person's addresses, those that are over left out. By address id. */
export async function countListingsByAddress(ctx: Ctx, ownerId: number): Promise<Map<number, number>> {
  const { rows } = (await ctx.db.execute(sql`
    select l.pickup_address_id::int as id, count(*)::int as count from listings l
    where l.seller_id = ${ownerId}::bigint and not l.is_sold and l.state in ('draft', 'pending', 'passed', 'failed')
    group by l.pickup_address_id`)) as unknown as { rows: { id: number; count: number }[] }
  return new Map(rows.map(({ id, count }) => [id, count]))
}
