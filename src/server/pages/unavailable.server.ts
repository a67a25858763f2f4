import type { Ctx } from '#src/kit/context.ts'
import { CachedPage } from '#src/kit/http/page-cache.server.ts'
import { contentSecurityPolicy } from '#src/kit/http/security-headers.server.ts'
import type { ContactSetting } from '#src/kit/settings.ts'
import { localized, type Locale } from '#src/kit/text/locale.ts'
import { localeOf, type AppContext } from '../request.server.ts'
import { absentDatabase, renderForAll, sendEncoded, type PageSite } from './page-site.server.ts'

/**
 * Sends the page while the database is away. It is rendered once per language, and again when the contact data
 * changes.
 */
export function unavailablePage(site: PageSite): (c: AppContext, retryAfterSeconds: number) => Promise<Response> {
  const known: Partial<Record<Locale, { contact: ContactSetting; page: Promise<CachedPage> }>> = {}
  return async (c, retryAfterSeconds) => {
    const locale = localeOf(c)
    const contact = site.contacts.current
    const isSame = JSON.stringify(known[locale]?.contact) === JSON.stringify(contact)
    const rendering = (isSame && known[locale]) || (known[locale] = { contact, page: renderUnavailable(site, c.var.requestId, locale) })
    // A failed rendering is not cached: the next request tries again.
    rendering.page.catch(() => delete known[locale])
    const page = await rendering.page
    return sendEncoded(c, 503, { ...page.headers, 'retry-after': String(retryAfterSeconds) }, (encoding) => page.encoded(encoding))
  }
}

/**
 * The frame with a sentence that says so. It has no scripts, which would load the data of the page at that address; its links are relative to the
 * address at which it is shown.
 */
async function renderUnavailable(site: PageSite, requestId: string, locale: Locale): Promise<CachedPage> {
  const { env, clock, log, vault } = site.market
  const { publicOrigin } = env
  const path = localized('/buy/0?again=1', locale)
  const nobody = { viewer: null, browserId: null, sessionId: null }
  const ctx: Ctx = { ...nobody, db: absentDatabase, locale, now: clock.now(), requestId, log, publicOrigin, vault }
  const { body, headers } = await renderForAll(site, ctx, new URL(path, publicOrigin), absentDatabase)
  const light = body
    .toString()
    .replace(/<script\b[^>]*>[\s\S]*?<\/script>|<link rel="(?:canonical|alternate)"[^>]*>/g, '')
    .replace(/href="(?:\/en)?\/buy\/0\?again=1&amp;/g, 'href="?')
    .replaceAll(`href="${path}"`, 'href=""')
    .replaceAll(requestId, '')
  const policy = contentSecurityPolicy({ hashes: [] }, publicOrigin.startsWith('https:'))
  return new CachedPage(
    {
      headers: { ...headers, 'cache-control': 'no-store', 'content-security-policy': policy },
      body: Buffer.from(light),
      shows: new Set(),
    },
    0,
  )
}
