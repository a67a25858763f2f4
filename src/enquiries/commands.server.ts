import { and, desc, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { getTypedPlace } from '#src/addresses/addresses.server.ts'
import { toStoredPoint } from '#src/addresses/places.ts'
import { findPincode } from '#src/addresses/places.server.ts'
import { decidedBy } from '#src/accounts/decided-meanwhile.server.ts'
import { requireLoggedIn } from '#src/accounts/policy.ts'
import { users } from '#src/accounts/tables.ts'
import { heldIn, takeBackAct, undoLate } from '#src/accounts/undo.server.ts'
import { holdAdmin } from '#src/accounts/people/users.server.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { findAnswer, once } from '#src/kit/records/idempotency.server.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { m } from '#src/paraglide/messages.js'
import { commentText } from '#src/verification/verify-listing.server.ts'
import { notifyOfClosing, notifyOfVerdict } from './enquiry-messages.server.ts'
import { can, isOwnEnquiry } from './policy.ts'
import { seenEnquiry } from './rules.ts'
import type { EnquiryInput } from './schemas.ts'
import { enquiries, enquiryVerdicts } from './tables.ts'

type EnquiryRow = typeof enquiries.$inferSelect

/** The owner of an idempotency key (kit/records/idempotency.server.ts). */
const sendingOwner = (userId: number) => `user:${userId}|enquiry`

export async function wasSent(ctx: Ctx, key: string): Promise<boolean> {
  return (await findAnswer(ctx, { owner: sendingOwner(ctx.viewer?.id ?? 0), key })) !== null
}

/**
 * Posts an enquiry that waits for an admin; returns its id. Idempotent with a key: a repeat returns the existing id. Raises VALIDATION for
 * an unknown PIN code.
 */
export async function postEnquiry(ctx: Ctx, input: EnquiryInput, key?: string): Promise<number> {
  const viewer = requireLoggedIn(ctx)
  const place = await placeOf(ctx, input.pincode)
  const post = async (ctx: Ctx): Promise<number> => {
    const [row] = await ctx.db
      .insert(enquiries)
      .values({ ...input, ...place, posterId: viewer.id, createdAt: ctx.now, renewedAt: ctx.now })
      .returning({ id: enquiries.id })
    await audit(ctx, 'sensitive_create', `enquiry:${row!.id}`)
    return row!.id
  }
  if (key === undefined) return inTransaction(ctx, post)
  const request = { ...input, acceptablePrice: String(input.acceptablePrice) }
  return once(ctx, { owner: sendingOwner(viewer.id), key, request }, post)
}

export async function placeOf(ctx: Ctx, pincode: string) {
  const place = await getTypedPlace(ctx, pincode)
  const point = findPincode(pincode)?.point
  return { city: place.taluk, district: place.district, stateName: place.state, location: point ? toStoredPoint(point) : null }
}

export const approval = z.object({ passed: z.boolean('field_wrong'), comment: commentText('field_enquiry_comment', 'field_comment_long') })

interface Judgement extends z.infer<typeof approval> {
  /** The state that the admin saw (`seenEnquiry`), if known. */
  seen?: string | undefined
}

/**
 * Approves or refuses an enquiry. After an approval sellers see it, and its days begin; after a refusal its poster reads why. For admins,
 * never on their own: OWN_ENQUIRY. A verdict can be changed; a repeat changes nothing. Raises VERSION when somebody judged or closed it since
 * the admin saw it (decision 0112), ENQUIRY_STEP when it is closed, or another admin gave the same verdict.
 */
export async function judgeEnquiry(ctx: Ctx, id: number, { passed, comment, seen }: Judgement): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const viewer = await holdAdmin(ctx)
    const enquiry = await lockEnquiry(ctx, id)
    if (isOwnEnquiry(viewer, enquiry)) throw new Problem('OWN_ENQUIRY')
    const isSaid = enquiry.isVerified === passed
    if (isSaid && enquiry.verifiedById === viewer.id && enquiry.verificationComment === comment) return
    if (seen !== undefined && seen !== seenEnquiry(enquiry)) throw await decidedMeanwhileOn(ctx, enquiry, seen)
    if (enquiry.closedAt || isSaid) throw new Problem('ENQUIRY_STEP')
    await ctx.db.insert(enquiryVerdicts).values({ enquiryId: id, adminId: viewer.id, passed, comment, createdAt: ctx.now })
    await ctx.db
      .update(enquiries)
      .set({
        isVerified: passed,
        verifiedById: viewer.id,
        verificationComment: comment,
        verifiedAt: ctx.now,
        ...(passed && { renewedAt: ctx.now }),
      })
      .where(eq(enquiries.id, id))
    await notifyOfVerdict(ctx, enquiry, { passed, comment })
    await audit(ctx, passed ? 'enquiry_approved' : 'enquiry_refused', `enquiry:${id}`, { from: enquiry.isVerified, ...heldIn(ctx) })
  })
}

/**
 * Undoes the admin's own refusal within seconds: the enquiry has its earlier verdict or waits again. The same undo again
 * succeeds. Raises ENQUIRY_STEP when it is too late, VERSION when somebody judged or closed it since, NOT_FOUND.
 */
