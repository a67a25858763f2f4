import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { can, phoneFor } from '#src/accounts/policy.ts'
import { CONTACTS_PER_DAY } from '#src/accounts/rules.ts'
import { placeName } from '#src/addresses/places.server.ts'
import { kilometresBetween, readStoredPoint, type Point } from '#src/addresses/places.ts'
import type { Ctx } from '#src/kit/context.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { animalName, breedName, countsOnly, sellerName } from '#src/kit/http/shown-names.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { epochMs, oneRowOf, rowsOf } from '#src/kit/db/rows.server.ts'
import { m } from '#src/paraglide/messages.js'
import { cardColumns, cardPhoto, cardRow, isLive, isPublic, toCard, type ListingCard } from '#src/listings/browse/browse.server.ts'
import { newestReviews, reviewRow, toReviews, type SellerReview } from '#src/listings/browse/reviews-rows.server.ts'
import { RELATED_SHOWN, REVIEWS_SHOWN } from '#src/listings/life/rules.ts'
import { soldBy, toUsualPrice, usualPriceOf, usualPriceShape, type UsualPrice } from '#src/listings/browse/usual-price.server.ts'
import { bestFirst, withChosen, type TrendingOptions } from '#src/listings/browse/trending.server.ts'
import { factSelect } from './fields/field-select.server.ts'
import { productRow, type ProductRow } from './product-rows.server.ts'
import { proofColumns } from './proofs/proof-select.server.ts'

/** A listing with all data of the product page and the API, already without the fields that the viewer may not see. */
export interface Product extends Omit<ProductRow, 'pickup'> {
  /** Visible to the owner, to admins, and to the vet who holds the animal. */
  pickup: ProductRow['pickup'] | null
}

const isVet = (ctx: Ctx) => can(ctx.viewer, 'vet')
const isOperator = (ctx: Ctx) => can(ctx.viewer, 'operate')

/** The public sees passed listings of active sellers, sellers see all their own, admins see all. */
export const visibleTo = (ctx: Ctx): SQL =>
  isOperator(ctx) ? sql`true` : ctx.viewer ? sql`(${isPublic} or l.seller_id = ${ctx.viewer.id}::bigint)` : isPublic

function productColumns(ctx: Ctx): SQL {
  const english = ctx.locale === 'en'
  return sql`
    l.id::float8 as id, l.category_id as "categoryId", l.breed_id as "breedId", l.age_id as "ageId", l.gender_id as "genderId",
    l.color_id as "colorId", l.feed_type_id as "feedTypeId", l.weight_kg::float8 as "weightKg", l.owner_name as "ownerName",
    l.stock, l.original_price::text as "originalPrice", l.offer_price::text as "offerPrice",
    ${factSelect()}, l.state, l.verification_comment as "verificationComment", l.is_sold as "isSold",
    l.sold_through_sandhai as "soldThroughSandhai", l.is_sample as "isSample", l.pincode, l.taluk, l.district,
    l.state_name as "stateName", l.tag_mac is not null as "hasTag", l.version, l.revision,
    l.created_by_id::float8 as "createdById", l.editor_id::float8 as "editorId",
    ${epochMs(sql`l.changed_at`)} as "changedAt", ${epochMs(sql`l.submitted_at`)} as "submittedAt",
    ${epochMs(sql`l.created_at`)} as "createdAt", ${epochMs(sql`l.touched_at`)} as "touchedAt",
    ${english ? sql`coalesce(l.name_en, l.name)` : sql`l.name`} as name,
    ${english ? sql`coalesce(l.description_en, l.description)` : sql`l.description`} as description,
    coalesce((select z.is_deliverable from pincodes z where z.pincode = l.pincode::char(6)), false) as "pickupDeliverable",
    (select json_build_object('id', u.id, 'name', u.name, 'isVerified', u.is_verified, 'phone', u.phone,
       'stars', r.stars, 'ratings', r.ratings, 'reviews', r.reviews)
     from users u, lateral (select round(avg(s.stars), 2)::float8 as stars, count(s.stars)::int as ratings, count(*)::int as reviews
       from seller_reviews s where s.seller_id = u.id and not s.is_hidden) r where u.id = l.seller_id) as seller,
    (select json_build_object('id', a.id, 'name', a.name, 'address1', a.address_1, 'address2', a.address_2, 'phone', a.phone, 'typeId', a.type_id)
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
     from vet_checks v join users w on w.id = v.vet_id where v.listing_id = l.id) as "vetChecks",
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
    } as "askedBy",
    ${
      isVet(ctx) || isOperator(ctx)
        ? sql`(select json_build_object('vetId', h.vet_id, 'until', ${epochMs(sql`h.held_until`)})
                from vet_holds h join users w on w.id = h.vet_id and w.is_active and w.type_id = 5 and w.vet_approved
                where h.listing_id = l.id and h.held_until > ${ctx.now.toISOString()}::timestamptz)`
        : sql`null::json`
    } as hold,
    l.views_before + (select count(*)::int from listing_views n where n.listing_id = l.id) as views,
    (select ${epochMs(sql`max(n.viewed_at)`)} from listing_views n where n.listing_id = l.id) as "lastViewedAt"`
}

