import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { can, phoneFor, placeFor } from '#src/accounts/policy.ts'
import { CONTACTS_PER_DAY } from '#src/accounts/rules.ts'
import { placeName } from '#src/addresses/places.server.ts'
import { kilometresBetween, readStoredPoint, type Point } from '#src/addresses/places.ts'
import type { Ctx } from '#src/kit/context.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import type { Money } from '#src/kit/time-money/money.ts'
import { animalName, breedName, countsOnly, sellerName } from '#src/kit/http/shown-names.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { m } from '#src/paraglide/messages.js'
import { cardColumns, cardPhoto, cardRow, isLive, isPublic, toCard, type ListingCard } from '#src/listings/browse/browse.server.ts'
import { newestReviews, reviewRow, toReviews, type SellerReview } from '#src/listings/browse/reviews-rows.server.ts'
import { RELATED_SHOWN, REVIEWS_SHOWN } from '#src/listings/life/rules.ts'
import { soldBy, toUsualPrice, usualPriceOf, usualPriceShape, type UsualPrice } from '#src/listings/browse/usual-price.server.ts'
import { bestFirst, withChosen, type TrendingOptions } from '#src/listings/browse/trending.server.ts'
import { factSelect, factsOfRow } from './fields/field-select.server.ts'
import { fieldTable, type Facts } from './fields/field-table.ts'
import {
  productRow,
  type Clip,
  type DayPhoto,
  type Milking,
  type Photo,
  type ProductRow,
  type Vaccination,
  type Verification,
  type VetCheck,
} from './product-rows.server.ts'
import { proofColumns } from './proofs/proof-select.server.ts'

/** A listing with all data of the product page and the API, already without the fields that the viewer may not see. */
export interface Product extends Facts {
  id: number
  name: string
  description: string
  categoryId: number
  breedId: number | null
  ageId: number | null
  genderId: number | null
  colorId: number | null
  feedTypeId: number
  weightKg: number
  stock: number
  originalPrice: Money
  offerPrice: Money | null
  /** A tag is on record. Nobody sees its digits. */
  hasTag: boolean
  state: 'draft' | 'pending' | 'passed' | 'failed' | 'withdrawn'
  verificationComment: string | null
  isSold: boolean
  soldThroughSandhai: boolean | null
  isSample: boolean
  createdAt: Date
  touchedAt: Date
  /** The time of the last new description; earlier findings are no longer valid. */
  changedAt: Date
  submittedAt: Date
  version: number
  revision: number
  createdById: number
  editorId: number | null
  pincode: string
  taluk: string
  district: string
  stateName: string
  pickupDeliverable: boolean
  seller: { id: number; name: string; isVerified: boolean; phone: string; stars: number | null; ratings: number; reviews: number }
  /** The owner for whom the seller, an agent, has listed it. */
  ownerName: string | null
  /** Visible to the owner, to admins, and to the vet who holds the animal. */
  pickup: { id: number; name: string; address1: string; address2: string; phone: string; typeId: number } | null
  photos: Photo[]
  /** Videos first, then the voice note. */
  clips: Clip[]
  /** The milkings of the last thirty days, newest first. */
  milkings: Milking[]
  /** Visible for thirty days once an admin has seen it. */
  dayPhoto: DayPhoto | null
  vaccinations: Vaccination[]
  /** Newest first. */
  vetChecks: VetCheck[]
  /** Newest first, for admins only. */
  verifications: Verification[]
  views: number
  lastViewedAt: Date | null
  /** How many people contacted the seller; null except for the owner and admins. */
  askedBy: number | null
  /** The vet who holds the animal; visible to vets and admins. */
  hold: { vetId: number; until: Date } | null
}

const isVet = (ctx: Ctx) => can(ctx.viewer, 'vet')
const isOperator = (ctx: Ctx) => can(ctx.viewer, 'operate')

/** The public sees passed listings of active sellers, sellers see all their own, admins see all. */
export const visibleTo = (ctx: Ctx): SQL =>
  isOperator(ctx) ? sql`true` : ctx.viewer ? sql`(${isPublic} or l.seller_id = ${ctx.viewer.id}::bigint)` : isPublic

