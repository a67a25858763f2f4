import { sql, type SQL } from 'drizzle-orm'
import { KM_PER_DEGREE, toStoredPoint, type Point } from '#src/addresses/places.ts'

/** All keys of listing `l` in the index `listings_keys` (migrations/0044_listing_keys.sql). trait-table.server.ts has the keys of traits. */
const listingKeys = sql.raw(
  `listing_keys(${['category_id', 'breed_id', 'gender_id', 'age_id', 'milk_litres_per_day', 'weight_kg', 'seller_verified', 'is_vaccinated', 'has_video', 'vet_passed_on', 'location'].map((column) => `l.${column}`).join(', ')})`,
)

export const keyOfCategory = (id: number): number => 100 + id
export const keyOfBreed = (id: number): number => 1000 + id

/** The listing has all these keys. */
export const hasKeys = (keys: readonly number[]): SQL => sql`${listingKeys} @> ${`{${keys.join(',')}}`}::int[]`
/** The listing has one of these keys. */
export const hasKeyOf = (keys: readonly number[]): SQL => sql`${listingKeys} && ${`{${keys.join(',')}}`}::int[]`

/** The keys of the grid squares that a circle touches: small squares for a small circle. */
export function keysAround(near: Point, km: number): number[] {
  const [x, y] = toStoredPoint(near)
  const radius = km / KM_PER_DEGREE
  const [perDegree, first] = km <= 50 ? [4, 1_000_000] : [1, 2_000_000]
  const range = (middle: number) => {
    const from = Math.floor(perDegree * (middle - radius))
    return Array.from({ length: Math.floor(perDegree * (middle + radius)) - from + 1 }, (_, n) => from + n)
  }
  return range(y).flatMap((row) => range(x).map((column) => first + 1000 * row + column))
}
