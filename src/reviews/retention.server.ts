import { lt, sql } from 'drizzle-orm'
import type { Db } from '#src/kit/db/db.ts'
import { reviewNetworks } from './tables.ts'

/** Retention of a review's network, so that the office sees on Monday the reviews of a weekend that came together. */
export const NETWORK_DAYS = 7

export async function sweepReviewNetworks(db: Db): Promise<void> {
  await db.delete(reviewNetworks).where(lt(reviewNetworks.writtenAt, sql`now() - make_interval(days => ${NETWORK_DAYS})`))
}
