import { consumeOtp, proveOtp } from '#src/accounts/sign-in/otp.server.ts'
import { sessionHash } from '#src/accounts/profile/phone-change.server.ts'
import * as accounts from '#src/accounts/privacy.server.ts'
import { getProfile } from '#src/accounts/profile/profile.server.ts'
import { ensureSuperAdminLeft, lockSuperAdmins } from '#src/accounts/users.server.ts'
import * as alerts from '#src/alerts/privacy.server.ts'
import * as cart from '#src/cart/privacy.server.ts'
import * as forum from '#src/forum/privacy.server.ts'
import * as enquiries from '#src/enquiries/privacy.server.ts'
import * as content from '#src/content/privacy.server.ts'
import * as health from '#src/health/privacy.server.ts'
import { audit } from '#src/kit/db/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { notFound } from '#src/kit/problem.ts'
import * as invoices from '#src/invoices/queries.server.ts'
import * as listings from '#src/listings/privacy.server.ts'
import * as orders from '#src/orders/privacy.server.ts'
import * as selling from '#src/selling/privacy.server.ts'
import { dropUnusedPictures } from '#src/selling/used-pictures.server.ts'
import * as verification from '#src/verification/privacy.server.ts'

/** The interface of a domain that stores personal data (safety.md §4.6). */
interface PersonData {
  exportPerson(ctx: Ctx, userId: number): Promise<object>
  /** Runs within the erasure's transaction. Answers the pictures to delete after its commit. */
  forgetPerson(ctx: Ctx, userId: number): Promise<string[]>
}

/**
 * Every domain that stores personal data, in the domains' order. A new one adds itself here. The newsletter knows addresses, not people,
 * and nobody has proved that the e-mail of a profile is the person's: it is left by its own link, or on request at an erasure.
 */
const domains: PersonData[] = [accounts, listings, verification, cart, invoices, orders, selling, health, alerts, enquiries, forum, content]

/** Everything the market knows of the viewer, as a file. */
export async function exportOwnData(ctx: Ctx): Promise<object> {
  const id = requireId(ctx)
  await audit(ctx, 'user_data_exported', `user:${id}`)
  const parts: object[] = []
  for (const domain of domains) parts.push(await domain.exportPerson(ctx, id))
  return Object.assign({ market: ctx.publicOrigin, exportedAt: ctx.now }, ...parts) as object
}

/** What somebody leaves with others: it stays without an author, or goes with them. */
export const LEFT_WAYS = ['keep', 'remove'] as const
export type LeftWay = (typeof LEFT_WAYS)[number]
/** Each is asked about separately: forum posts, reviews of sellers, reports, and the newsletter's address. */
export const LEFT_THINGS = ['forum', 'reviews', 'reports', 'newsletter'] as const
export type Left = Partial<Record<(typeof LEFT_THINGS)[number], LeftWay | undefined>>

/**
 * Erases the viewer: `code` is the one from accounts' `startErasure`. All domains forget in one transaction, the last first, because they
 * read what the earlier ones still store. OTP_WRONG, OTP_EXPIRED, OPEN_ORDERS, LAST_SUPER_ADMIN.
 */
export async function eraseOwnAccount(ctx: Ctx, code: string, media: MediaStore, left: Left = {}): Promise<void> {
  const id = requireId(ctx)
  const { phone, email, internalType } = await getProfile(ctx, id)
  const otpId = await proveOtp(ctx, { phone, purpose: 'erase', browserHash: sessionHash(ctx) }, code)
  const pictures = await inTransaction(ctx, async (ctx) => {
    await consumeOtp(ctx, otpId)
    await lockSuperAdmins(ctx, id)
    if (left.forum === 'remove') await forum.removeWords(ctx, id)
    if (left.reviews === 'remove') await accounts.removeReviews(ctx, id)
    if (left.reports === 'remove') {
      await forum.removeReports(ctx, id)
      await listings.removeReports(ctx, id)
    }
    if (left.newsletter === 'remove' && email) await content.removeNewsletterAddress(ctx, email)
    const keys: string[] = []
    for (const domain of domains.toReversed()) keys.push(...(await domain.forgetPerson(ctx, id)))
    if (internalType === 3) await ensureSuperAdminLeft(ctx)
    await audit(ctx, 'user_erased', `user:${id}`)
    return keys
  })
  await dropUnusedPictures(ctx, media, pictures)
}

/** Checked before the password is asked and a code sent: refuses people with open orders at once. OPEN_ORDERS. */
export async function ensureMayGo(ctx: Ctx): Promise<void> {
  await orders.ensureNoOpenOrders(ctx, requireId(ctx))
}

function requireId(ctx: Ctx): number {
  if (!ctx.viewer) throw notFound()
  return ctx.viewer.id
}
