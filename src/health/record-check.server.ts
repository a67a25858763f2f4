import { and, eq } from 'drizzle-orm'
import { findReceiver, SMS_NAME, smsTo } from '#src/accounts/receivers.server.ts'
import { audit } from '#src/kit/db/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { localized } from '#src/kit/text/locale.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import type { StoredPicture } from '#src/kit/media/take-picture.server.ts'
import { Problem, invalidField } from '#src/kit/problem.ts'
import { shorten } from '#src/kit/http/seo.ts'
import { FEMALE } from '#src/listings/listing-questions.ts'
import { vetChecks, vetHolds } from '#src/listings/tables.ts'
import { m } from '#src/paraglide/messages.js'
import { lockAnimal, lockVet, type ListingRow } from './animals.server.ts'
import { insertCheckPhotos } from './check-photos.server.ts'
import { isHeld } from './holds.server.ts'
import { faultOfDay } from './rules.ts'
import { noFindings, type FindingsInput } from './schemas.ts'

export interface CheckInput extends Partial<FindingsInput> {
  approved: boolean
  comments: string
  /** YYYY-MM-DD */
  checkedOn: string
}

interface CheckOptions {
  needsHold?: boolean
  /** Already in the store; at most MOST_CHECK_PHOTOS. */
  pictures?: StoredPicture[]
}

/**
 * Records a vet's finding. Findings are only added: the last one counts, and earlier ones stay visible. Ends the vet's hold and notifies the seller.
 * Throws ANIMAL_HELD when another vet holds the animal; with `needsHold`, NOT_HELD unless this vet does. Throws VALIDATION for a day before the
 * listing or after today, and for an udder of a male.
 */
export async function recordVetCheck(
  ctx: Ctx,
  listingId: number,
  input: CheckInput,
  { needsHold = false, pictures = [] }: CheckOptions = {},
): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const vetId = await lockVet(ctx)
    const listing = await lockAnimal(ctx, listingId)
    const [hold] = await ctx.db
      .select()
      .from(vetHolds)
      .where(and(eq(vetHolds.listingId, listingId), isHeld(ctx.now)))
      .for('update')
    if (hold && hold.vetId !== vetId) throw new Problem('ANIMAL_HELD')
    if (needsHold && !hold) throw new Problem('NOT_HELD')
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

async function notifySeller(ctx: Ctx, listing: ListingRow, { approved, comments }: CheckInput): Promise<void> {
  const seller = await findReceiver(ctx, listing.sellerId)
  if (!seller) return
  const { locale } = seller
  const variables = {
    name: shorten(listing.name, SMS_NAME),
    result: approved ? m.product_vet_pass({}, { locale }) : m.product_vet_fail({}, { locale }),
    comment: shorten(comments.replace(/\s+/g, ' '), SMS_COMMENT),
    link: `${ctx.publicOrigin}${localized(`/product/${listing.id}`, locale)}?tab=vet`,
  }
  await queueMessage(ctx, smsTo(seller, 'vet-result', variables, m.sms_vet_result(variables, { locale })))
}
