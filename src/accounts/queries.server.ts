import { asc } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { pincodes } from './tables.ts'

/** All PIN codes with their delivery flag: about 19,400 rows, ordered by code. */
export async function listDeliverablePincodes(ctx: Ctx): Promise<{ pincode: string; isDeliverable: boolean }[]> {
  return ctx.db.select({ pincode: pincodes.pincode, isDeliverable: pincodes.isDeliverable }).from(pincodes).orderBy(asc(pincodes.pincode))
}