function productColumns(ctx: Ctx): SQL {
  const english = ctx.locale === 'en'
  return sql`
    l.id, l.category_id, l.breed_id, l.age_id, l.gender_id, l.color_id, l.feed_type_id, l.weight_kg, l.owner_name, l.stock, l.original_price, l.offer_price,
    ${factSelect()}, l.state, l.verification_comment, l.is_sold, l.sold_through_sandhai,
    l.is_sample, l.pincode, l.taluk, l.district, l.state_name,
    l.tag_mac is not null as has_tag, l.version, l.revision, l.created_by_id, l.editor_id,
    floor(extract(epoch from l.changed_at) * 1000)::bigint as changed_ms,
    floor(extract(epoch from l.submitted_at) * 1000)::bigint as submitted_ms,
    ${english ? sql`coalesce(l.name_en, l.name)` : sql`l.name`} as shown_name,
    ${english ? sql`coalesce(l.description_en, l.description)` : sql`l.description`} as shown_description,
    floor(extract(epoch from l.created_at) * 1000)::bigint as created_ms,
    floor(extract(epoch from l.touched_at) * 1000)::bigint as touched_ms,
    coalesce((select z.is_deliverable from pincodes z where z.pincode = l.pincode::char(6)), false) as pickup_deliverable,
    (select json_build_object('id', u.id, 'name', u.name, 'is_verified', u.is_verified, 'phone', u.phone,
       'stars', r.stars, 'ratings', r.ratings, 'reviews', r.reviews)
     from users u, lateral (select round(avg(s.stars), 2)::float8 as stars, count(s.stars)::int as ratings, count(*)::int as reviews
       from seller_reviews s where s.seller_id = u.id and not s.is_hidden) r where u.id = l.seller_id) as seller,
    (select json_build_object('id', a.id, 'name', a.name, 'address_1', a.address_1, 'address_2', a.address_2, 'phone', a.phone, 'type_id', a.type_id)
     from addresses a where a.id = l.pickup_address_id) as pickup,
    (select coalesce(json_agg(json_build_object('key', p.media_key, 'width', p.width, 'height', p.height, 'color', p.average_color, 'hash', p.thumbhash) order by p.position), '[]')
     from listing_photos p where p.listing_id = l.id) as photos,
    (select coalesce(json_agg(json_build_object('id', c.id, 'kind', c.kind, 'key', c.media_key, 'format', c.format, 'bytes', c.bytes,
       'millis', c.millis, 'width', c.width, 'height', c.height, 'stillKey', c.still_key, 'caption', c.caption) order by c.kind, c.position), '[]')
     from listing_clips c where c.listing_id = l.id) as clips,
    ${proofColumns(ctx.now)},
    (select coalesce(json_agg(json_build_object('id', c.id, 'vaccineId', c.vaccine_id, 'dose', c.dose, 'vaccinatedOn', c.vaccinated_on) order by c.vaccinated_on desc, c.id), '[]')
     from vaccinations c where c.listing_id = l.id) as vaccinations,
    (select coalesce(json_agg(json_build_object('id', v.id, 'approved', v.approved,
       'comments', ${english ? sql`coalesce(v.comments_en, v.comments)` : sql`v.comments`}, 'checkedOn', v.checked_on, 'revision', v.revision,
       'findings', json_build_object('temperatureC', v.temperature_c, 'bodyCondition', v.body_condition,
         'teeth', v.teeth, 'udder', v.udder, 'gait', v.gait, 'skin', v.skin),
       'photos', (select coalesce(json_agg(json_build_object('key', p.media_key, 'width', p.width, 'height', p.height, 'color', p.average_color, 'hash', p.thumbhash) order by p.position), '[]')
         from vet_check_photos p where p.check_id = v.id),
       'createdMs', floor(extract(epoch from v.created_at) * 1000)::bigint, 'vetId', w.id, 'vetName', w.name, 'vetDegree', w.degree) order by v.id desc), '[]')
     from vet_checks v join users w on w.id = v.vet_id where v.listing_id = l.id) as vet_checks,
    ${
      isOperator(ctx)
        ? sql`(select coalesce(json_agg(json_build_object('id', e.id, 'passed', e.passed, 'comment', e.comment, 'adminName', w.name, 'at', e.created_at) order by e.id desc), '[]')
                from verifications e join users w on w.id = e.admin_id where e.listing_id = l.id)`
        : sql`'[]'::json`
    } as verifications,
    ${
      ctx.viewer
        ? sql`case when ${isOperator(ctx)}::boolean or l.seller_id = ${ctx.viewer.id}::bigint
                then (select count(distinct t.person_id)::int from contact_taps t where t.listing_id = l.id) end`
        : sql`null::int`
    } as asked_by,
    ${
      isVet(ctx) || isOperator(ctx)
        ? sql`(select json_build_object('vetId', h.vet_id, 'until', floor(extract(epoch from h.held_until) * 1000))
                from vet_holds h join users w on w.id = h.vet_id and w.is_active and w.type_id = 5 and w.vet_approved
                where h.listing_id = l.id and h.held_until > ${ctx.now.toISOString()}::timestamptz)`
        : sql`null::json`
    } as hold,
    l.views_before + (select count(*)::int from listing_views n where n.listing_id = l.id) as views,
    (select floor(extract(epoch from max(n.viewed_at)) * 1000)::bigint from listing_views n where n.listing_id = l.id) as last_viewed_ms`
}

