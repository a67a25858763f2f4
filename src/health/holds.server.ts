import { and, desc, eq, gt, max, ne, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { decidedInTrail } from '#src/accounts/decided-meanwhile.server.ts'
import { VET_TYPE } from '#src/accounts/rules.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { auditEvents } from '#src/kit/db/tables.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { oneRowOf } from '#src/kit/db/rows.server.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { isClosed } from '#src/listings/life/rules.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { m } from '#src/paraglide/messages.js'
import { vetHolds } from './tables.ts'
import { hasValidCheck, lockAnimal, lockVet } from './animals.server.ts'
import { holdEndsAt } from './rules.ts'

/**
 * Whether a row of vet_holds is valid: its time has not ended and its holder is still an approved, active vet. Otherwise other vets can take the
 * animal.
 */
export const isHeld = (now: Date, hold: SQL = sql`vet_holds`) =>
  sql`(${hold}.held_until > ${now.toISOString()}::timestamptz and exists (select 1 from users holder
    where holder.id = ${hold}.vet_id and holder.is_active and holder.type_id = ${VET_TYPE}::smallint and holder.vet_approved))`

/**
 * Gives this vet a two-day hold on the animal and shows them the pickup place. Returns 'full' when they already hold the maximum. Throws ANIMAL_HELD
 * when another vet holds it, LISTING_STEP when it needs no check, and RATE_LIMITED after the animals of a day.
 * Taking one's own animal again changes nothing.
 */
export async function takeAnimal(ctx: Ctx, listingId: number): Promise<'taken' | 'full'> {
  return inTransaction(ctx, async (ctx) => {
    const vetId = await lockVet(ctx)
    const listing = await lockAnimal(ctx, listingId)
    const held = await listHolds(ctx, vetId)
    if (held.some((hold) => hold.listingId === listingId)) return 'taken'
    if (isClosed(listing, ctx.now) || (await isChecked(ctx, listingId))) throw new Problem('LISTING_STEP')
    const { vetDay } = await readSettings(ctx)
    if (held.length >= vetDay.holds) return 'full'
    await ensureTakesLeft(ctx, vetId, { listingId, most: vetDay.checks })
    const heldUntil = holdEndsAt(ctx.now)
    // The hold's row decides between two vets: it is overwritten only if the other hold is no longer valid.
    const written = await ctx.db
      .insert(vetHolds)
      .values({ listingId, vetId, heldUntil })
      .onConflictDoUpdate({
        target: vetHolds.listingId,
        set: { vetId, heldUntil },
        setWhere: sql`not ${isHeld(ctx.now)}`,
      })
      .returning({ listingId: vetHolds.listingId })
    if (written.length === 0) throw await takenMeanwhile(ctx, listingId)
    await audit(ctx, 'animal_taken', `listing:${listingId}`)
    return 'taken'
  })
}

/**
 * A vet takes at most as many animals in 24 hours as they may check, because each shows them a seller's street and
 * phone number. An animal counts once, however often they give it back and take it again.
 */
async function ensureTakesLeft(ctx: Ctx, vetId: number, { listingId, most }: { listingId: number; most: number }): Promise<void> {
  const { actorId, event, object, at } = auditEvents
  const dayAgo = daysBefore(ctx.now, 1)
  const others = await ctx.db
    .select({ at: max(at) })
    .from(auditEvents)
    .where(and(eq(actorId, vetId), eq(event, 'animal_taken'), gt(at, dayAgo), ne(object, `listing:${listingId}`)))
    .groupBy(object)
    .orderBy(desc(max(at)))
    .limit(most)
  const oldest = others[most - 1]?.at
  if (!oldest) return
  const waitMs = oldest.getTime() - dayAgo.getTime()
  throw new Problem('RATE_LIMITED', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
}

/** ANIMAL_HELD with the vet who took or checked the animal, as its page names them to everybody. */
export const takenMeanwhile = (ctx: Ctx, listingId: number) =>
  decidedInTrail(
    ctx,
    `listing:${listingId}`,
    {
      animal_taken: (_, locale) => m.trail_event_animal_taken({}, { locale }),
      vet_check_recorded: (_, locale) => m.trail_event_vet_check_recorded({}, { locale }),
    },
    new Problem('ANIMAL_HELD'),
  )

/** Releases the animal for other vets. Throws NOT_HELD when the vet does not hold it. */
export async function giveBack(ctx: Ctx, listingId: number): Promise<void> {
  if (!ctx.viewer) throw notFound()
  const vetId = ctx.viewer.id
  await inTransaction(ctx, async (ctx) => {
    const released = await ctx.db
      .delete(vetHolds)
      .where(and(eq(vetHolds.listingId, listingId), eq(vetHolds.vetId, vetId)))
      .returning({ until: vetHolds.heldUntil })
    if (released.length === 0) throw new Problem('NOT_HELD')
    await audit(ctx, 'animal_given_back', `listing:${listingId}`)
  })
}

/** A vet's own holds, the first to end first. */
export const listHolds = (ctx: Ctx, vetId: number) =>
  ctx.db
    .select({ listingId: vetHolds.listingId, until: vetHolds.heldUntil })
    .from(vetHolds)
    .where(and(eq(vetHolds.vetId, vetId), isHeld(ctx.now)))
    .orderBy(vetHolds.heldUntil, vetHolds.listingId)

const isCheckedRow = z.object({ checked: z.boolean() })

async function isChecked(ctx: Ctx, listingId: number): Promise<boolean> {
  const row = await oneRowOf(
    ctx,
    sql`select ${hasValidCheck(ctx.now)} as checked from listings l where l.id = ${listingId}::bigint`,
    isCheckedRow,
  )
  return row.checked
}
