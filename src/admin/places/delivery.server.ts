import { and, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { decidedInTrail, findLastDecision } from '#src/accounts/decided-meanwhile.server.ts'
import { requireCan } from '#src/accounts/policy.ts'
import { requireOwnPassword } from '#src/accounts/identity/login.server.ts'
import { pincodes } from '#src/addresses/tables.ts'
import { holdAdmin } from '#src/accounts/people/users.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { invalidField, notFound, Problem } from '#src/kit/base/problem.ts'
import { m } from '#src/paraglide/messages.js'
import { listTrail } from '../trail.server.ts'
import { everything } from '../trail-filter.server.ts'
import { deliveryReasons, type DeliveryReason } from './delivery-reasons.ts'

const CHANGES_SHOWN = 20

const districtRow = z.object({
  state: z.string(),
  district: z.string(),
  pincodes: z.number(),
  deliverable: z.number(),
  /** The mean of the district's PIN codes. */
  lat: z.number().nullable(),
  lon: z.number().nullable(),
})
export interface District extends z.output<typeof districtRow> {
  /** Used in addresses and in the trail; names do not suffice, because two states may have districts of one name. */
  key: string
}

const slug = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** Every district of the country, with the number of its PIN codes that we deliver to. */
export async function listDistricts(ctx: Ctx): Promise<District[]> {
  requireCan(ctx, 'operate')
  const rows = await rowsOf(
    ctx,
    sql`
    select state, district, count(*)::int as pincodes, (count(*) filter (where is_deliverable))::int as deliverable, avg(lat) as lat, avg(lon) as lon
    from pincodes group by state, district order by state, district`,
    districtRow,
  )
  return rows.map((row) => ({ ...row, key: `${slug(row.state)}_${slug(row.district)}` }))
}

/** Finds a district by its key, or raises NOT_FOUND. */
export async function readDistrict(ctx: Ctx, key: string): Promise<District> {
  const found = (await listDistricts(ctx)).find((each) => each.key === key)
  if (!found) throw notFound()
  return found
}

export async function listPincodes(
  ctx: Ctx,
  { state, district }: District,
): Promise<{ pincode: string; taluk: string; isDeliverable: boolean }[]> {
  requireCan(ctx, 'operate')
  const { pincode, taluk, isDeliverable } = pincodes
  return ctx.db
    .select({ pincode, taluk, isDeliverable })
    .from(pincodes)
    .where(and(eq(pincodes.state, state), eq(pincodes.district, district)))
    .orderBy(taluk, pincode)
}

/** A choice of PIN codes in a district: all, whole taluks, and single codes. */
export interface ChosenPlaces {
  isAll: boolean
  taluks: string[]
  pincodes: string[]
}

interface DeliveryOrder {
  chosen: ChosenPlaces
  isDeliverable: boolean
  reason: DeliveryReason
  /** The admin's own password; required for a whole district or taluk. */
  password?: string | undefined
  /** The id of the district's last change that the admin saw, 0 without one; null: unknown. Without it nothing is compared. */
  seen?: number | null | undefined
}

/**
 * Opens or stops delivery to the chosen PIN codes of a district. Returns how many changed. Writes only those, in the order of the code, so
 * that two admins cannot deadlock. A whole district or taluk needs the admin's password. Raises NOT_FOUND for an unknown district,
 * VALIDATION when nothing is chosen, PASSWORD_WRONG, VERSION when it was changed meanwhile.
 */
export async function changeDelivery(
  ctx: Ctx,
  key: string,
  { chosen, isDeliverable, reason, password, seen }: DeliveryOrder,
): Promise<number> {
  requireCan(ctx, 'operate')
  if (!chosen.isAll && chosen.taluks.length + chosen.pincodes.length === 0) throw invalidField('pincode', 'field_places_none')
  if (chosen.isAll || chosen.taluks.length > 0) await requireOwnPassword(ctx, password)
  return inTransaction(ctx, async (ctx) => {
    await holdAdmin(ctx)
    const { state, district } = await readDistrict(ctx, key)
    await ctx.db.execute(sql`select pg_advisory_xact_lock(hashtext(${`delivery:${key}`}))`)
    const rows = await ctx.db
      .select({ pincode: pincodes.pincode })
      .from(pincodes)
      .where(
        and(
          eq(pincodes.state, state),
          eq(pincodes.district, district),
          ne(pincodes.isDeliverable, isDeliverable),
          chosen.isAll ? undefined : or(inArray(pincodes.taluk, chosen.taluks), inArray(pincodes.pincode, chosen.pincodes)),
        ),
      )
      .orderBy(pincodes.pincode)
      .for('update')
    const changed = rows.map(({ pincode }) => pincode)
    if (changed.length === 0) return 0
    if (seen !== undefined && seen !== (await lastDeliveryChange(ctx, key)))
      throw seen === null ? new Problem('VERSION') : await changedMeanwhile(ctx, key)
    await ctx.db.update(pincodes).set({ isDeliverable }).where(inArray(pincodes.pincode, changed))
    const details = { state, district, isDeliverable, reason, count: changed.length, pincodes: changed.join(' ') }
    await audit(ctx, 'delivery_changed', `district:${key}`, details)
    return changed.length
  })
}

export const lastDeliveryChange = async (ctx: Ctx, key: string): Promise<number> =>
  (await findLastDecision(ctx, `district:${key}`, ['delivery_changed']))?.id ?? 0

const changedMeanwhile = (ctx: Ctx, key: string) =>
  decidedInTrail(ctx, `district:${key}`, {
    delivery_changed: ({ isDeliverable, count }, locale) =>
      (isDeliverable ? m.places_opened : m.places_stopped)({ count: Number(count) }, { locale }),
  })

interface DeliveryChange {
  id: number
  at: Date
  key: string
  district: string
  isDeliverable: boolean
  reason: DeliveryReason
  count: number
  pincodes: string
  actorId: number | null
  actorName: string | null
}

const changeDetails = z.object({
  district: z.string(),
  isDeliverable: z.boolean(),
  reason: z.enum(deliveryReasons),
  count: z.number(),
  pincodes: z.string(),
})

/** The last changes of one district, or of all when `key` is null, from the audit trail. */
export async function listDeliveryChanges(ctx: Ctx, key: string | null): Promise<DeliveryChange[]> {
  const object = key === null ? '' : `district:${key}`
  const { events } = await listTrail(ctx, { ...everything, event: 'delivery_changed', object }, CHANGES_SHOWN)
  return events.map(({ id, at, object, details, actorId, actorName }) => ({
    id,
    at,
    key: object.slice('district:'.length),
    ...changeDetails.parse(details),
    actorId,
    actorName,
  }))
}
