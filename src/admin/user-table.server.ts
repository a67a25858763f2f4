import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { requireCan } from '#src/accounts/policy.ts'
import { ADMIN_TYPE, internalTypeOf } from '#src/accounts/rules.ts'
import { users } from '#src/accounts/tables.ts'
import { USERS_PER_PAGE, userFilters, usersMeant, type UserFilter } from '#src/accounts/people/users.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { epochMs, momentShape, oneRowOf, rowsOf } from '#src/kit/db/rows.server.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import type { Sort } from '#src/ui/desk-query.ts'

/** The saved views: the filters of accounts, and filters that only the office has. */
export const userViews = [...userFilters, 'reported', 'new', 'admins'] as const
export type UserView = (typeof userViews)[number]

export const userSorts = ['name', 'type', 'seen', 'listings', 'orders', 'reports', 'registered'] as const
type UserSort = (typeof userSorts)[number]

/** How many days a person counts as new. */
const NEW_DAYS = 7

export interface UserTableChoices {
  /** A name, a whole phone number, or an id. */
  text: string
  typeId: number | null
  view: UserView
  sort: Sort<UserSort>
  /** Counts from 1. */
  page: number
}

const isFilter = (view: UserView): view is UserFilter => (userFilters as readonly string[]).includes(view)

function matches(ctx: Ctx, { view, text, typeId }: Pick<UserTableChoices, 'view' | 'text' | 'typeId'>): SQL {
  if (isFilter(view)) return usersMeant({ text, typeId, filter: view })
  const more = {
    reported: sql`users.id in (select r.seller_id from reports r where r.closed_at is null)`,
    new: sql`users.created_at > ${daysBefore(ctx.now, NEW_DAYS).toISOString()}::timestamptz`,
    admins: sql`users.type_id = ${ADMIN_TYPE}`,
  }[view]
  return sql`(${usersMeant({ text, typeId, filter: 'all' })} and ${more})`
}

/** Figures of one person; each one reads a few rows of an index. */
const figures = {
  seen: sql`(select max(d.seen_at) from (select s.seen_at from sessions s where s.user_id = users.id
    union all select k.seen_at from known_devices k where k.user_id = users.id) d)`,
  listings: sql`(select count(*)::int from listings l where l.seller_id = users.id)`,
  orders: sql`((select count(*) from orders o where o.buyer_id = users.id) + (select count(*) from orders o where o.seller_id = users.id))::int`,
  reports: sql`(select count(*)::int from reports r where r.seller_id = users.id)`,
}
const sortKeys: Record<UserSort, SQL> = { ...figures, name: sql`lower(users.name)`, type: sql`users.type_id`, registered: sql`users.id` }

const tableRow = z.object({
  id: z.number(),
  name: z.string(),
  phone: z.string(),
  typeId: z.number(),
  requestedTypeId: z.number().nullable(),
  isActive: z.boolean(),
  isVerified: z.boolean(),
  vetApproved: z.boolean(),
  isStaff: z.boolean(),
  isAdmin: z.boolean(),
  superAdmin: z.boolean(),
  registeredAt: momentShape,
  /** When one of their browsers was last seen; null for never, or too long ago. */
  seenAt: momentShape.nullable(),
  listings: z.number(),
  /** Orders as buyer and as seller. */
  orders: z.number(),
  /** Reports about the person or one of their listings. */
  reports: z.number(),
  openReports: z.number(),
  found: z.number(),
})
export type TableUser = ReturnType<typeof toUser>

/** A page of the office's table of people, and the size of the view. One statement. */
export async function readUserTable(ctx: Ctx, choices: UserTableChoices): Promise<{ users: TableUser[]; found: number }> {
  requireCan(ctx, 'operate')
  const { sort, page } = choices
  const key = sortKeys[sort.by]
  // Rows without a value come last in both directions.
  const order = sort.isDown ? sql`${key} desc nulls last, users.id desc` : sql`${key} asc nulls last, users.id`
  const where = matches(ctx, choices)
  const rows = await rowsOf(
    ctx,
    sql`
    with page as materialized (
      select users.id, row_number() over (order by ${order}) as place from users where ${where}
      order by place limit ${USERS_PER_PAGE} offset ${(page - 1) * USERS_PER_PAGE}
    )
    select users.id::int, users.name, users.phone, users.type_id as "typeId", users.requested_type_id as "requestedTypeId",
      users.is_active as "isActive", users.is_verified as "isVerified", users.vet_approved as "vetApproved",
      users.is_staff as "isStaff", users.is_admin as "isAdmin", users.super_admin as "superAdmin",
      ${epochMs(sql`users.created_at`)} as "registeredAt", ${epochMs(figures.seen)} as "seenAt",
      ${figures.listings} as listings, ${figures.orders} as orders, ${figures.reports} as reports,
      (select count(*)::int from reports r where r.seller_id = users.id and r.closed_at is null) as "openReports",
      (select count(*)::int from users where ${where}) as found
    from page join users on users.id = page.id order by page.place`,
    tableRow,
  )
  return { users: rows.map(toUser), found: rows[0]?.found ?? 0 }
}

function toUser(row: z.output<typeof tableRow>) {
  const { isStaff, isAdmin, superAdmin, found: _, ...user } = row
  return { ...user, internalType: internalTypeOf({ isStaff, isAdmin, superAdmin }) }
}

/** The number of people in each saved view. One statement. */
export async function countUserViews(ctx: Ctx): Promise<Record<UserView, number>> {
  requireCan(ctx, 'operate')
  const counts = userViews.map(
    (view) => sql`(count(*) filter (where ${matches(ctx, { view, text: '', typeId: null })}))::int as ${sql.identifier(view)}`,
  )
  return oneRowOf(ctx, sql`select ${sql.join(counts, sql`, `)} from ${users}`, viewsRow)
}
const viewsRow = z.object(Object.fromEntries(userViews.map((view) => [view, z.number()])) as Record<UserView, z.ZodNumber>)
