import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { requireLoggedIn } from '#src/accounts/policy.ts'
import { users } from '#src/accounts/tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import type { Money } from '#src/kit/time-money/money.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import { epochMs, moneyShape, momentShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { cardColumns, cardPhoto, cardRow, isPublic, toCard, type ListingCard } from '#src/listings/browse/browse.server.ts'
import { isOwnListing } from '#src/listings/policy.ts'
import { knownIds, lookups, nameOf } from '#src/listings/reference/lookups.server.ts'
import { availabilityOf, type Availability } from '#src/listings/life/rules.ts'
import { browsePath, readBrowse, type BrowseChoices } from '#src/listings/browse/schemas.ts'
import { traitNames } from '#src/listings/traits/traits.ts'
import { listings } from '#src/listings/tables.ts'
import { MAX_SAVED_LISTINGS, MAX_SAVED_SEARCHES, MAX_SEARCH_PATH } from './rules.ts'
import { ALERT_KINDS, alertsOff, savedListings, savedSearches } from './tables.ts'
import type { AlertKind } from './once-a-day.server.ts'

interface Kept {
  id: number
  /** The price when it was saved, or when the person was last notified of a lower one. */
  priceThen: Money
}
/** `gone`: withdrawn, in verification again, or its seller has left. Its present text is not verified. */
type SavedListing = Kept & ({ availability: Availability; card: ListingCard; priceNow: Money } | { availability: 'gone'; category: string })

/** The viewer's saved animals, newest first. */
export async function listSavedListings(ctx: Ctx): Promise<SavedListing[]> {
  const { id } = requireLoggedIn(ctx)
  const rows = await rowsOf(
    ctx,
    sql`
    select ${cardColumns(ctx)}, s.known_price::text as "priceThen", l.price::text as "priceNow", l.is_sold as "isSold",
      ${epochMs(sql`l.touched_at`)} as "touchedAt", ${isPublic} as "isPublic"
    from saved_listings s join listings l on l.id = s.listing_id ${cardPhoto}
    where s.user_id = ${id}::bigint order by s.created_at desc, l.id desc`,
    savedRow,
  )
  return rows.map((row) => {
    const { id, priceThen, priceNow } = row
    if (!row.isPublic) return { id, priceThen, availability: 'gone', category: nameOf(lookups.category(row.categoryId), ctx.locale) }
    return { id, priceThen, availability: availabilityOf(row, ctx.now), card: toCard(ctx, row, null), priceNow }
  })
}

const savedRow = cardRow.extend({
  priceThen: moneyShape,
  priceNow: moneyShape,
  isSold: z.boolean(),
  touchedAt: momentShape,
  isPublic: z.boolean(),
})

/** Saves a public listing; idempotent. NOT_FOUND, OWN_LISTING, SAVED_FULL. */
export async function saveListing(ctx: Ctx, listingId: number): Promise<void> {
  const viewer = requireLoggedIn(ctx)
  await inTransaction(ctx, async (ctx) => {
    await lockPerson(ctx, viewer.id)
    const l = alias(listings, 'l')
    const [listing] = await ctx.db
      .select()
      .from(l)
      .where(and(eq(l.id, listingId), isPublic))
    if (!listing) throw notFound()
    if (isOwnListing(viewer, listing)) throw new Problem('OWN_LISTING')
    const added = await ctx.db
      .insert(savedListings)
      .values({ userId: viewer.id, listingId, knownPrice: listing.price, createdAt: ctx.now })
      .onConflictDoNothing()
      .returning({ id: savedListings.listingId })
    if (added.length > 0 && (await ctx.db.$count(savedListings, eq(savedListings.userId, viewer.id))) > MAX_SAVED_LISTINGS)
      throw new Problem('SAVED_FULL')
  })
}

const getToSaveRow = cardRow.extend({ isSaved: z.boolean() })

/** A public listing, and whether the viewer has saved it. NOT_FOUND. */
export async function getToSave(ctx: Ctx, listingId: number): Promise<{ card: ListingCard; isSaved: boolean }> {
  const { id } = requireLoggedIn(ctx)
  const rows = await rowsOf(
    ctx,
    sql`
    select ${cardColumns(ctx)},
      exists (select 1 from saved_listings s where s.listing_id = l.id and s.user_id = ${id}::bigint) as "isSaved"
    from listings l ${cardPhoto} where l.id = ${listingId}::bigint and ${isPublic}`,
    getToSaveRow,
  )
  const [row] = rows
  if (!row) throw notFound()
  return { card: toCard(ctx, row, null), isSaved: row.isSaved }
}

/** Ids of the viewer's saved animals, newest first. */
export async function listSavedIds(ctx: Ctx): Promise<number[]> {
  const { id } = requireLoggedIn(ctx)
  const rows = await ctx.db
    .select({ id: savedListings.listingId })
    .from(savedListings)
    .where(eq(savedListings.userId, id))
    .orderBy(desc(savedListings.createdAt), desc(savedListings.listingId))
  return rows.map((row) => row.id)
}

/** Does nothing when it was not saved. */
export async function unsaveListing(ctx: Ctx, listingId: number): Promise<void> {
  const { id } = requireLoggedIn(ctx)
  await ctx.db.delete(savedListings).where(and(eq(savedListings.userId, id), eq(savedListings.listingId, listingId)))
}

interface SavedSearch {
  id: number
  choices: BrowseChoices
  /** The path of the list without its query. */
  path: string
}

