import { asc } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { pincodes } from './tables.ts'

/** Every PIN code with whether we deliver there: about 19,400 rows, in order of the code. */
export async function listDeliverablePincodes(ctx: Ctx): Promise<{ pincode: string; isDeliverable: boolean }[]> {
  return ctx.db.select({ pincode: pincodes.pincode, isDeliverable: pincodes.isDeliverable }).from(pincodes).orderBy(asc(pincodes.pincode))
}
