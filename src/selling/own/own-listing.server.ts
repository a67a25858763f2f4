import { and, asc, eq, sql } from 'drizzle-orm'
import { can } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { listingPhotos, listings } from '#src/listings/tables.ts'

export interface OwnListing {
  id: number
  name: string
  photoKey: string | null
}

/** One of the viewer's own listings, or for an admin anybody's, by the id in an address; null for any other. */
export async function findOwnListing(ctx: Ctx, id: string | null): Promise<OwnListing | null> {
  if (!id || !/^[1-9]\d{0,14}$/.test(id)) return null
  const [listing] = await ctx.db
    .select({ id: listings.id, name: listings.name, photoKey: listingPhotos.mediaKey })
    .from(listings)
    .leftJoin(listingPhotos, and(eq(listingPhotos.listingId, listings.id), eq(listingPhotos.position, 0)))
    .where(and(eq(listings.id, Number(id)), can(ctx.viewer, 'operate') ? sql`true` : eq(listings.sellerId, ctx.viewer?.id ?? 0)))
    .orderBy(asc(listings.id))
  return listing ?? null
}