/** The filters in a list page's address, each with a validator of its value. */
const filters = new Map<string, (value: string, choices: BrowseChoices) => boolean>([
  ['category', (value, { categoryIds }) => categoryIds.includes(Number(value))],
  ['breed', (value, { breedIds }) => breedIds.includes(Number(value))],
  ['q', (_, { text }) => text !== ''],
  ['min', (_, { minPrice }) => minPrice !== null],
  ['max', (_, { maxPrice }) => maxPrice !== null],
  ['near', (_, { near }) => near !== ''],
  ['within', (value, { withinKm }) => withinKm === Number(value)],
  ...traitNames.map((name): [string, (value: string, choices: BrowseChoices) => boolean] => [
    name,
    (value, { traits }) => traits[name] === value,
  ]),
  ['sort', () => true],
  ['after', () => true],
])

/**
 * Parses a search from the address of the list page. Null for other addresses and for an unknown or invalid filter, because the search
 * without that filter would find the wrong animals.
 */
export function readSavedSearch(path: string): ReturnType<typeof readSearch> | null {
  const [, typeId, query = ''] = (path.length <= MAX_SEARCH_PATH && /^\/buy\/(\d{1,4})\/?(?:\?(.*))?$/i.exec(path)) || []
  if (typeId === undefined || (Number(typeId) !== 0 && !knownIds.categoryIds.has(Number(typeId)))) return null
  const search = readSearch(Number(typeId), query)
  const isKnown = [...new URLSearchParams(query)].every(([name, value]) => value === '' || filters.get(name)?.(value, search.choices))
  return isKnown ? search : null
}

/** The filters, and the canonical spelling in which the search is stored, without the sort order. */
function readSearch(typeId: number, search: string): { category: number; query: string; choices: BrowseChoices } {
  const { choices } = readBrowse(typeId, new URLSearchParams(search), knownIds)
  const { sort: _sort, after: _after, ...what } = choices
  const [, category = '0', kept = ''] = /^\/buy\/(\d+)\??(.*)$/.exec(browsePath(what)) ?? []
  return { category: Number(category), query: kept, choices: { ...what, sort: 'newest', after: null } }
}

const toSearch = ({ id, category, query }: { id: number; category: number; query: string }): SavedSearch => ({
  id,
  path: `/buy/${category}${query && `?${query}`}`,
  choices: readSearch(category, query).choices,
})

export async function listSavedSearches(ctx: Ctx, userId = requireLoggedIn(ctx).id): Promise<(SavedSearch & { lookedAt: Date })[]> {
  const rows = await ctx.db.select().from(savedSearches).where(eq(savedSearches.userId, userId)).orderBy(asc(savedSearches.id))
  return rows.map((row) => ({ ...toSearch(row), lookedAt: row.lookedAt }))
}

/** Saves a search; idempotent. VALIDATION for an address that is not a search, SAVED_FULL. */
export async function saveSearch(ctx: Ctx, path: string): Promise<void> {
  const { id: userId } = requireLoggedIn(ctx)
  const search = readSavedSearch(path)
  if (!search) throw invalidField('path', 'field_wrong')
  const { category, query } = search
  await inTransaction(ctx, async (ctx) => {
    await lockPerson(ctx, userId)
    const added = await ctx.db
      .insert(savedSearches)
      .values({ userId, category, query, createdAt: ctx.now, lookedAt: ctx.now })
      .onConflictDoNothing()
      .returning({ id: savedSearches.id })
    if (added.length > 0 && (await ctx.db.$count(savedSearches, eq(savedSearches.userId, userId))) > MAX_SAVED_SEARCHES)
      throw new Problem('SAVED_FULL')
  })
}

/** Does nothing when it is unknown or another person's. */
export async function removeSearch(ctx: Ctx, searchId: number): Promise<void> {
  const { id } = requireLoggedIn(ctx)
  await ctx.db.delete(savedSearches).where(and(eq(savedSearches.id, searchId), eq(savedSearches.userId, id)))
}

export async function readSwitches(ctx: Ctx): Promise<Record<AlertKind, boolean>> {
  const { id } = requireLoggedIn(ctx)
  const off = await ctx.db.select({ kind: alertsOff.kind }).from(alertsOff).where(eq(alertsOff.userId, id))
  return Object.fromEntries(ALERT_KINDS.map((kind) => [kind, !off.some((each) => each.kind === kind)])) as Record<AlertKind, boolean>
}

/** After switching on again, a person gets alerts only about later changes. */
export async function switchAlerts(ctx: Ctx, kind: AlertKind, isOn: boolean): Promise<void> {
  const { id: userId } = requireLoggedIn(ctx)
  await inTransaction(ctx, async (ctx) => {
    if (!isOn) return void (await ctx.db.insert(alertsOff).values({ userId, kind }).onConflictDoNothing())
    const was = await ctx.db
      .delete(alertsOff)
      .where(and(eq(alertsOff.userId, userId), eq(alertsOff.kind, kind)))
      .returning({ kind: alertsOff.kind })
    if (was.length > 0 && kind === 'saved')
      await ctx.db.update(savedSearches).set({ lookedAt: ctx.now }).where(eq(savedSearches.userId, userId))
  })
}

/** Serialises concurrent requests of this person, so that limits hold. */
async function lockPerson(ctx: Ctx, userId: number): Promise<void> {
  await ctx.db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
}
