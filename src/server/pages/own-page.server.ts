import { inLocale } from '#src/kit/http/page-locale.server.ts'
import { frameViewerOf } from '#src/content/site-frame/frame-viewer.server.ts'
import type { ContactSetting } from '#src/kit/settings.ts'
import { fromBytes, htmlOf } from '#src/router-seams/rendered-html.server.ts'
import type { AppContext } from '../request.server.ts'
import { HEARD_MS } from './cached-page.server.ts'
import { newNonce, policyOf, type PageSite } from './page-site.server.ts'

/** Renders a page for this visitor alone. */
export async function sendOwn(site: PageSite, c: AppContext): Promise<Response> {
  const nonce = newNonce()
  const { ctx } = c.var
  const contact = await contactFor(site, c)
  const viewer = frameViewerOf(ctx, c.var.figures)
  const response = await inLocale(ctx.locale, () => site.handler(c.req.raw, { ctx, nonce, visitor: c, viewer, contact }))
  const headers = new Headers(response.headers)
  headers.set('Content-Security-Policy', policyOf(site.market, { nonce }))
  if (!headers.get('Cache-Control')?.includes('no-store')) headers.set('Cache-Control', ctx.viewer ? 'no-store' : 'private, no-cache')
  headers.set('Content-Language', ctx.locale)
  headers.append('Vary', 'Cookie')
  const own = htmlOf(response)
  return new Response(c.req.method === 'HEAD' ? null : own === null ? response.body : fromBytes(own), {
    status: response.status,
    headers,
  })
}

/** Read together with the session; without one, read at most once per HEARD_MS for all concurrent requests. */
export async function contactFor({ contacts, cache }: PageSite, c: AppContext): Promise<ContactSetting> {
  const id = c.var.figures?.contactId
  if (id !== undefined) return contacts.atLeast(id)
  if (c.var.ctx.viewer === null && contacts.ageMs > HEARD_MS) await cache.look()
  return contacts.current
}
