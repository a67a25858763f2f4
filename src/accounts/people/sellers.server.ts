import { and, eq, inArray, type SQL } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { phoneFor } from '../policy.ts'
import { SELLER_TYPES } from '../rules.ts'
import { isHere, users } from '../tables.ts'

export interface Seller {
  id: number
  name: string
  /** As the viewer sees it. Not public: callers check first whether the viewer may see it at all. */
  phone: string
}

/** Null for people who do not sell, were deactivated or erased. */
export async function findSeller(ctx: Ctx, which: SQL): Promise<Seller | null> {
  const [seller] = await ctx.db
    .select({ id: users.id, name: users.name, phone: users.phone })
    .from(users)
    .where(and(which, isHere, inArray(users.typeId, SELLER_TYPES)))
  return seller ? { ...seller, phone: phoneFor(ctx.viewer, seller.phone, seller.id) } : null
}

/** A seller's public data; NOT_FOUND for people who do not sell, were deactivated or erased. */
export async function requireSeller(ctx: Ctx, sellerId: number): Promise<Pick<Seller, 'id' | 'name'>> {
  const seller = await findSeller(ctx, eq(users.id, sellerId))
  if (!seller) throw notFound()
  return { id: seller.id, name: seller.name }
}
