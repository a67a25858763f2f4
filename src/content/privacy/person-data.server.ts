import { consumeOtp, proveOtp } from '#src/accounts/identity/otp.server.ts'
import { sessionHash } from '#src/accounts/profile/phone-change.server.ts'
import * as accounts from '#src/accounts/privacy/privacy.server.ts'
import { getProfile } from '#src/accounts/profile/profile.server.ts'
import { ensureSuperAdminLeft, lockSuperAdmins } from '#src/accounts/people/users.server.ts'
import * as addresses from '#src/addresses/privacy.server.ts'
import * as alerts from '#src/alerts/privacy.server.ts'
import * as cart from '#src/cart/privacy.server.ts'
import * as forum from '#src/forum/privacy.server.ts'
import * as enquiries from '#src/enquiries/privacy.server.ts'
import * as content from '#src/content/privacy/privacy.server.ts'
import * as health from '#src/health/privacy.server.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import * as invoices from '#src/invoices/queries.server.ts'
import * as listings from '#src/listings/privacy.server.ts'
import * as orders from '#src/orders/privacy/privacy.server.ts'
import * as reports from '#src/reports/privacy.server.ts'
import * as reviews from '#src/reviews/privacy.server.ts'
import * as selling from '#src/selling/privacy/privacy.server.ts'
import { dropUnusedPictures } from '#src/kit/uploads/used-pictures.server.ts'
import * as verification from '#src/verification/privacy.server.ts'
import { usedPictures } from './media-domains.server.ts'

/** The interface of a domain that stores personal data (safety.md §4.6). */
interface PersonData {
  exportPerson(ctx: Ctx, userId: number): Promise<object>
  /** Runs within the erasure's transaction. Returns the pictures to delete after its commit. */
  forgetPerson(ctx: Ctx, userId: number): Promise<string[]>
}

/**
 * Every domain that stores personal data, in the order of domains; a new domain adds itself here. The newsletter is missing: it stores
 * addresses, not people, and nobody has proved that a profile's e-mail is the person's own. Its own link, or a request at the erasure,
 * removes the address.
 */
const domains: PersonData[] = [
  accounts,
  addresses,
  listings,
  reviews,
  verification,
  reports,
  cart,
  invoices,
  orders,
  selling,
  health,
  alerts,
  enquiries,
  forum,
  content,
]

/** Everything the market stores about the viewer, as a file. */
export async function exportOwnData(ctx: Ctx): Promise<object> {
  const id = requireId(ctx)
  await audit(ctx, 'user_data_exported', `user:${id}`)
  const parts: object[] = []
  for (const domain of domains) parts.push(await domain.exportPerson(ctx, id))
  return Object.assign({ market: ctx.publicOrigin, exportedAt: ctx.now }, ...parts) as object
}

/** Content that others have read: it stays without an author, or is deleted. */
export const LEFT_WAYS = ['keep', 'remove'] as const
export type LeftWay = (typeof LEFT_WAYS)[number]
/** The person chooses for each: forum posts, reviews of sellers, reports, and the newsletter's address. */
export const LEFT_THINGS = ['forum', 'reviews', 'reports', 'newsletter'] as const
export type Left = Partial<Record<(typeof LEFT_THINGS)[number], LeftWay | undefined>>

/**
 * Erases the viewer. `code` comes from accounts' `startErasure`. All domains forget in one transaction, the last one first, because later
 * domains read what earlier ones still store. Raises OTP_WRONG, OTP_EXPIRED, OPEN_ORDERS, LAST_SUPER_ADMIN.
 */
export async function eraseOwnAccount(ctx: Ctx, code: string, media: MediaStore, left: Left = {}): Promise<void> {
  const id = requireId(ctx)
  const { phone, email, internalType } = await getProfile(ctx, id)
  const otpId = await proveOtp(ctx, { phone, purpose: 'erase', browserHash: sessionHash(ctx) }, code)
  const pictures = await inTransaction(ctx, async (ctx) => {
    await consumeOtp(ctx, otpId)
    await lockSuperAdmins(ctx, id)
    if (left.forum === 'remove') await forum.removeWords(ctx, id)
    if (left.reviews === 'remove') await reviews.removeReviews(ctx, id)
    if (left.reports === 'remove') {
      await forum.removeReports(ctx, id)
      await reports.removeReports(ctx, id)
    }
    if (left.newsletter === 'remove' && email) await content.removeNewsletterAddress(ctx, email)
    const keys: string[] = []
    for (const domain of domains.toReversed()) keys.push(...(await domain.forgetPerson(ctx, id)))
    if (internalType === 3) await ensureSuperAdminLeft(ctx)
    await audit(ctx, 'user_erased', `user:${id}`)
    return keys
  })
  await dropUnusedPictures(ctx, media, usedPictures, pictures)
}

/** Checked before the password is asked for and a code is sent, so that people with open orders are refused at once. Raises OPEN_ORDERS. */
export async function ensureMayGo(ctx: Ctx): Promise<void> {
  await orders.ensureNoOpenOrders(ctx, requireId(ctx))
}

function requireId(ctx: Ctx): number {
  if (!ctx.viewer) throw notFound()
  return ctx.viewer.id
}
