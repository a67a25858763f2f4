import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { requireCan } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { hidePhones } from '#src/kit/text/phones-in-text.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { formatDay } from '#src/kit/time-money/dates.ts'
import { lookups } from '#src/listings/reference/lookups.server.ts'
import { checkHoldsUntil, listingCode } from '#src/listings/life/rules.ts'
import { isLastAndValid } from './animals.server.ts'

const PER_PAGE = 25

const row = z.object({
  id: z.string(),
  listing_id: z.string(),
  name: z.string(),
  category_id: z.number(),
  approved: z.boolean(),
  comments: z.string(),
  checked_on: z.string(),
  is_valid: z.boolean(),
})

export async function listOwnChecks(ctx: Ctx, page: number) {
  const { id: vetId } = requireCan(ctx, 'vet')
  const name = ctx.locale === 'en' ? sql`coalesce(l.name_en, l.name)` : sql`l.name`
  const [total] = await rowsOf(
    ctx,
    sql`select count(*)::int as count from vet_checks where vet_id = ${vetId}::bigint`,
    z.object({ count: z.number() }),
  )
  const rows = await rowsOf(
    ctx,
    sql`
    select v.id::text, v.listing_id::text, ${name} as name, l.category_id, v.approved, v.comments, v.checked_on::text,
      (${isLastAndValid(ctx.now)}) as is_valid
    from vet_checks v join listings l on l.id = v.listing_id
    where v.vet_id = ${vetId}::bigint order by v.id desc limit ${PER_PAGE} offset ${(page - 1) * PER_PAGE}`,
    row,
  )
  return {
    page,
    perPage: PER_PAGE,
    count: total!.count,
    rows: rows.map(({ id, listing_id, name, category_id, approved, comments, checked_on, is_valid }) => ({
      id: Number(id),
      listingId: Number(listing_id),
      name: hidePhones(name),
      code: listingCode(lookups.category(category_id).shortEn, Number(listing_id)),
      approved,
      comments,
      on: formatDay(new Date(checked_on), ctx.locale),
      /** Null: it expired, the seller has changed the animal's description, or a later check replaces it. */
      validUntil: is_valid ? formatDay(new Date(checkHoldsUntil(checked_on)), ctx.locale) : null,
    })),
  }
}

export type OwnChecks = Awaited<ReturnType<typeof listOwnChecks>>
