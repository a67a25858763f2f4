import { consumeOtp, proveOtp } from '#src/accounts/otp.server.ts'
import { sessionHash } from '#src/accounts/phone-change.server.ts'
import * as accounts from '#src/accounts/privacy.server.ts'
import { getProfile } from '#src/accounts/profile.server.ts'
import { ensureSuperAdminLeft, lockSuperAdmins } from '#src/accounts/users.server.ts'
import * as alerts from '#src/alerts/privacy.server.ts'
import * as cart from '#src/cart/privacy.server.ts'
import * as forum from '#src/forum/privacy.server.ts'
import * as enquiries from '#src/enquiries/privacy.server.ts'
import * as content from './privacy.server.ts'
import * as health from '#src/health/privacy.server.ts'
import { audit } from '#src/kit/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/database.server.ts'
import type { MediaStore } from '#src/kit/media-store.server.ts'
import { notFound } from '#src/kit/problem.ts'
import * as invoices from '#src/invoices/queries.server.ts'
import * as listings from '#src/listings/privacy.server.ts'
import * as orders from '#src/orders/privacy.server.ts'
import * as selling from '#src/selling/privacy.server.ts'
import { dropUnusedPictures } from '#src/selling/used-pictures.server.ts'

/** What a domain that keeps anything of people exports (safety.md §4.6). */
interface PersonData {
  exportPerson(ctx: Ctx, userId: number): Promise<object>
  /** Within the erasure's transaction. Answers the pictures whose files go after its commit. */
  forgetPerson(ctx: Ctx, userId: number): Promise<string[]>
}

/**
 * Every domain that keeps something of people, in their line. A new one adds itself here. The newsletter knows addresses, not people,
 * and nobody has proved that the e-mail of his profile is his: whoever reads a newsletter leaves it by its own link.
 */
const domains: PersonData[] = [accounts, listings, cart, invoices, orders, selling, health, alerts, enquiries, forum, content]

/** Everything the market knows of the viewer, to be taken away as a file. */
export async function exportOwnData(ctx: Ctx): Promise<object> {
  const id = requireId(ctx)
  await audit(ctx, 'user_data_exported', `user:${id}`)
  const parts: object[] = []
  for (const domain of domains) parts.push(await domain.exportPerson(ctx, id))
  return Object.assign({ market: ctx.publicOrigin, exportedAt: ctx.now }, ...parts) as object
}

/** What becomes of the words somebody leaves in the forum: they stay by nobody, or go with him. */
export const FORUM_WORDS = ['keep', 'remove'] as const
export type ForumWords = (typeof FORUM_WORDS)[number]

/**
 * The viewer is gone: `code` answers accounts' `startErasure`. All domains forget in one transaction, the last first, because
 * they look at what the earlier ones still know. OTP_WRONG, OTP_EXPIRED, OPEN_ORDERS, LAST_SUPER_ADMIN.
 */
export async function eraseOwnAccount(ctx: Ctx, code: string, media: MediaStore, forumWords: ForumWords = 'keep'): Promise<void> {
  const id = requireId(ctx)
  const { phone, internalType } = await getProfile(ctx, id)
  const otpId = await proveOtp(ctx, { phone, purpose: 'erase', browserHash: sessionHash(ctx) }, code)
  const pictures = await inTransaction(ctx, async (ctx) => {
    await consumeOtp(ctx, otpId)
    await lockSuperAdmins(ctx, id)
    if (forumWords === 'remove') await forum.removeWords(ctx, id)
    const keys: string[] = []
    for (const domain of domains.toReversed()) keys.push(...(await domain.forgetPerson(ctx, id)))
    if (internalType === 3) await ensureSuperAdminLeft(ctx)
    await audit(ctx, 'user_erased', `user:${id}`)
    return keys
  })
  await dropUnusedPictures(ctx, media, pictures)
}

/** Before the password is asked and a code sent: whoever has open orders is told so at once. OPEN_ORDERS. */
export async function ensureMayGo(ctx: Ctx): Promise<void> {
  await orders.ensureNoOpenOrders(ctx, requireId(ctx))
}

function requireId(ctx: Ctx): number {
  if (!ctx.viewer) throw notFound()
  return ctx.viewer.id
}