/** The name for a person whose account was erased. */
const erasedUserName = ({ locale }: Ctx) => m.profile_deleted_user({}, { locale })

function toProduct(ctx: Ctx, row: ProductRow): Product {
  ctx.shows?.add(animalName(Number(row.id)))
  const isOwner = ctx.viewer?.id === row.seller.id
  const { hold } = row
  // After the sale, no vet needs the address.
  const hasTaken = isVet(ctx) && hold?.vetId === ctx.viewer?.id && !row.is_sold && row.stock > 0
  return {
    id: Number(row.id),
    name: row.shown_name,
    description: row.shown_description,
    categoryId: row.category_id,
    breedId: row.breed_id,
    ageId: row.age_id,
    genderId: row.gender_id,
    colorId: row.color_id,
    feedTypeId: row.feed_type_id,
    weightKg: Number(row.weight_kg),
    stock: row.stock,
    originalPrice: BigInt(row.original_price),
    offerPrice: row.offer_price === null ? null : BigInt(row.offer_price),
    ...factsOfRow(row, fieldTable),
    hasTag: row.has_tag,
    state: row.state,
    // The comment is addressed to the seller.
    verificationComment: isOwner || isOperator(ctx) ? row.verification_comment : null,
    isSold: row.is_sold,
    soldThroughSandhai: row.sold_through_sandhai,
    isSample: row.is_sample,
    createdAt: new Date(Number(row.created_ms)),
    touchedAt: new Date(Number(row.touched_ms)),
    changedAt: new Date(Number(row.changed_ms)),
    submittedAt: new Date(Number(row.submitted_ms)),
    version: row.version,
    revision: row.revision,
    createdById: Number(row.created_by_id),
    editorId: row.editor_id === null ? null : Number(row.editor_id),
    pincode: row.pincode,
    taluk: row.taluk,
    district: placeName(row.district, ctx.locale),
    stateName: placeName(row.state_name, ctx.locale),
    pickupDeliverable: row.pickup_deliverable,
    seller: sellerOf(ctx, row),
    ownerName: row.owner_name,
    pickup: isOwner || isOperator(ctx) || hasTaken ? pickupOf(ctx, row) : null,
    photos: row.photos,
    clips: row.clips,
    milkings: row.milkings,
    dayPhoto: row.day_photo,
    vaccinations: row.vaccinations,
    vetChecks: row.vet_checks.map((check) => ({ ...check, vetName: check.vetName || erasedUserName(ctx) })),
    verifications: row.verifications.map((event) => ({ ...event, adminName: event.adminName || erasedUserName(ctx) })),
    views: row.views,
    lastViewedAt: row.last_viewed_ms === null ? null : new Date(Number(row.last_viewed_ms)),
    askedBy: row.asked_by,
    hold: hold && { vetId: hold.vetId, until: new Date(hold.until) },
  }
}

