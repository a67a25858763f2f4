import { and, desc, eq, gt } from 'drizzle-orm'
import { decidedBy, findLastDecision } from '#src/accounts/decided-meanwhile.server.ts'
import { requireCan } from '#src/accounts/policy.ts'
import { holdAdmin } from '#src/accounts/people/users.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { takeBackMessage } from '#src/kit/messages/outbox.server.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { heldBack, stateAfter } from '#src/listings/life/life.ts'
import { MESSAGE_DELAY_SECONDS } from '#src/kit/undo-seconds.ts'
import { m } from '#src/paraglide/messages.js'
import { listings } from '#src/listings/tables.ts'
import { verifications, freshVerdicts, secondLooks } from './tables.ts'

type FreshVerdict = typeof freshVerdicts.$inferSelect

interface Replaced {
  listing: typeof listings.$inferSelect
  secondLook: typeof secondLooks.$inferSelect | undefined
  messageId: number | null
}

/** Call it in the transaction of a verdict: stores the state before it. */
export async function noteReplaced(ctx: Ctx, verificationId: number, { listing, secondLook, messageId }: Replaced): Promise<void> {
  const { id: listingId, state, verificationComment, editorId, version, stock } = listing
  await ctx.db.insert(freshVerdicts).values({
    verificationId,
    listingId,
    state,
    verificationComment,
    editorId,
    version,
    stock,
    messageId,
    secondLook: secondLook && { ...secondLook, createdAt: secondLook.createdAt.toISOString() },
    createdAt: ctx.now,
  })
}

/**
 * Undoes the admin's own last verdict on a listing, within seconds: restores the listing, deletes the verdict, and the seller
 * gets no message. `isMeant` refuses another verdict of the same admin. Returns false when this admin has undone it already.
 * LISTING_STEP when it is too late, VERSION when the listing was edited, bought or decided again since.
 */
export async function undoVerdict(ctx: Ctx, listingId: number, isMeant?: (of: FreshVerdict) => boolean): Promise<boolean> {
  requireCan(ctx, 'operate')
  return inTransaction(ctx, async (ctx) => {
    const { id: adminId } = await holdAdmin(ctx)
    const [listing] = await ctx.db.select().from(listings).where(eq(listings.id, listingId)).for('no key update')
    if (!listing) throw notFound()
    const [fresh] = await ctx.db
      .select({ replaced: freshVerdicts, passed: verifications.passed, adminId: verifications.adminId })
      .from(freshVerdicts)
      .innerJoin(verifications, eq(verifications.id, freshVerdicts.verificationId))
      .where(
        and(
          eq(freshVerdicts.listingId, listingId),
          gt(freshVerdicts.createdAt, new Date(ctx.now.getTime() - MESSAGE_DELAY_SECONDS * 1000)),
        ),
      )
      .orderBy(desc(freshVerdicts.verificationId))
      .limit(1)
    const tooLate = new Problem('LISTING_STEP', { reason: 'UNDO_LATE' })
    if (!fresh || fresh.adminId !== adminId || isMeant?.(fresh.replaced) === false) {
      const last = await findLastDecision(ctx, `listing:${listingId}`, ['listing_passed', 'listing_failed', 'verdict_undone'])
      if (last?.event === 'verdict_undone' && last.actorId === adminId) return false
      throw fresh ? await decidedSince(ctx, fresh.replaced) : tooLate
    }
    const { verificationId, state, verificationComment, editorId, version, stock, secondLook, messageId } = fresh.replaced
    const isAsDecided =
      listing.state === heldBack(stateAfter(fresh.passed ? 'pass' : 'fail', state), listing) && listing.version === version
    if (!isAsDecided || listing.stock !== stock) throw new Problem('VERSION')
    if (messageId !== null && !(await takeBackMessage(ctx, messageId))) throw tooLate
    await ctx.db.update(listings).set({ state, verificationComment, editorId }).where(eq(listings.id, listingId))
    await ctx.db.delete(verifications).where(eq(verifications.id, verificationId))
    if (secondLook) await ctx.db.insert(secondLooks).values({ ...secondLook, listingId, createdAt: new Date(secondLook.createdAt) })
    await audit(ctx, 'verdict_undone', `listing:${listingId}`, { passed: fresh.passed })
    return true
  })
}

export const verdictText = (passed: boolean) => (locale: Locale) => (passed ? m.verify_pass : m.verify_fail)({}, { locale })

async function decidedSince(ctx: Ctx, { verificationId }: FreshVerdict): Promise<Problem> {
  const [last] = await ctx.db.select().from(verifications).where(eq(verifications.id, verificationId))
  const { passed, adminId: byId, createdAt: at } = last!
  const { sentence } = await decidedBy(ctx, { what: verdictText(passed), byId, at })
  return new Problem('LISTING_STEP', { sentence })
}
