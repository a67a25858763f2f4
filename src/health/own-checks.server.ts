import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { requireCan } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { hidePhones } from '#src/kit/text/phones-in-text.ts'
import { countRow, oneRowOf, rowsOf } from '#src/kit/db/rows.server.ts'
import { formatDay } from '#src/kit/time-money/dates.ts'
import { lookups } from '#src/listings/reference/lookups.server.ts'
import { checkHoldsUntil, listingCode } from '#src/listings/life/rules.ts'
import { isLastAndValid } from './animals.server.ts'

const PER_PAGE = 25

const checkRow = z.object({
  id: z.number(),
  listingId: z.number(),
  name: z.string(),
  categoryId: z.number(),
  approved: z.boolean(),
  comments: z.string(),
  checkedOn: z.string(),
  isValid: z.boolean(),
})

export async function listOwnChecks(ctx: Ctx, page: number) {
  const { id: vetId } = requireCan(ctx, 'vet')
  const name = ctx.locale === 'en' ? sql`coalesce(l.name_en, l.name)` : sql`l.name`
  const total = await oneRowOf(ctx, sql`select count(*)::int as count from vet_checks where vet_id = ${vetId}::bigint`, countRow)
  const rows = await rowsOf(
    ctx,
    sql`
    select v.id::float8 as id, v.listing_id::float8 as "listingId", ${name} as name, l.category_id as "categoryId", v.approved,
      v.comments, v.checked_on::text as "checkedOn", (${isLastAndValid(ctx.now)}) as "isValid"
    from vet_checks v join listings l on l.id = v.listing_id
    where v.vet_id = ${vetId}::bigint order by v.id desc limit ${PER_PAGE} offset ${(page - 1) * PER_PAGE}`,
    checkRow,
  )
  return {
    page,
    perPage: PER_PAGE,
    count: total.count,
    rows: rows.map(({ name, categoryId, checkedOn, isValid, ...check }) => ({
      ...check,
      name: hidePhones(name),
      code: listingCode(lookups.category(categoryId).shortEn, check.listingId),
      on: formatDay(new Date(checkedOn), ctx.locale),
      /** Null: it expired, the seller has changed the animal's description, or a later check replaces it. */
      validUntil: isValid ? formatDay(new Date(checkHoldsUntil(checkedOn)), ctx.locale) : null,
    })),
  }
}

export type OwnChecks = Awaited<ReturnType<typeof listOwnChecks>>
