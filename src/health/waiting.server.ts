import { sql, type SQL } from 'drizzle-orm'
import { can, requireLoggedIn } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { COUNT_UP_TO } from '#src/kit/http/pagination.ts'
import { isLive } from '#src/listings/browse/browse.server.ts'
import { hasValidCheck, isCheckedKind } from './animals.server.ts'
import { isHeld } from './holds.server.ts'

/** SQL: the number of animals that wait for a vet; for a vet those that they may take, for the office all. Stops at COUNT_UP_TO + 1. */
export function toCheckCount(ctx: Ctx): SQL {
  const me = sql`${requireLoggedIn(ctx).id}::bigint`
  const mayTake = can(ctx.viewer, 'operate')
    ? sql`true`
    : sql`l.seller_id <> ${me} and l.created_by_id <> ${me}
        and not exists (select 1 from vet_holds h where h.listing_id = l.id and ${isHeld(ctx.now, sql`h`)})`
  return sql`select count(*)::int as count from (select 1 from listings l
    where ${isCheckedKind} and ${isLive(ctx.now)} and not ${hasValidCheck(ctx.now)} and ${mayTake} limit ${COUNT_UP_TO + 1}) waiting`
}

export const heldCount = (ctx: Ctx): SQL => sql`select count(*)::int as count from vet_holds where ${isHeld(ctx.now)}`
