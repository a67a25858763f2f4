import { and, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { limitCounts } from '#src/kit/db/tables.ts'
import { tally } from '#src/kit/base/tally.server.ts'
import type { RateLimits } from '#src/kit/db/rate-limits.server.ts'
import { otps, users } from '../tables.ts'

/**
 * Limits the codes that strangers leave unused, over the whole market (decision 0113). People use nearly all of their codes, so an attack
 * fills these shares and a crowd of people does not. Each purpose has a share of its own, so that an attack by one leaves the others open.
 * `members`: logins by code at numbers with an account, once those at any number have filled their share.
 */
export type Share = 'register' | 'reset' | 'sign-in' | 'members'

/** The part of the SMS budget, of an hour and of a day, that unused codes of each share may fill; 0.9 together, as strangers may fill at most. */
const shareOfBudget: Record<Share, number> = { register: 1 / 2, reset: 2 / 15, 'sign-in': 2 / 15, members: 2 / 15 }

/** How doubtful the asker's network is: their address, or a wider network around it, left most of its codes of the last day unused. */
export type Doubt = 'none' | 'network' | 'address'

/** Up to this part of a share a code is sent at once, then after a wait, and from `most` on not at all. */
const stages: Record<Doubt, { atOnce: number; most: number }> = {
  none: { atOnce: 0.6, most: 1 },
  network: { atOnce: 0.4, most: 0.6 },
  address: { atOnce: 0.4, most: 0.4 },
}

/** The wait of a stranger whose network is not in doubt while the share is nearly used up. */
const QUEUE_SECONDS = 120
const QUEUE_REMEMBERED_SECONDS = 3600
const REFUSED_SECONDS = 600

/** Seconds that this asker must wait for a code; 0: none. `waiter` names the asker and the number in the queue. */
export async function waitForShare(
  ctx: Ctx,
  { limits, share, doubt, waiter }: { limits: RateLimits; share: Share; doubt: Doubt; waiter: string },
): Promise<number> {
  const filled = await filledPart(ctx, limits, share)
  const { atOnce, most } = stages[doubt]
  if (filled < atOnce) return 0
  if (filled >= most) tally('sandhai_codes_refused_total', { share, doubt })
  return filled < most ? secondsInQueue(ctx, `otpQueue:${waiter}`) : REFUSED_SECONDS
}

async function filledPart(ctx: Ctx, limits: RateLimits, share: Share): Promise<number> {
  const [unused] = await ctx.db
    .select({
      hour: sql<number>`(count(*) filter (where ${otps.createdAt} > now() - interval '1 hour'))::int`,
      day: sql<number>`count(*)::int`,
    })
    .from(otps)
    .where(
      and(
        gt(otps.createdAt, sql`now() - interval '1 day'`),
        eq(otps.wasUsed, false),
        ne(otps.asker, 'known'),
        eq(otps.purpose, share === 'members' ? 'sign-in' : share),
        share === 'members' ? inArray(otps.phone, ctx.db.select({ phone: users.phone }).from(users)) : undefined,
        // A pretended code sent no SMS.
        sql`${otps.salt} <> ''::bytea`,
      ),
    )
  const part = shareOfBudget[share]
  return Math.max(unused!.hour / (part * limits.pointsOf('otpAllHour')), unused!.day / (part * limits.pointsOf('otpAllDay')))
}

/** The first refusal starts the wait, and asking too early does not prolong it. */
async function secondsInQueue(ctx: Ctx, key: string): Promise<number> {
  const isOver = sql`${limitCounts.expire} <= now()`
  const end = sql`now() + make_interval(secs => ${QUEUE_REMEMBERED_SECONDS}::int)`
  const [queued] = await ctx.db
    .insert(limitCounts)
    .values({ key, points: 0, expire: end })
    .onConflictDoUpdate({
      target: limitCounts.key,
      set: { expire: sql`case when ${isOver} then ${end} else ${limitCounts.expire} end` },
    })
    .returning({ waited: sql<number>`${QUEUE_REMEMBERED_SECONDS}::int - extract(epoch from ${limitCounts.expire} - now())::float8` })
  return Math.max(0, Math.ceil(QUEUE_SECONDS - queued!.waited))
}
