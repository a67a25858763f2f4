import { createHash } from 'node:crypto'
import { and, asc, eq, gt } from 'drizzle-orm'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import type { Db } from '#src/kit/database.server.ts'
import { pincodes, sessions, users } from './tables.ts'

export const sessionTokenHash = (token: string) => createHash('sha256').update(token).digest()

/** Who holds this session token, with today's roles; null when it is unknown, over, or its owner was deactivated. */
export async function findViewer(db: Db, token: string, now: Date): Promise<Viewer | null> {
  if (!/^[\w-]{43}$/.test(token)) return null
  const [row] = await db
    .select({ id: users.id, name: users.name, typeId: users.typeId, vetApproved: users.vetApproved, superAdmin: users.superAdmin })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, sessionTokenHash(token)), gt(sessions.expiresAt, now), users.isActive))
  return row ?? null
}

/** Every PIN code with whether we deliver there: about 19,400 rows, in order of the code. */
export async function listDeliverablePincodes(ctx: Ctx): Promise<{ pincode: string; isDeliverable: boolean }[]> {
  return ctx.db.select({ pincode: pincodes.pincode, isDeliverable: pincodes.isDeliverable }).from(pincodes).orderBy(asc(pincodes.pincode))
}
