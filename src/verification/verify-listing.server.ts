import { asc, desc, eq } from 'drizzle-orm'
import { z } from 'zod'
import { decidedBy } from '#src/accounts/decided-meanwhile.server.ts'
import { requireCan } from '#src/accounts/policy.ts'
import { findReceiver, SMS_NAME, smsTo } from '#src/accounts/notifications/receivers.server.ts'
import { holdAdmin } from '#src/accounts/people/users.server.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { localized } from '#src/kit/text/locale.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { shorten } from '#src/kit/http/seo.ts'
import { MESSAGE_DELAY_SECONDS } from '#src/kit/undo-seconds.ts'
import { paragraphs } from '#src/kit/text/text.ts'
import { m } from '#src/paraglide/messages.js'
import { can, isOwnListing } from '#src/listings/policy.ts'
import { listingCode } from '#src/listings/life/rules.ts'
import { lookups } from '#src/listings/reference/lookups.server.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import { heldBack, stateAfter } from '#src/listings/life/life.ts'
import { seenListing } from '#src/listings/fields/seen-listing.ts'
import { listingClips, listingPhotos, listings } from '#src/listings/tables.ts'
import { verifications, secondLooks, seenListings } from './tables.ts'
import { type SeenListing, seenMark, verdictIdIn } from './seen-mark.ts'
import { noteReplaced, verdictText } from './undo-verdict.server.ts'

/** Maximum length of an admin's comment on a verdict, and of a vet's on a finding, in code points. */
const MAX_COMMENT = 1000

export const commentText = (blank: `field_${string}`, long: `field_${string}`) => paragraphs(MAX_COMMENT, long, blank)

export const verdict = z.object({
  passed: z.boolean('field_verification_passed_blank'),
  comment: commentText('field_verification_comment_blank', 'field_comment_long'),
})

export interface Verdict extends z.infer<typeof verdict> {
  /** The state that the admin saw (`seenMark`), if known. */
  seen?: string | undefined
}

/**
 * Pass or Fail, with a comment. For admins; OWN_LISTING when it is their own or they typed it in themselves. VERSION when it was changed or
 * decided since the admin saw it, LISTING_STEP when it waits for no verdict (life.ts). The stock stays. The seller is notified once the
 * verdict can no longer be undone (undo-verdict.server.ts).
 */
export async function verifyListing(ctx: Ctx, listingId: number, { passed, comment, seen: seenState }: Verdict): Promise<void> {
  requireCan(ctx, 'operate')
  await inTransaction(ctx, async (ctx) => {
    const { id: adminId } = await holdAdmin(ctx)
    const [listing] = await ctx.db.select().from(listings).where(eq(listings.id, listingId)).for('no key update')
    if (!listing) throw notFound()
    if (isOwnListing(ctx.viewer, listing)) throw new Problem('OWN_LISTING')
    if (seenState !== undefined) await ensureUnchanged(ctx, listing, seenState)
    const step = passed ? 'pass' : 'fail'
    if (!can(ctx.viewer, 'take-listing-step', { step, listing })) throw new Problem('LISTING_STEP')
    const verdictId = await addVerdict(ctx, listing, { adminId, passed, comment, revision: listing.revision, createdAt: ctx.now })
    await ctx.db
      .update(listings)
      .set({ state: heldBack(stateAfter(step, listing.state), listing), verificationComment: comment, editorId: null })
      .where(eq(listings.id, listingId))
    // The verdict covers the current words, so it ends the second look.
    const [secondLook] = await ctx.db.delete(secondLooks).where(eq(secondLooks.listingId, listingId)).returning()
    await audit(ctx, passed ? 'listing_passed' : 'listing_failed', `listing:${listingId}`, { from: listing.state })
    const messageId = await notifySeller(ctx, listing, passed ? 'listing-passed' : 'listing-failed', comment, MESSAGE_DELAY_SECONDS)
    await noteReplaced(ctx, verdictId, { listing, secondLook, messageId })
  })
}