export async function undoRefusal(ctx: Ctx, id: number): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    await holdAdmin(ctx)
    const enquiry = await lockEnquiry(ctx, id)
    const act = await takeBackAct(ctx, {
      object: `enquiry:${id}`,
      events: ['enquiry_approved', 'enquiry_closed', 'enquiry_refusal_undone', 'enquiry_refused'],
      undone: 'enquiry_refusal_undone',
      stale: () => decidedMeanwhileOn(ctx, enquiry, '.'),
      late: undoLate('ENQUIRY_STEP'),
    })
    if (act === null) return
    const verdicts = ctx.db.select().from(enquiryVerdicts).where(eq(enquiryVerdicts.enquiryId, id))
    const [refusal, before] = await verdicts.orderBy(desc(enquiryVerdicts.id)).limit(2)
    const { passed = null, adminId = null, comment = null, createdAt = null } = before ?? {}
    if (!refusal || passed !== act.from) throw new Problem('VERSION')
    await ctx.db.delete(enquiryVerdicts).where(eq(enquiryVerdicts.id, refusal.id))
    await ctx.db
      .update(enquiries)
      .set({ isVerified: passed, verifiedById: adminId, verificationComment: comment, verifiedAt: createdAt })
      .where(eq(enquiries.id, id))
    await audit(ctx, 'enquiry_refusal_undone', `enquiry:${id}`)
  })
}

/** Forms of older pages send nothing, and nobody knows what they showed. */
async function decidedMeanwhileOn(ctx: Ctx, enquiry: EnquiryRow, seen: string): Promise<Problem> {
  if (seen === '') return new Problem('VERSION')
  const { isVerified, verifiedAt, verifiedById, closedAt, closedById } = enquiry
  if (closedAt) return decidedBy(ctx, { what: (locale) => m.wanted_closed({}, { locale }), byId: closedById, at: closedAt })
  if (!verifiedAt) return new Problem('VERSION')
  const what = isVerified ? m.wanted_verified : m.wanted_not_verified
  return decidedBy(ctx, { what: (locale) => what({}, { locale }), byId: verifiedById, at: verifiedAt })
}

/**
 * Closes an enquiry; idempotent. For its poster, who has found the animal or no longer needs it, and for admins: VERSION when it was judged or
 * closed since they saw it (`seen`, if known).
 */
export async function closeEnquiry(ctx: Ctx, id: number, seen?: string): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const enquiry = await lockSeen(ctx, id)
    const isOwn = isOwnEnquiry(ctx.viewer, enquiry)
    if (!isOwn && !can(ctx.viewer, 'operate')) throw new Problem('ROLE_FORBIDDEN')
    const isStale = !isOwn && enquiry.closedById !== ctx.viewer?.id && seen !== undefined && seen !== seenEnquiry(enquiry)
    if (isStale) throw await decidedMeanwhileOn(ctx, enquiry, seen)
    if (!can(ctx.viewer, 'close-enquiry', enquiry)) return
    await ctx.db
      .update(enquiries)
      .set({ closedAt: ctx.now, closedById: requireLoggedIn(ctx).id })
      .where(and(eq(enquiries.id, id), isNull(enquiries.closedAt)))
    await audit(ctx, 'enquiry_closed', `enquiry:${id}`, { by: isOwn ? 'poster' : 'admin' })
    if (!isOwn) await notifyOfClosing(ctx, enquiry)
  })
}

/** Restarts the ninety days. Raises ENQUIRY_STEP for an enquiry that is closed or not verified. */
export async function renewEnquiry(ctx: Ctx, id: number): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const enquiry = await lockSeen(ctx, id)
    if (!isOwnEnquiry(ctx.viewer, enquiry)) throw new Problem('ROLE_FORBIDDEN')
    if (!can(ctx.viewer, 'renew-enquiry', enquiry)) throw new Problem('ENQUIRY_STEP')
    await ctx.db.update(enquiries).set({ renewedAt: ctx.now }).where(eq(enquiries.id, id))
    await audit(ctx, 'enquiry_renewed', `enquiry:${id}`)
  })
}

/** Raises NOT_FOUND when there is none. */
export async function lockEnquiry(ctx: Ctx, id: number): Promise<EnquiryRow> {
  const [enquiry] = await ctx.db.select().from(enquiries).where(eq(enquiries.id, id)).for('no key update')
  if (!enquiry) throw notFound()
  return enquiry
}

/** Locks an enquiry that the viewer may see; otherwise raises NOT_FOUND, as `getEnquiry` does. */
export async function lockSeen(ctx: Ctx, id: number): Promise<EnquiryRow> {
  requireLoggedIn(ctx)
  const enquiry = await lockEnquiry(ctx, id)
  if (!can(ctx.viewer, 'see-enquiry', enquiry)) throw notFound()
  if (!can(ctx.viewer, 'operate') && !(await isPosterActive(ctx, enquiry))) throw notFound()
  return enquiry
}

/** An enquiry counts only while its poster is active. */
export async function isPosterActive(ctx: Ctx, { posterId }: { posterId: number }): Promise<boolean> {
  return (await ctx.db.$count(users, and(eq(users.id, posterId), eq(users.isActive, true)))) > 0
}