const sellerOf = ({ viewer }: Ctx, { seller }: ProductRow): Product['seller'] => ({
  id: seller.id,
  name: seller.name,
  isVerified: seller.is_verified,
  phone: phoneFor(viewer, seller.phone, seller.id),
  stars: seller.stars,
  ratings: seller.ratings,
  reviews: seller.reviews,
})

function pickupOf({ viewer }: Ctx, { pickup, seller }: ProductRow): Product['pickup'] {
  const { id, name, address_1: address1, address_2: address2, phone, type_id: typeId } = pickup
  return placeFor(viewer, { id, name, address1, address2, phone, typeId }, seller.id)
}

/** Returns a product in one statement. Throws NOT_FOUND for hidden and missing listings alike. */
export async function getProduct(ctx: Ctx, id: number): Promise<Product> {
  const rows = await rowsOf(
    ctx,
    sql`select ${productColumns(ctx)} from listings l where l.id = ${id}::bigint and ${visibleTo(ctx)}`,
    productRow,
  )
  const [row] = rows
  if (!row) throw notFound()
  return toProduct(ctx, row)
}

const pointShape = z.object({ lat: z.number().nullable(), lon: z.number().nullable() })
const destinationShape = pointShape.extend({ taluk: z.string(), district: z.string(), isDeliverable: z.boolean() })
export type Destination = z.output<typeof destinationShape>

const getProductWithRelatedRow = z.object({
  found: productRow.extend({
    related: z.array(cardRow.extend({ considered: z.array(z.number()) })).nullable(),
    destination: destinationShape.nullable(),
    newest_reviews: z.array(reviewRow).nullable(),
    stands_at: z.string().nullable(),
    home: pointShape.nullable(),
    usual_price: usualPriceShape,
    sold_by_seller: z.number(),
  }),
})

/** The other content of a product page. */
interface BesideProduct {
  related: ListingCard[]
  /** The delivery information of a PIN code; null: no such code. */
  destination: Destination | null
  reviews: SellerReview[]
  /** The distance from the requested PIN code, else from the viewer's last address; null when neither is known. */
  kilometres: number | null
  usualPrice: UsualPrice | null
  soldBySeller: number
}

/** Returns the product with all other content of its page. Still one statement, because another statement costs more than additional columns. */
export async function getProductWithRelated(ctx: Ctx, id: number, pincode: string | null): Promise<{ product: Product } & BesideProduct> {
  // Select one JSON column, because parsing fifty columns takes the process longer than JSON takes the database.
  const rows = await rowsOf(
    ctx,
    sql`select row_to_json(found) as found from (
    select ${productColumns(ctx)},
      ${newestReviews(sql`l.seller_id`, REVIEWS_SHOWN)} as newest_reviews,
      (select json_agg(r) from (${relatedTo(ctx, id)}) r) as related,
      (select json_build_object('taluk', z.taluk, 'district', z.district, 'isDeliverable', z.is_deliverable, 'lat', z.lat, 'lon', z.lon)
       from pincodes z where z.pincode = ${pincode}) as destination,
      l.location::text as stands_at, ${homeOf(ctx)} as home,
      (select row_to_json(u) from (${usualPriceOf(ctx, id)}) u) as usual_price, ${soldBy(sql`l.seller_id`)} as sold_by_seller
    from listings l where l.id = ${id}::bigint and ${visibleTo(ctx)}) found`,
    getProductWithRelatedRow,
  )
  const row = rows[0]?.found
  if (!row) throw notFound()
  // This is the whole page. Of the rest of the market, it depends only on the usual price, the seller's sales and the candidates for related animals.
  const considered = (row.related ?? []).flatMap((card) => card.considered)
  countsOnly(ctx, [breedName(row.breed_id), sellerName(row.seller.id), ...considered.map(animalName)])
  const related = (row.related ?? []).map((card) => toCard(ctx, card, null))
  const reader = row.destination ?? row.home
  return {
    product: toProduct(ctx, row),
    related,
    destination: row.destination,
    reviews: toReviews(row.newest_reviews),
    kilometres: row.stands_at && isPoint(reader) ? kilometresBetween(reader, readStoredPoint(row.stands_at)) : null,
    usualPrice: toUsualPrice(row.usual_price),
    soldBySeller: row.sold_by_seller,
  }
}

