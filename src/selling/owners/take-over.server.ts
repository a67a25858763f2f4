import { firstRow } from '#src/kit/db/rows.server.ts'
import { and, asc, eq } from 'drizzle-orm'
import { addAddress } from '#src/addresses/addresses.server.ts'
import { requireCan, requireLoggedIn } from '#src/accounts/policy.ts'
import { users } from '#src/accounts/tables.ts'
import { addresses } from '#src/addresses/tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { lifeStateOf } from '#src/listings/life/life.ts'
import { listings } from '#src/listings/tables.ts'
import { holdPickup } from '#src/listings/write/write-listing.server.ts'
import type { ListingRow } from '../own-listings-lock.server.ts'
import { listingDrafts, ownerConsents } from '../tables.ts'
import { agreedColumns, isOpen } from './consents.server.ts'
import { notifyOfTakeOver } from './owner-messages.server.ts'
import { findOwner } from './owners.server.ts'

async function openFor(ctx: Ctx) {
  const [person] = await ctx.db
    .select({ name: users.name, phone: users.phone })
    .from(users)
    .where(eq(users.id, ctx.viewer?.id ?? 0))
  const owner = person ? await findOwner(ctx, person.phone) : null
  if (!person || !owner) return null
  const rows = await ctx.db
    .select({ listing: listings, agentId: ownerConsents.agentId, agent: users.name })
    .from(ownerConsents)
    .innerJoin(listings, eq(listings.id, ownerConsents.listingId))
    .innerJoin(users, eq(users.id, ownerConsents.agentId))
    .where(and(eq(ownerConsents.ownerId, owner.id), isOpen))
    .orderBy(asc(listings.id))
  return { person, rows: rows.filter(({ listing }) => lifeStateOf(listing) !== 'sold') }
}

/** The listings that agents made for the viewer's own verified number; null for none. */
export async function findListedForMe(ctx: Ctx) {
  const open = await openFor(ctx)
  if (!open || open.rows.length === 0) return null
  return { count: open.rows.length, agents: [...new Set(open.rows.map(({ agent }) => agent))] }
}

/**
 * An owner has registered with their number and sells themselves: moves all listings that agents made for the number to them, with the
 * pickup place. The row keeps the agent as the one who typed it in. Orders stay, and the agents get an SMS. Returns the number of listings.
 * ROLE_FORBIDDEN, TOO_MANY_ADDRESSES.
 */
export async function takeOver(ctx: Ctx): Promise<number> {
  const { id: viewerId } = requireCan(ctx, 'sell')
  return inTransaction(ctx, async (ctx) => {
    await ctx.db.select({ id: users.id }).from(users).where(eq(users.id, viewerId)).for('no key update')
    const open = await openFor(ctx)
    const pickups = new Map<number, number>()
    const countByAgent = new Map<number, number>()
    for (const { listing: seen, agentId } of open?.rows ?? []) {
      const [listing] = await ctx.db.select().from(listings).where(eq(listings.id, seen.id)).for('no key update')
      const [consent] = await ctx.db
        .update(ownerConsents)
        .set({ state: 'taken', answeredAt: ctx.now })
        .where(and(eq(ownerConsents.listingId, seen.id), isOpen))
        .returning({ listingId: ownerConsents.listingId })
      if (!consent || !listing || lifeStateOf(listing) === 'sold') continue
      const pickup = pickups.get(listing.pickupAddressId) ?? (await copyPickup(ctx, listing.pickupAddressId, open!.person))
      pickups.set(listing.pickupAddressId, pickup)
      await makeTheirs(ctx, listing, pickup)
      countByAgent.set(agentId, (countByAgent.get(agentId) ?? 0) + 1)
    }
    for (const [agentId, count] of countByAgent) await notifyOfTakeOver(ctx, agentId, open!.person.name, count)
    return [...countByAgent.values()].reduce((sum, count) => sum + count, 0)
  })
}

async function copyPickup(ctx: Ctx, addressId: number, { name, phone }: { name: string; phone: string }): Promise<number> {
  const { typeId, address1, address2, pincode } = firstRow(await ctx.db.select().from(addresses).where(eq(addresses.id, addressId)))
  return addAddress(ctx, requireLoggedIn(ctx).id, { name, phone, typeId, address1, address2, pincode })
}

async function makeTheirs(ctx: Ctx, listing: ListingRow, pickupAddressId: number): Promise<void> {
  const sellerId = requireLoggedIn(ctx).id
  const agreed = await agreedColumns(ctx, listing)
  // The agent's unsaved edit is their own data.
  await ctx.db.delete(listingDrafts).where(eq(listingDrafts.listingId, listing.id))
  await ctx.db
    .update(listings)
    .set({
      ...(await holdPickup(ctx, sellerId, pickupAddressId)),
      sellerId,
      pickupAddressId,
      ownerName: null,
      ownerAgreed: null,
      ...agreed,
    })
    .where(eq(listings.id, listing.id))
  await audit(ctx, 'owner_took_over', `listing:${listing.id}`, { from: listing.sellerId })
}