/** Stores a verdict and the listing as its admin saw it. Returns the verdict's id. */
export async function addVerdict(
  ctx: Ctx,
  listing: typeof listings.$inferSelect,
  verdict: Omit<typeof verifications.$inferInsert, 'listingId'>,
): Promise<number> {
  const listingId = listing.id
  const photos = await ctx.db
    .select({ key: listingPhotos.mediaKey })
    .from(listingPhotos)
    .where(eq(listingPhotos.listingId, listingId))
    .orderBy(asc(listingPhotos.position))
  const clips = await ctx.db
    .select({ key: listingClips.mediaKey, caption: listingClips.caption })
    .from(listingClips)
    .where(eq(listingClips.listingId, listingId))
  const keys = photos.map(({ key }) => key)
  const [row] = await ctx.db
    .insert(verifications)
    .values({ ...verdict, listingId })
    .returning({ id: verifications.id })
  await ctx.db.insert(seenListings).values({ verificationId: row!.id, listingId, seen: seenListing(listing, keys, clips) })
  return row!.id
}

async function lastVerdict(ctx: Ctx, listingId: number) {
  const verdicts = ctx.db.select().from(verifications).where(eq(verifications.listingId, listingId))
  const [last] = await verdicts.orderBy(desc(verifications.id)).limit(1)
  return last ?? null
}

/** Listings that an act on several left out, each with who decided what and when, if somebody else did since `seen`. */
export async function readMissed(ctx: Ctx, left: SeenListing[]): Promise<{ id: number; code: string; says: string }[]> {
  const viewer = requireCan(ctx, 'operate')
  const missed = []
  for (const { id, seen } of left) {
    const [listing] = await ctx.db.select({ categoryId: listings.categoryId }).from(listings).where(eq(listings.id, id))
    if (!listing) continue
    const last = await lastVerdict(ctx, id)
    const isNew = last && last.adminId !== viewer.id && last.id > verdictIdIn(seen)
    const reason = isNew
      ? await decidedBy(ctx, { what: verdictText(last.passed), byId: last.adminId, at: last.createdAt })
      : new Problem('VERSION')
    const code = listingCode(lookups.category(listing.categoryId).shortEn, id)
    missed.push({ id, code, says: problemDetail(reason, ctx.locale) })
  }
  return missed
}

/** Call it under the listing's lock. VERSION unless the listing and its last verdict are what the admin saw. */
async function ensureUnchanged(ctx: Ctx, { id, version }: typeof listings.$inferSelect, seen: string): Promise<void> {
  const last = await lastVerdict(ctx, id)
  if (seen === seenMark({ version, lastVerdictId: last?.id ?? null })) return
  if (!last || last.id <= verdictIdIn(seen)) throw new Problem('VERSION')
  throw await decidedBy(ctx, { what: verdictText(last.passed), byId: last.adminId, at: last.createdAt })
}

/** Maximum characters of the comment in an SMS; the listing's page shows the rest. */
const SMS_COMMENT = 200

const smsTexts = {
  'listing-passed': m.sms_listing_passed,
  'listing-failed': m.sms_listing_failed,
  'listing-reverted': m.sms_listing_reverted,
}

/** Queues the SMS about the verdict in the seller's language. Returns the message's id; null when the seller cannot be notified. */
export async function notifySeller(
  ctx: Ctx,
  listing: { id: number; sellerId: number; name: string },
  template: keyof typeof smsTexts,
  comment: string,
  delaySeconds = 0,
): Promise<number | null> {
  const seller = await findReceiver(ctx, listing.sellerId)
  if (!seller) return null
  const { locale } = seller
  const variables = {
    name: shorten(listing.name, SMS_NAME),
    comment: shorten(comment.replace(/\s+/g, ' '), SMS_COMMENT),
    link: ctx.publicOrigin + localized(`/product/${listing.id}`, locale),
  }
  return queueMessage(ctx, { ...smsTo(seller, template, variables, smsTexts[template](variables, { locale })), delaySeconds })
}
