import { desc, eq } from 'drizzle-orm'
import type { AddressUse } from '#src/addresses/address-use.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { listingsAtAddresses } from '#src/listings/browse/listings-at-addresses.server.ts'
import { orderGroups } from './tables.ts'

async function findLastOrdered(ctx: Ctx, buyerId: number): Promise<number | null> {
  const [last] = await ctx.db
    .select({ addressId: orderGroups.addressId })
    .from(orderGroups)
    .where(eq(orderGroups.buyerId, buyerId))
    .orderBy(desc(orderGroups.createdAt), desc(orderGroups.id))
    .limit(1)
  return last?.addressId ?? null
}

/** How listings and orders use addresses. */
export const usedAddresses: AddressUse = { ...listingsAtAddresses, lastOrdered: findLastOrdered }
