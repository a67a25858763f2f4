import { randomInt, randomUUID } from 'node:crypto'
import type { FrameViewer } from '#src/content/site-frame/frame-viewer.ts'
import { fromBytes, toBytes, type PageBytes } from '#src/router-seams/rendered-html.server.ts'
import type { AppContext } from '../request.server.ts'
import { contactFor } from './own-page.server.ts'
import { newNonce, policyOf, renderAlike, type PageSite } from './page-site.server.ts'

/** They stand in a shared page where each person gets their own. Nobody can type them, because each process draws its own. */
const STAND_IN = { id: randomInt(2 ** 40, 2 ** 46), name: randomUUID(), nonce: newNonce() }

/**
 * Sends a page that shows everybody the same below its head to a person who is logged in. It is rendered once for all people with the same rights, bonus
 * and number in the cart; each answer then gets its own id, name and nonce. The loaders see no viewer, so nothing else of a person can reach another.
 * Returns null when the cache cannot answer. The caller then renders the page for this person alone.
 */
export async function sendForMember(site: PageSite, c: AppContext, url: URL, viewer: FrameViewer): Promise<Response | null> {
  const { cache, market } = site
  const { ctx } = c.var
  const alike: FrameViewer = { ...viewer, id: STAND_IN.id, name: STAND_IN.name }
  const key = `${JSON.stringify(alike)} ${url.pathname}${url.search}`
  await contactFor(site, c)
  const epoch = cache.epochOfUnknown(key) ?? (await cache.look())
  if (epoch === null) return null
  const cached = cache.find(key, epoch)
  const page = cached ?? (await cache.render(key, epoch, () => renderForMembers(site, c, url, alike)))
  if ('isCacheable' in page && !page.isCacheable) return null
  const nonce = newNonce()
  const body = fromBytes(withOwn(toBytes(page.body), viewer, nonce))
  return new Response(c.req.method === 'HEAD' ? null : body, {
    headers: {
      ...page.headers,
      'cache-control': 'no-store',
      'cache-status': `sandhai; ${cached ? 'hit' : 'fwd=miss'}`,
      'content-language': ctx.locale,
      'content-security-policy': policyOf(market, { nonce }),
      vary: 'Cookie',
    },
  })
}

async function renderForMembers(site: PageSite, c: AppContext, url: URL, viewer: FrameViewer) {
  const { html, ...page } = await renderAlike(site, c.var.ctx, url, { nonce: STAND_IN.nonce, viewer })
  return { ...page, body: fromBytes(html) }
}

/** The name stands in the HTML, and as a JSON string within a JavaScript string, in the data from which the app starts. */
function withOwn(html: PageBytes, { id, name }: FrameViewer, nonce: string): PageBytes {
  const inScript = asBytes(inJavaScript(inJavaScript(name)))
  return html
    .replaceAll(`\\"${STAND_IN.name}\\"`, () => `\\"${inScript}\\"`)
    .replaceAll(STAND_IN.name, () => asBytes(inHtml(name)))
    .replaceAll(String(STAND_IN.id), String(id))
    .replaceAll(STAND_IN.nonce, nonce)
}

const asBytes = (text: string): PageBytes => toBytes(Buffer.from(text))
const inJavaScript = (text: string) =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
/** As React writes text. */
const inHtml = (text: string) => text.replace(/["'&<>]/g, (sign) => entities[sign]!)
const entities: Record<string, string> = { '"': '&quot;', "'": '&#x27;', '&': '&amp;', '<': '&lt;', '>': '&gt;' }
