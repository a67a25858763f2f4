import { and, asc, eq, sql } from 'drizzle-orm'
import { users } from '#src/accounts/tables.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/database.server.ts'
import type { Money } from '#src/kit/money.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { cardColumns, cardPhoto, isSellerActive, toCard, type CardRow, type ListingCard } from '#src/listings/browse.server.ts'
import { isOwnListing, type ListingState } from '#src/listings/life.ts'
import { knownIds } from '#src/listings/lookups.server.ts'
import { availabilityOf, type Availability } from '#src/listings/rules.ts'
import { browsePath, readBrowse, type BrowseChoices } from '#src/listings/schemas.ts'
import { listings } from '#src/listings/tables.ts'
import { MAX_SAVED_LISTINGS, MAX_SAVED_SEARCHES } from './rules.ts'
import { ALERT_KINDS, alertsOff, savedListings, savedSearches } from './tables.ts'
import type { AlertKind } from './once-a-day.server.ts'

export interface SavedListing {
  card: ListingCard
  /** When it was saved, or when the reader was last told of a lower one. */
  priceThen: Money
  priceNow: Money
  /** `gone`: its seller has withdrawn it, or it is looked at anew. */
  availability: Availability | 'gone'
}

/** What the viewer keeps an eye on, the newest first. */
export async function listSavedListings(ctx: Ctx): Promise<SavedListing[]> {
  const { id } = requireViewer(ctx)
  const { rows } = (await ctx.db.execute(sql`
    select ${cardColumns(ctx)}, '' as sort_value, 0 as found, s.known_price::text as known_price, l.price::text as price, l.state, l.is_sold,
      floor(extract(epoch from l.touched_at) * 1000)::float8 as touched_ms, ${isSellerActive} as is_seller_active
    from saved_listings s join listings l on l.id = s.listing_id ${cardPhoto}
    where s.user_id = ${id}::bigint order by s.created_at desc, l.id desc`)) as unknown as { rows: SavedRow[] }
  return rows.map((row) => ({
    card: toCard(ctx, row, null),
    priceThen: BigInt(row.known_price),
    priceNow: BigInt(row.price),
    availability:
      row.state === 'passed' && row.is_seller_active
        ? availabilityOf({ isSold: row.is_sold, stock: row.stock, touchedAt: new Date(row.touched_ms) }, ctx.now)
        : 'gone',
  }))
}

interface SavedRow extends CardRow {
  known_price: string
  price: string
  state: ListingState
  is_sold: boolean
  touched_ms: number
  is_seller_active: boolean
}

/** One that everybody sees; saved once, it stays as it was. NOT_FOUND, OWN_LISTING, SAVED_FULL. */
export async function saveListing(ctx: Ctx, listingId: number): Promise<void> {
  const viewer = requireViewer(ctx)
  await inTransaction(ctx, async (ctx) => {
    await lockPerson(ctx, viewer.id)
    const [listing] = await ctx.db.select().from(listings).where(eq(listings.id, listingId))
    if (listing?.state !== 'passed') throw notFound()
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

/** One that everybody sees, and whether the viewer has saved it. NOT_FOUND. */
export async function getToSave(ctx: Ctx, listingId: number): Promise<{ card: ListingCard; isSaved: boolean }> {
  const { id } = requireViewer(ctx)
  const { rows } = (await ctx.db.execute(sql`
    select ${cardColumns(ctx)}, '' as sort_value, 0 as found,
      exists (select 1 from saved_listings s where s.listing_id = l.id and s.user_id = ${id}::bigint) as is_saved
    from listings l ${cardPhoto} where l.id = ${listingId}::bigint and l.state = 'passed' and ${isSellerActive}`)) as unknown as {
    rows: (CardRow & { is_saved: boolean })[]
  }
  const [row] = rows
  if (!row) throw notFound()
  return { card: toCard(ctx, row, null), isSaved: row.is_saved }
}

/** Nothing when it was not saved. */
export async function unsaveListing(ctx: Ctx, listingId: number): Promise<void> {
  const { id } = requireViewer(ctx)
  await ctx.db.delete(savedListings).where(and(eq(savedListings.userId, id), eq(savedListings.listingId, listingId)))
}

export interface SavedSearch {
  id: number
  choices: BrowseChoices
  /** The bare path of the list. */
  path: string
}

/** A search as the list page's address says it: its choices, and the one spelling by which it is kept. How it is sorted is none of it. */
export function readSavedSearch(path: string): { category: number; query: string; choices: BrowseChoices } {
  const [, typeId = '0', query = ''] = /^\/buy\/(\d{1,4})\/?(?:\?(.*))?$/i.exec(path) ?? []
  const { choices } = readBrowse(knownIds.categoryIds.has(Number(typeId)) ? Number(typeId) : 0, new URLSearchParams(query), knownIds)
  const { sort: _sort, after: _after, ...what } = choices
  const [, category = '0', kept = ''] = /^\/buy\/(\d+)\??(.*)$/.exec(browsePath(what)) ?? []
  return { category: Number(category), query: kept, choices: { ...what, sort: 'newest', after: null } }
}

const toSearch = ({ id, category, query }: { id: number; category: number; query: string }): SavedSearch => {
  const path = `/buy/${category}${query && `?${query}`}`
  return { id, path, choices: readSavedSearch(path).choices }
}

export async function listSavedSearches(ctx: Ctx, userId = requireViewer(ctx).id): Promise<(SavedSearch & { lookedAt: Date })[]> {
  const rows = await ctx.db.select().from(savedSearches).where(eq(savedSearches.userId, userId)).orderBy(asc(savedSearches.id))
  return rows.map((row) => ({ ...toSearch(row), lookedAt: row.lookedAt }))
}

/** Saved once, it stays as it was. SAVED_FULL. */
export async function saveSearch(ctx: Ctx, path: string): Promise<void> {
  const { id: userId } = requireViewer(ctx)
  const { category, query } = readSavedSearch(path)
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

/** Nothing when it is gone already, or another's. */
export async function removeSearch(ctx: Ctx, searchId: number): Promise<void> {
  const { id } = requireViewer(ctx)
  await ctx.db.delete(savedSearches).where(and(eq(savedSearches.id, searchId), eq(savedSearches.userId, id)))
}

/** Which alerts the viewer gets. */
export async function readSwitches(ctx: Ctx): Promise<Record<AlertKind, boolean>> {
  const { id } = requireViewer(ctx)
  const off = await ctx.db.select({ kind: alertsOff.kind }).from(alertsOff).where(eq(alertsOff.userId, id))
  return Object.fromEntries(ALERT_KINDS.map((kind) => [kind, !off.some((each) => each.kind === kind)])) as Record<AlertKind, boolean>
}

/** Switched on again, one is told of what comes from now on. */
export async function switchAlerts(ctx: Ctx, kind: AlertKind, isOn: boolean): Promise<void> {
  const { id: userId } = requireViewer(ctx)
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

/** Two of his at once are counted one after the other. */
async function lockPerson(ctx: Ctx, userId: number): Promise<void> {
  await ctx.db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
}

function requireViewer({ viewer }: Ctx): Viewer {
  if (!viewer) throw new Problem('AUTH_REQUIRED')
  return viewer
}