/** The name for a person whose account was erased. */
const erasedUserName = ({ locale }: Ctx) => m.profile_deleted_user({}, { locale })

function toProduct(ctx: Ctx, row: ProductRow): Product {
  ctx.shows?.add(animalName(row.id))
  const { viewer, locale } = ctx
  const { hold, seller } = row
  const isOwner = viewer?.id === seller.id
  // After the sale, no vet needs the address.
  const hasTaken = isVet(ctx) && hold?.vetId === viewer?.id && !row.isSold && row.stock > 0
  const mayFetch = isOwner || isOperator(ctx) || hasTaken
  return {
    ...row,
    // The comment is addressed to the seller.
    verificationComment: isOwner || isOperator(ctx) ? row.verificationComment : null,
    district: placeName(row.district, locale),
    stateName: placeName(row.stateName, locale),
    seller: { ...seller, phone: phoneFor(viewer, seller.phone, seller.id) },
    pickup: mayFetch ? { ...row.pickup, phone: phoneFor(viewer, row.pickup.phone, seller.id) } : null,
    vetChecks: row.vetChecks.map((check) => ({ ...check, vetName: check.vetName || erasedUserName(ctx) })),
    verifications: row.verifications.map((event) => ({ ...event, adminName: event.adminName || erasedUserName(ctx) })),
  }
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
    newestReviews: z.array(reviewRow).nullable(),
    standsAt: z.string().nullable(),
    home: pointShape.nullable(),
    usualPrice: usualPriceShape,
    soldBySeller: z.number(),
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
      ${newestReviews(sql`l.seller_id`, REVIEWS_SHOWN)} as "newestReviews",
      (select json_agg(r) from (${relatedTo(ctx, id)}) r) as related,
      (select json_build_object('taluk', z.taluk, 'district', z.district, 'isDeliverable', z.is_deliverable, 'lat', z.lat, 'lon', z.lon)
       from pincodes z where z.pincode = ${pincode}) as destination,
      l.location::text as "standsAt", ${homeOf(ctx)} as home,
      (select row_to_json(u) from (${usualPriceOf(ctx, id)}) u) as "usualPrice", ${soldBy(sql`l.seller_id`)} as "soldBySeller"
    from listings l where l.id = ${id}::bigint and ${visibleTo(ctx)}) found`,
    getProductWithRelatedRow,
  )
  if (!rows[0]) throw notFound()
  const { related: cards, destination, newestReviews: reviews, standsAt, home, usualPrice, soldBySeller, ...row } = rows[0].found
  // This is the whole page. Of the rest of the market, it depends only on the usual price, the seller's sales and the candidates for related animals.
  const considered = (cards ?? []).flatMap((card) => card.considered)
  countsOnly(ctx, [breedName(row.breedId), sellerName(row.seller.id), ...considered.map(animalName)])
  const related = (cards ?? []).map((card) => toCard(ctx, card, null))
  const reader = destination ?? home
  return {
    product: toProduct(ctx, row),
    related,
    destination,
    reviews: toReviews(reviews),
    kilometres: standsAt && isPoint(reader) ? kilometresBetween(reader, readStoredPoint(standsAt)) : null,
    usualPrice: toUsualPrice(usualPrice),
    soldBySeller,
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
  if (last) ctx.shows?.add(animalName(rows[top]!.id))
  return {
    products: rows.slice(0, top).map((row) => toProduct(ctx, row)),
    next: last && { value: String(last.createdAt.getTime()), id: last.id },
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
  const { offered, allowed, room } = await oneRowOf(
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
  if (!offered) return null
  // Two concurrent first reveals compete for the same slot of the day's fifty; the loser retries.
  return !allowed && room ? revealContact(ctx, listingId) : allowed
}
