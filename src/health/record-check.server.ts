import { and, desc, eq, gt } from 'drizzle-orm'
import { notify, SMS_NAME } from '#src/accounts/notifications/receivers.server.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { localized } from '#src/kit/text/locale.ts'
import type { StoredPicture } from '#src/kit/uploads/take-picture.server.ts'
import { Problem, invalidField } from '#src/kit/base/problem.ts'
import { shorten } from '#src/kit/http/seo.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { FEMALE } from '#src/listings/fields/listing-questions.ts'
import { isClosed } from '#src/listings/life/rules.ts'
import { m } from '#src/paraglide/messages.js'
import { vetChecks, vetHolds } from './tables.ts'
import { lockAnimal, lockVet, type ListingRow } from './animals.server.ts'
import { insertCheckPhotos } from './check-photos.server.ts'
import { isHeld, takenMeanwhile } from './holds.server.ts'
import { faultOfDay, takenByCheckUntil } from './rules.ts'
import { noFindings, type FindingsInput } from './schemas.ts'

export interface CheckInput extends Partial<FindingsInput> {
  approved: boolean
  comments: string
  /** YYYY-MM-DD */
  checkedOn: string
}

/**
 * Records a vet's finding (A §6); needs no hold. Findings are only added: the last one counts, and earlier ones stay visible. Ends the vet's hold and
 * notifies the seller. For two days after a check the animal is taken by its vet, so that of two simultaneous checks one is recorded. Throws
 * ANIMAL_HELD when another vet holds or has just checked the animal, LISTING_STEP for a closed listing that this vet does not hold, RATE_LIMITED
 * after the checks of a day, and VALIDATION for a day before the listing or after today, and for an udder of a male. `pictures` are already in the
 * store; at most MOST_CHECK_PHOTOS.
 */
export async function recordVetCheck(ctx: Ctx, listingId: number, input: CheckInput, pictures: StoredPicture[] = []): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const vetId = await lockVet(ctx)
    const listing = await lockAnimal(ctx, listingId)
    await ensureFree(ctx, listing, vetId)
    await ensureChecksLeft(ctx, vetId)
    ensureFits(ctx, listing, input)
    const { approved, comments, checkedOn, ...looked } = input
    const [recorded] = await ctx.db
      .insert(vetChecks)
      .values({
        listingId,
        vetId,
        approved,
        comments,
        checkedOn,
        revision: listing.revision,
        ...noFindings,
        ...looked,
        createdAt: ctx.now,
      })
      .returning({ id: vetChecks.id })
    await insertCheckPhotos(ctx, recorded!.id, 0, pictures)
    await ctx.db.delete(vetHolds).where(and(eq(vetHolds.listingId, listingId), eq(vetHolds.vetId, vetId)))
    await audit(ctx, 'vet_check_recorded', `listing:${listingId}`, { approved })
    await notifySeller(ctx, listing, input)
  })
}

async function ensureFree(ctx: Ctx, listing: ListingRow, vetId: number): Promise<void> {
  const [hold] = await ctx.db
    .select()
    .from(vetHolds)
    .where(and(eq(vetHolds.listingId, listing.id), isHeld(ctx.now)))
    .for('update')
  if (hold?.vetId === vetId) return
  const [last] = await ctx.db.select().from(vetChecks).where(eq(vetChecks.listingId, listing.id)).orderBy(desc(vetChecks.id)).limit(1)
  if (hold || takenByCheckUntil(last, { vetId, revision: listing.revision }, ctx.now)) throw await takenMeanwhile(ctx, listing.id)
  if (isClosed(listing, ctx.now)) throw new Problem('LISTING_STEP')
}

/** The vet's row is locked, so simultaneous checks are counted one after another. */
async function ensureChecksLeft(ctx: Ctx, vetId: number): Promise<void> {
  const { checks: most } = (await readSettings(ctx)).vetDay
  const dayAgo = daysBefore(ctx.now, 1)
  const recent = await ctx.db
    .select({ at: vetChecks.createdAt })
    .from(vetChecks)
    .where(and(eq(vetChecks.vetId, vetId), gt(vetChecks.createdAt, dayAgo)))
    .orderBy(desc(vetChecks.id))
    .limit(most)
  if (recent.length < most) return
  const waitMs = recent.at(-1)!.at.getTime() - dayAgo.getTime()
  throw new Problem('RATE_LIMITED', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
}

const dayTexts = {
  future: 'field_check_date_future',
  'before-listing': 'field_check_date_before',
  'before-change': 'field_check_date_changed',
} as const

function ensureFits(ctx: Ctx, listing: ListingRow, { checkedOn, udder }: CheckInput): void {
  const fieldProblem = (field: string, message: string) => invalidField(field, message)
  const fault = faultOfDay(checkedOn, listing, ctx.now)
  if (fault) throw fieldProblem('checkedOn', dayTexts[fault])
  if (udder && listing.genderId !== FEMALE) throw fieldProblem('udder', 'field_wrong')
}

/** Characters of the comment in an SMS; the animal's page shows the rest. */
const SMS_COMMENT = 160

const notifySeller = (ctx: Ctx, listing: ListingRow, { approved, comments }: CheckInput): Promise<void> =>
  notify(ctx, listing.sellerId, 'vet-result', m.sms_vet_result, (locale) => ({
    name: shorten(listing.name, SMS_NAME),
    result: approved ? m.product_vet_pass({}, { locale }) : m.product_vet_fail({}, { locale }),
    comment: shorten(comments.replace(/\s+/g, ' '), SMS_COMMENT),
    link: `${ctx.publicOrigin}${localized(`/product/${listing.id}`, locale)}?tab=vet`,
  }))
