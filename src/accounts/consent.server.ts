import { and, eq, isNull } from 'drizzle-orm'
import { redirect } from 'react-router'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { localized } from '#src/kit/text/locale.ts'
import { pathOf, requireViewer } from './page-guards.server.ts'
import { requireLoggedIn } from './policy.ts'
import { ACCOUNT_CONSENT_VERSION } from './schemas.ts'
import { consents, users } from './tables.ts'

/**
 * Consent of a person who registered by the API without it (decisions §8.2). No call is refused for lack of it. Pages ask for it after the
 * login, and again before the first order and the first listing.
 */
export const hasConsent = async (ctx: Ctx, userId: number): Promise<boolean> =>
  (await ctx.db.$count(consents, and(eq(consents.userId, userId), isNull(consents.withdrawnAt)))) > 0

/** Stores the viewer's consent to the text of the form, once. */
export async function giveConsent(ctx: Ctx): Promise<void> {
  const { id } = requireLoggedIn(ctx)
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.select({ id: users.id }).from(users).where(eq(users.id, id)).for('no key update')
    if (await hasConsent(ctx, id)) return
    const { locale, now: givenAt } = ctx
    await ctx.db.insert(consents).values({ userId: id, purpose: 'account', version: ACCOUNT_CONSENT_VERSION, locale, givenAt })
  })
}

/** Guards the pages of order and listing: redirects a person whose consent is missing to its form, which then leads back to `url`. */
export async function requireConsent(ctx: Ctx, url: URL): Promise<void> {
  const { id } = requireViewer(ctx, url)
  if (!(await hasConsent(ctx, id))) throw redirect(`${localized('/consent', ctx.locale)}?next=${encodeURIComponent(pathOf(url))}`)
}
