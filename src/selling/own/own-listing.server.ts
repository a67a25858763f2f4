import { and, asc, eq, sql } from 'drizzle-orm'
import { can } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { listingPhotos, listings } from '#src/listings/tables.ts'
import { parseId } from '#src/kit/ids.ts'

export interface OwnListing {
  id: number
  name: string
  photoKey: string | null
}

/** The viewer's own listing, or any listing for an admin, by the id in an address; else null. */
export async function findOwnListing(ctx: Ctx, text: string | null): Promise<OwnListing | null> {
  const id = parseId(text)
  if (id === null) return null
  const [listing] = await ctx.db
    .select({ id: listings.id, name: listings.name, photoKey: listingPhotos.mediaKey })
    .from(listings)
    .leftJoin(listingPhotos, and(eq(listingPhotos.listingId, listings.id), eq(listingPhotos.position, 0)))
    .where(and(eq(listings.id, Number(id)), can(ctx.viewer, 'operate') ? sql`true` : eq(listings.sellerId, ctx.viewer?.id ?? 0)))
    .orderBy(asc(listings.id))
  return listing ?? null
}
