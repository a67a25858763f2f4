import { and, desc, eq } from 'drizzle-orm'
import { z } from 'zod'
import { requireCan } from '#src/accounts/policy.ts'
import { notify, SMS_NAME } from '#src/accounts/notifications/receivers.server.ts'
import { holdAdmin } from '#src/accounts/people/users.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { shorten } from '#src/kit/http/seo.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { paragraphs } from '#src/kit/text/text.ts'
import { can, isOwnListing } from '#src/listings/policy.ts'
import { listings } from '#src/listings/tables.ts'
import { m } from '#src/paraglide/messages.js'
import { listingQuestions } from './tables.ts'

/** Maximum length of a question and of its answer, in code points. */
const MAX_QUESTION = 300

export const questionInput = z.object({ question: paragraphs(MAX_QUESTION, 'field_question_long', 'field_question_blank') })
export const answerInput = z.object({ answer: paragraphs(MAX_QUESTION, 'field_question_answer_long', 'field_question_answer_blank') })

export type ListingQuestion = Pick<typeof listingQuestions.$inferSelect, 'id' | 'question' | 'askedAt' | 'answer' | 'answeredAt'>

const columns = {
  id: listingQuestions.id,
  question: listingQuestions.question,
  askedAt: listingQuestions.askedAt,
  answer: listingQuestions.answer,
  answeredAt: listingQuestions.answeredAt,
}

/** The questions about a listing, newest first, for its seller and admins; NOT_FOUND for others. */
export async function listQuestions(ctx: Ctx, listingId: number): Promise<ListingQuestion[]> {
  const [listing] = await ctx.db.select({ sellerId: listings.sellerId }).from(listings).where(eq(listings.id, listingId))
  if (!listing || !(can(ctx.viewer, 'operate') || ctx.viewer?.id === listing.sellerId)) throw notFound()
  return ctx.db.select(columns).from(listingQuestions).where(eq(listingQuestions.listingId, listingId)).orderBy(desc(listingQuestions.id))
}

/**
 * An admin asks the seller before the verdict, by SMS and on the listing. The listing leaves the queue until the answer, or for three days.
 * OWN_LISTING and LISTING_STEP as for a verdict. A new question replaces an unanswered one.
 */
export async function askSeller(ctx: Ctx, listingId: number, { question }: z.infer<typeof questionInput>): Promise<void> {
  requireCan(ctx, 'operate')
  await inTransaction(ctx, async (ctx) => {
    const { id: adminId } = await holdAdmin(ctx)
    const [listing] = await ctx.db.select().from(listings).where(eq(listings.id, listingId)).for('no key update')
    if (!listing) throw notFound()
    if (isOwnListing(ctx.viewer, listing)) throw new Problem('OWN_LISTING')
    if (listing.state !== 'pending' || !can(ctx.viewer, 'take-listing-step', { step: 'pass', listing })) throw new Problem('LISTING_STEP')
    await ctx.db.insert(listingQuestions).values({ listingId, adminId, question, askedAt: ctx.now })
    await audit(ctx, 'listing_questioned', `listing:${listingId}`)
    await notify(ctx, listing.sellerId, 'listing-question', m.sms_listing_question, (locale) => ({
      name: shorten(listing.name, SMS_NAME),
      question: shorten(question.replace(/\s+/g, ' '), SMS_QUESTION),
      link: ctx.publicOrigin + localized(`/listing-question/${listingId}`, locale),
    }))
  })
}

/** Maximum characters of the question in an SMS; the page shows all of it. */
const SMS_QUESTION = 120

/**
 * The seller answers the newest question, and the listing returns to the queue. NOT_FOUND for others, LISTING_STEP when no question is
 * open.
 */
export async function answerQuestion(ctx: Ctx, listingId: number, { answer }: z.infer<typeof answerInput>): Promise<void> {
  if (!ctx.viewer) throw new Problem('AUTH_REQUIRED')
  const { id: sellerId } = ctx.viewer
  await inTransaction(ctx, async (ctx) => {
    const [listing] = await ctx.db
      .select({ id: listings.id })
      .from(listings)
      .where(and(eq(listings.id, listingId), eq(listings.sellerId, sellerId)))
      .for('no key update')
    if (!listing) throw notFound()
    const [open] = await ctx.db
      .select(columns)
      .from(listingQuestions)
      .where(eq(listingQuestions.listingId, listingId))
      .orderBy(desc(listingQuestions.id))
      .limit(1)
    if (!open || open.answeredAt) throw new Problem('LISTING_STEP')
    await ctx.db.update(listingQuestions).set({ answer, answeredAt: ctx.now }).where(eq(listingQuestions.id, open.id))
    await audit(ctx, 'listing_answered', `listing:${listingId}`)
  })
}