/** The location of the viewer's last address; null on a shared page. */
const homeOf = ({ viewer }: Ctx): SQL =>
  viewer
    ? sql`(select json_build_object('lat', z.lat, 'lon', z.lon) from addresses a join pincodes z on z.pincode = a.pincode
        where a.user_id = ${viewer.id}::bigint and a.removed_at is null order by a.id desc limit 1)`
    : sql`null::json`

const isPoint = (place: z.output<typeof pointShape> | null): place is Point => place?.lat != null && place.lon !== null

/** Live listings newest first with all fields, for the API's list. `after` comes from a cursor. */
export async function listProducts(
  ctx: Ctx,
  options: { categoryId: number; top: number; after: { value: string; id: number } | null },
): Promise<{ products: Product[]; next: { value: string; id: number } | null }> {
  const { categoryId, top, after } = options
  const rows = await rowsOf(
    ctx,
    sql`
    select ${productColumns(ctx)} from listings l
    where ${isLive(ctx.now)} ${categoryId === 0 ? sql`` : sql`and l.category_id = ${categoryId}::smallint`}
      ${after ? sql`and (l.created_at, l.id) < (to_timestamp(${after.value}::bigint / 1000.0)::timestamptz(3), ${after.id}::bigint)` : sql``}
    order by l.created_at desc, l.id desc limit ${top + 1}`,
    productRow,
  )
  const last = rows.length > top ? rows[top - 1]! : null
  // The page does not show this one, but the next cursor exists because of it.
  if (last) ctx.shows?.add(animalName(Number(rows[top]!.id)))
  return {
    products: rows.slice(0, top).map((row) => toProduct(ctx, row)),
    next: last && { value: String(last.created_ms), id: Number(last.id) },
  }
}

/** The given listings that the viewer may see, unordered. */
export async function listProductsById(ctx: Ctx, ids: readonly number[]): Promise<Product[]> {
  if (ids.length === 0) return []
  const rows = await rowsOf(
    ctx,
    sql`
    select ${productColumns(ctx)} from listings l
    where l.id = any (${`{${ids.join(',')}}`}::bigint[]) and ${visibleTo(ctx)}`,
    productRow,
  )
  return rows.map((row) => toProduct(ctx, row))
}

/** Cards of the given listings that are live, in the given order. */
export async function listCardsById(ctx: Ctx, ids: readonly number[]): Promise<ListingCard[]> {
  const chosen = sql`${`{${ids.join(',')}}`}::bigint[]`
  const rows = await rowsOf(
    ctx,
    sql`select ${cardColumns(ctx)} from listings l ${cardPhoto}
      where l.id = any (${chosen}) and ${isLive(ctx.now)} order by array_position(${chosen}, l.id)`,
    cardRow,
  )
  return rows.map((row) => toCard(ctx, row, null))
}

/** Complete products for the API; `listTrendingCards` serves the home page. */
export async function listTrending(ctx: Ctx, options: TrendingOptions): Promise<Product[]> {
  const rows = await rowsOf(
    ctx,
    sql`${withChosen(ctx, options)}
    select ${productColumns(ctx)} from chosen join listings l on l.id = chosen.id
    order by ${bestFirst(ctx, options)} limit ${options.top}`,
    productRow,
  )
  return rows.map((row) => toProduct(ctx, row))
}

