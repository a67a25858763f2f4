import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { decidedInTrail, type DecisionDetails } from '#src/accounts/decided-meanwhile.server.ts'
import { requireCan } from '#src/accounts/policy.ts'
import { holdAdmin } from '#src/accounts/people/users.server.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { can, isOwnListing } from '#src/listings/policy.ts'
import { isClosed } from '#src/listings/life/rules.ts'
import { listings } from '#src/listings/tables.ts'
import { wordColumns } from '#src/listings/write/write-listing.server.ts'
import { secondLooks } from './tables.ts'
import { undoVerdict } from './undo-verdict.server.ts'
import { commentText, notifySeller, verifyListing } from './verify-listing.server.ts'

interface ChangedWords {
  name: string
  description: string
  /** Passed before and after the edit, so no verification covers the new words. */
  isStillPassed: boolean
}

/**
 * Call it in the transaction of an edit that has locked the listing: changed words of a passed listing wait for a second look. The passed
 * words stay on record through any number of edits; an edit back to them ends the second look.
 */
export async function noteChangedWords(ctx: Ctx, before: typeof listings.$inferSelect, after: ChangedWords): Promise<void> {
  const { id: listingId, name, description, nameEn, descriptionEn } = before
  if (name === after.name && description === after.description) return
  if (after.isStillPassed)
    await ctx.db
      .insert(secondLooks)
      .values({ listingId, name, description, nameEn, descriptionEn, createdAt: ctx.now })
      .onConflictDoNothing()
  await ctx.db
    .delete(secondLooks)
    .where(and(eq(secondLooks.listingId, listingId), eq(secondLooks.name, after.name), eq(secondLooks.description, after.description)))
}

/** `pass`: the new words stay. `revert`: the passed words return. `fail`: the listing goes off the market (verifyListing). */
export const SECOND_LOOK_ACTS = ['pass', 'revert', 'fail'] as const

const version = z.int().positive()
const comment = commentText('field_second_look_comment_blank', 'field_comment_long')

/** `version` of the listing that the admin saw. The seller reads the comment. */
export const secondLookDecision = z.discriminatedUnion('act', [
  z.object({ act: z.literal('pass'), version }),
  z.object({ act: z.literal('revert'), version, comment }),
  z.object({ act: z.literal('fail'), version, comment }),
])

export type SecondLookDecision = z.infer<typeof secondLookDecision>

/**
 * An admin's decision about words that changed after the listing passed. OWN_LISTING as for a verdict; LISTING_STEP when the listing is not
 * on the market; VERSION when it changed since the admin saw it; NOT_FOUND when nothing waits. The seller gets an SMS about a revert and a
 * fail. A revert does not restart the hundred days, because the seller did nothing.
 */
export async function decideSecondLook(ctx: Ctx, listingId: number, decision: SecondLookDecision): Promise<void> {
  requireCan(ctx, 'operate')
  const { act, version } = decision
  await inTransaction(ctx, async (ctx) => {
    await holdAdmin(ctx)
    const [listing] = await ctx.db.select().from(listings).where(eq(listings.id, listingId)).for('no key update')
    if (!listing) throw notFound()
    if (isOwnListing(ctx.viewer, listing)) throw new Problem('OWN_LISTING')
    if (!can(ctx.viewer, 'take-listing-step', { step: 'second-look', listing }) || isClosed(listing, ctx.now))
      throw await lookedMeanwhile(ctx, listingId, new Problem('LISTING_STEP'))
    if (version !== listing.version) throw await lookedMeanwhile(ctx, listingId, new Problem('VERSION'))
    const [passed] = await ctx.db.select().from(secondLooks).where(eq(secondLooks.listingId, listingId))
    if (!passed) throw await lookedMeanwhile(ctx, listingId, notFound())
    await audit(ctx, 'second_look_decided', `listing:${listingId}`, { act })
    if (decision.act === 'fail') return verifyListing(ctx, listingId, { passed: false, comment: decision.comment })
    await ctx.db.delete(secondLooks).where(eq(secondLooks.listingId, listingId))
    if (decision.act === 'pass') return
    const { name, description, nameEn, descriptionEn } = passed
    await ctx.db
      .update(listings)
      .set({ ...wordColumns({ ...listing, name, description, nameEn, descriptionEn }), version: version + 1 })
      .where(eq(listings.id, listingId))
    await notifySeller(ctx, { ...listing, name }, 'listing-reverted', decision.comment)
  })
}

/** Undoes the admin's own fail as `undoVerdict`: the words wait for a second look again. */
export const undoFail = (ctx: Ctx, listingId: number) => undoVerdict(ctx, listingId, (of) => of.secondLook !== null)

const lookTexts = { pass: m.second_look_pass, revert: m.second_look_revert, fail: m.verify_fail }
const isAct = (act: unknown): act is keyof typeof lookTexts => SECOND_LOOK_ACTS.some((each) => each === act)

/** VERSION with the admin who decided first. `otherwise` when the seller changed the words again since. */
async function lookedMeanwhile(ctx: Ctx, listingId: number, otherwise: Problem): Promise<Problem> {
  const texts = {
    second_look_decided: ({ act }: DecisionDetails, locale: Locale) => (isAct(act) ? lookTexts[act] : lookTexts.pass)({}, { locale }),
    listing_passed: (_: DecisionDetails, locale: Locale) => m.verify_pass({}, { locale }),
    listing_failed: (_: DecisionDetails, locale: Locale) => m.verify_fail({}, { locale }),
    listing_edited: null,
    verdict_undone: null,
  }
  const { sentence } = await decidedInTrail(ctx, `listing:${listingId}`, texts)
  return sentence ? new Problem('VERSION', { sentence }) : otherwise
}
