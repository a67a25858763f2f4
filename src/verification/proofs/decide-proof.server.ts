import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { decidedBy, findLastDecision, type DecisionDetails } from '#src/accounts/decided-meanwhile.server.ts'
import { requireCan } from '#src/accounts/policy.ts'
import { takeBackAct } from '#src/accounts/undo.server.ts'
import { holdAdmin } from '#src/accounts/people/users.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { columnsOf } from '#src/kit/db/columns.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { isOwnListing } from '#src/listings/policy.ts'
import { m } from '#src/paraglide/messages.js'
import { milkings } from '#src/listings/proofs/tables.ts'
import { listings } from '#src/listings/tables.ts'

/** `seen` makes it public. `refuse`: it does not show what it should, and the seller can send another one. */
export const PROOF_ACTS = ['seen', 'refuse'] as const

/** `revision` of the listing that the admin saw. */
export const proofDecision = z.object({ act: z.enum(PROOF_ACTS, 'field_wrong'), revision: z.int('field_wrong').positive('field_wrong') })
export type ProofDecision = z.infer<typeof proofDecision>

async function findProof(ctx: Ctx, key: string) {
  const [proof] = await ctx.db
    .select(columnsOf(milkings, 'listingId', 'addedById', 'isRefused', 'seenRevision'))
    .from(milkings)
    .where(eq(milkings.mediaKey, key))
  return proof
}

/**
 * An admin's decision about a clip of a milking, by its media key. OWN_LISTING as for a verdict, and for what they
 * have sent themselves; VERSION when the animal's description has changed since they saw it, or another admin decided first (decision 0112);
 * NOT_FOUND when it was removed.
 */
export async function decideProof(ctx: Ctx, key: string, { act, revision }: ProofDecision): Promise<void> {
  requireCan(ctx, 'operate')
  await inTransaction(ctx, async (ctx) => {
    const { id: adminId } = await holdAdmin(ctx)
    const found = await findProof(ctx, key)
    if (!found) throw notFound()
    const [listing] = await ctx.db.select().from(listings).where(eq(listings.id, found.listingId)).for('no key update')
    // Read again under the lock on the listing, which a removal takes, too.
    const proof = await findProof(ctx, key)
    if (!listing || !proof) throw notFound()
    if (isOwnListing(ctx.viewer, listing) || proof.addedById === adminId) throw new Problem('OWN_LISTING')
    if (proof.isRefused || proof.seenRevision === listing.revision) return ensureOwnRepeat(ctx, proof.listingId, { act, key })
    if (listing.revision !== revision) throw new Problem('VERSION')
    const isRefused = act === 'refuse'
    await ctx.db
      .update(milkings)
      .set({ isRefused, seenRevision: isRefused ? null : revision })
      .where(eq(milkings.mediaKey, key))
    // No message waits for the undo, because nobody is notified.
    await audit(ctx, 'proof_decided', `listing:${proof.listingId}`, { act, key, ...(isRefused && { from: proof.seenRevision, held: '' }) })
  })
}

/**
 * Undoes the admin's own refusal within seconds: the clip waits again. The same undo again succeeds. VERSION when it is late or another
 * admin decided since; NOT_FOUND when it was removed.
 */
export async function undoRefusal(ctx: Ctx, key: string): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    await holdAdmin(ctx)
    const proof = await findProof(ctx, key)
    if (!proof) throw notFound()
    await ctx.db.select().from(listings).where(eq(listings.id, proof.listingId)).for('no key update')
    const act = await takeBackAct(ctx, {
      object: `listing:${proof.listingId}`,
      about: { key },
      events: ['proof_decided'],
      isUndo: (details) => details.act === 'undo',
      stale: (last) => decidedLast(ctx, last),
      late: new Problem('VERSION', { sentence: (locale) => m.proof_desk_undo_late({}, { locale }) }),
    })
    if (act === null) return
    const seenRevision = typeof act.from === 'number' ? act.from : null
    await ctx.db.update(milkings).set({ isRefused: false, seenRevision }).where(eq(milkings.mediaKey, key))
    await audit(ctx, 'proof_decided', `listing:${proof.listingId}`, { act: 'undo', key })
  })
}

const proofTexts = { seen: m.proof_desk_seen, refuse: m.proof_desk_refuse, undo: m.proof_desk_undone }

const decidedLast = (ctx: Ctx, { details, actorId: byId, at }: { details: DecisionDetails; actorId: number | null; at: Date }) =>
  decidedBy(ctx, { what: (locale) => proofTexts[details.act as keyof typeof proofTexts]({}, { locale }), byId, at })

async function ensureOwnRepeat(ctx: Ctx, listingId: number, { act, key }: { act: ProofDecision['act']; key: string }): Promise<void> {
  // A listing has several proofs, and the last decision may be about another one.
  const last = await findLastDecision(ctx, `listing:${listingId}`, ['proof_decided'], { key })
  if (!last) throw new Problem('VERSION')
  if (last.actorId === ctx.viewer?.id && last.details.act === act) return
  throw await decidedLast(ctx, last)
}
