import { sql } from 'drizzle-orm'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { findPincode } from '#src/addresses/places.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { breeds, categories } from '#src/listings/reference/reference-data.ts'
import { rowsIn } from '#tools/test-kit/market-state.ts'

const TEMPLATES = 400
/** The share of listings with a vet check. */
const CHECKED_SHARE = 0.05
/** The usual adult weight by category. */
const usualKg: Record<number, number> = { 1: 350, 2: 35, 3: 35, 4: 2, 5: 22, 6: 380 }
/** The mix of species on a real market: many goats and cattle, few horses. */
const categoryWeights: [number, number][] = [
  [1, 35],
  [2, 30],
  [3, 15],
  [4, 14],
  [5, 4],
  [6, 2],
]
const towns = [
  '638701',
  '642001',
  '638501',
  '636701',
  '625531',
  '626117',
  '628501',
  '636453',
  '613001',
  '623501',
  '643001',
  '621306',
  '641001',
  '600001',
  '627001',
]

/** A small random generator that gives the same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 4294967296
  }
}

/**
 * Fills an empty market with `count` listings: makes a few hundred through the commands, then copies them in the database with varied prices, ages
 * and places. One in ten is sold, pending or closed, as on a real market.
 */
export async function fillMarket(ctx: Ctx, count: number): Promise<void> {
  const random = seeded(7)
  const pincodes = towns.filter((code) => findPincode(code)?.point)
  const sellers = [await openSeller(ctx, pincodes, { isVerified: true }), await openSeller(ctx, pincodes), await openSeller(ctx, pincodes)]
  // Murugan has four of 400 listings, and Kathiresan one.
  const [murugan, kathiresan] = [
    await openSeller(ctx, pincodes, { name: 'Murugan' }),
    await openSeller(ctx, pincodes, { name: 'Kathiresan' }),
  ]
  const draw = () => {
    let at = random() * 100
    return categoryWeights.find(([, weight]) => (at -= weight) < 0)?.[0] ?? 1
  }
  for (let n = 0; n < Math.min(TEMPLATES, count); n++) {
    const categoryId = draw()
    const inCategory = breeds.filter((breed) => breed.categoryId === categoryId)
    const breed = inCategory[Math.floor(random() * inCategory.length)]!
    const pincode = pincodes[n % pincodes.length]!
    const isFemale = random() < 0.6
    const litres = categoryId === 1 ? 3 + Math.floor(random() * 16) : 1
    const isPregnant = isFemale && categoryId <= 3 && random() < 0.08
    const seller = n === 217 ? kathiresan : n % 100 === 1 ? murugan : sellers[n % sellers.length]!
    await makeListing(ctx, {
      sellerId: seller.id,
      pickupAddressId: seller.addresses.get(pincode)!,
      pincode,
      categoryId,
      breedId: breed.id,
      name: `${isPregnant ? 'சினை ' : ''}${breed.ta} ${n}`,
      description: `${categories.find((c) => c.id === categoryId)!.ta} ${breed.en}, good health`,
      originalPrice: rupees(500 + Math.floor(random() * 90_000)),
      genderId: isFemale ? 0 : 1,
      ageId: 1 + Math.floor(random() * 11),
      weightKg: Math.round((usualKg[categoryId] ?? 1) * (0.2 + random() * 1.6)),
      milkLitresPerDay: isFemale && categoryId <= 2 ? litres : null,
      createdAt: daysBefore(ctx.now, random() * 90),
      touchedAt: daysBefore(ctx.now, random() * 90),
    })
  }
  const vet = await makeUser(ctx, { typeId: 5, vetApproved: true })
  await copyTemplates(ctx, count, vet.id)
}

async function openSeller(ctx: Ctx, pincodes: string[], person = {}): Promise<{ id: number; addresses: Map<string, number> }> {
  const { id } = await makeUser(ctx, { typeId: 2, ...person })
  const addresses = new Map<string, number>()
  for (const pincode of pincodes) addresses.set(pincode, await makeAddress(ctx, id, { pincode }))
  return { id, addresses }
}

async function copyTemplates(ctx: Ctx, count: number, vetId: number): Promise<void> {
  const columns = sql.raw(
    'seller_id, created_by_id, pickup_address_id, category_id, breed_id, name, description, age_id, gender_id, color_id, feed_type_id, weight_kg, described_weight_kg, pincode, taluk, district, state_name, search_keys, is_sample, milk_litres_per_day, seller_active, seller_verified',
  )
  const indexes = await rowsIn<{ indexname: string; indexdef: string }>(
    ctx,
    sql`select indexname, indexdef from pg_indexes where tablename in ('listings', 'listing_photos') and indexdef not like '%UNIQUE%'`,
  )
  await ctx.db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = '30min'`)
    await tx.execute(sql`set local maintenance_work_mem = '512MB'`)
    // Load without indexes and build them afterwards: inserting a million rows into a dozen indexes would take most of the bench.
    for (const { indexname } of indexes) await tx.execute(sql.raw(`drop index ${indexname}`))
    // This trigger checks per row for a picture, and all rows here have one.
    await tx.execute(sql`alter table listings disable trigger listings_photo`)
    await tx.execute(sql`alter table listings disable trigger listing_of_seller`)
    await tx.execute(sql`select setseed(0.42)`)
    await tx.execute(sql`
      insert into listings (${columns}, stock, original_price, state, is_sold, location, created_at, touched_at,
        vet_passed_on, is_vaccinated, has_video)
      select ${columns}, 1 + (random() * 5)::int, (500 + (random() * 90000)::int)::bigint * 10000,
        case when random() < 0.04 then 'pending' else 'passed' end, random() < 0.04,
        point(location[0] + random() - 0.5, location[1] + random() - 0.5),
        now() - random() * interval '90 days', now() - random() * interval '104 days',
        case when random() < ${CHECKED_SHARE} then ${indianDay(ctx.now)}::date end, random() < 0.3, random() < 0.01
      from (select *, row_number() over (order by id) as n from listings) t
        join generate_series(0, ${count - Math.min(TEMPLATES, count) - 1}) g on g % ${Math.min(TEMPLATES, count)} + 1 = t.n`)
    // Photos with one hash would all be copies of each other.
    await tx.execute(sql`
      insert into listing_photos (listing_id, position, media_key, width, height, thumbhash, average_color, dhash, sha256)
      select l.id, 0, md5(l.id::text), 1280, 960, '', '#a08060', substr(md5('look' || l.id), 1, 16), encode(sha256(l.id::text::bytea), 'hex') from listings l
      where not exists (select 1 from listing_photos p where p.listing_id = l.id)`)
    // The folded columns are set above, so insert the findings without their trigger.
    await tx.execute(sql`alter table vet_checks disable trigger finding_of_listing`)
    await tx.execute(sql`
      insert into vet_checks (listing_id, vet_id, approved, comments, checked_on)
      select l.id, ${vetId}::bigint, true, 'Healthy.', l.vet_passed_on from listings l where l.vet_passed_on is not null`)
    await tx.execute(sql`alter table vet_checks enable trigger finding_of_listing`)
    for (const { indexdef } of indexes) await tx.execute(sql.raw(indexdef))
    await tx.execute(sql`alter table listings enable trigger listings_photo`)
    await tx.execute(sql`alter table listings enable trigger listing_of_seller`)
  })
  await ctx.db.execute(sql`analyze`)
}