/**
 * Up to five related live animals: same category, same breed first, then the nearest price, at most two per seller. Returns rows of `CardRow`, each
 * with the ids of all candidates, because a candidate that is not shown may exclude another one.
 * Each list of candidates compares with a scalar subquery and never with a joined row. Only then does PostgreSQL walk the index of that breed or
 * category from this price and stop after twelve rows; with a join it walks the prices of the whole market.
 */
export function relatedTo(ctx: Ctx, id: number): SQL {
  const ownColumn = (column: string) => sql`(select ${sql.raw(column)} from me)`
  const candidates = (kind: 'breed_id' | 'category_id', direction: 'up' | 'down') => {
    const same = sql`l.${sql.raw(kind)} = ${ownColumn(kind)}`
    const beyond =
      direction === 'up'
        ? sql`l.price >= ${ownColumn('price')} order by l.price, l.id`
        : sql`l.price < ${ownColumn('price')} order by l.price desc, l.id desc`
    return sql`(select l.id from listings l where ${isLive(ctx.now)} and l.id <> ${id}::bigint and ${same} and ${beyond} limit 12)`
  }
  return sql`
    with me as materialized (select l.id, l.category_id, l.breed_id, l.price, l.seller_id from listings l where l.id = ${id}::bigint),
    near as (
      ${candidates('breed_id', 'up')} union ${candidates('breed_id', 'down')} union
      ${candidates('category_id', 'up')} union ${candidates('category_id', 'down')}
    ),
    ranked as (
      select l.id, (l.breed_id is not distinct from me.breed_id) as same_breed, abs(l.price - me.price) as apart,
        row_number() over (partition by l.seller_id order by (l.breed_id is not distinct from me.breed_id) desc, abs(l.price - me.price), l.id) as of_seller
      from near join listings l on l.id = near.id cross join me
    )
    select ${cardColumns(ctx)}, (select array_agg(near.id) from near) as considered
    from ranked join listings l on l.id = ranked.id ${cardPhoto}
    where ranked.of_seller <= 2 order by ranked.same_breed desc, ranked.apart, l.id limit ${RELATED_SHOWN}`
}

const revealContactRow = z.object({ offered: z.boolean(), allowed: z.boolean(), room: z.boolean() })

/**
 * Whether this person may see the seller's number today. The same statement records the reveal; a seller counts once a day. Returns null when
 * nobody is logged in or the listing shows no contact: sold and closed listings show it only to their seller and admins. Reads the seller itself, so it
 * can run in parallel with `getProduct`.
 */
export async function revealContact(ctx: Ctx, listingId: number): Promise<boolean | null> {
  const { viewer } = ctx
  if (!viewer) return null
  const today = indianDay(ctx.now)
  const rows = await rowsOf(
    ctx,
    sql`
    with seller as (
      select l.seller_id as id from listings l
      where l.id = ${listingId}::bigint and ((${isLive(ctx.now)}) or l.seller_id = ${viewer.id}::bigint or ${isOperator(ctx)}::boolean)
    ),
    mine as materialized (select seller_id, place from contact_reveals where viewer_id = ${viewer.id}::bigint and day = ${today}::date),
    known as (select exists (select 1 from mine, seller where mine.seller_id = seller.id) or exists (select 1 from seller where id = ${viewer.id}::bigint) as yes),
    added as (
      insert into contact_reveals (viewer_id, day, seller_id, place)
      select ${viewer.id}::bigint, ${today}::date, seller.id, coalesce((select max(place) from mine), 0) + 1 from seller
      where not (select yes from known) and (select count(*) from mine) < ${CONTACTS_PER_DAY}
      on conflict do nothing returning 1
    )
    select exists (select 1 from seller) as offered, (select yes from known) or exists (select 1 from added) as allowed,
      (select count(*) from mine) < ${CONTACTS_PER_DAY} as room`,
    revealContactRow,
  )
  const { offered, allowed, room } = rows[0]!
  if (!offered) return null
  // Two concurrent first reveals compete for the same slot of the day's fifty; the loser retries.
  return !allowed && room ? revealContact(ctx, listingId) : allowed
}
