import { CachedPage, type RenderedPage } from '#src/kit/http/page-cache.server.ts'
import { sendCached } from '#src/kit/http/shared-answers.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { isDataPath } from '#src/router-seams/data-url.ts'
import type { AppContext } from '../request.server.ts'
import { absentDatabase, renderForAll, RETRY_SECONDS, sendRendered, type PageSite } from './page-site.server.ts'

/**
 * A fresh page for an anonymous visitor (a login, a 404, or the first rendering) may show contact data that was
 * changed within this time.
 */
export const HEARD_MS = 1000

/**
 * Sends the page at a shared address (`sharedAddress`). Throws UNAVAILABLE when it can neither be rendered nor taken
 * from the cache.
 */
export async function sendShared(site: PageSite, c: AppContext, url: URL): Promise<Response> {
  const { cache, contacts, gate } = site
  const { ctx, isInside, address } = c.var
  const key = url.pathname + url.search
  const isData = isDataPath(url.pathname)
  // A request with a session cookie has already passed the gate, even if the session was invalid.
  const atGate = <T>(work: () => Promise<T>) => (isInside ? work() : gate.run(address, work))
  const sendOld = () => {
    const old = isData ? undefined : cache.findOld(key)
    return old ? sendCached(c, old.marked(markOld(ctx.locale)), 'hit; detail=old') : null
  }
  const epoch = (contacts.ageMs < HEARD_MS ? cache.epochOfUnknown(key) : null) ?? (await cache.look())
  if (epoch === null) {
    // A data request cannot show the note, so it fails, and a retry loads the document.
    if (isData) return sendRendered(c, await atGate(() => renderForAll(site, ctx, url, absentDatabase)))
    const old = sendOld()
    if (!old) throw new Problem('UNAVAILABLE', { retryAfterSeconds: RETRY_SECONDS })
    return old
  }
  const cached = cache.find(key, epoch)
  if (cached) return sendCached(c, cached, 'hit')
  let rendered: RenderedPage
  try {
    rendered = await cache.render(key, epoch, () => atGate(() => renderForAll(site, ctx, url)))
  } catch (error) {
    // Serve the stale cached page when the gate is full: it is better than none.
    const old = error instanceof Problem && error.code === 'UNAVAILABLE' ? sendOld() : null
    if (!old) throw error
    return old
  }
  if (rendered.isCacheable) return sendCached(c, cache.find(key, epoch) ?? new CachedPage(rendered, epoch), 'fwd=miss')
  return (rendered.status === 503 ? sendOld() : null) ?? sendRendered(c, rendered)
}

/** Fills the place that root.tsx reserves for the note. */
const markOld = (locale: Locale) => (html: string) =>
  html.replace('<div id="old-note"></div>', `<div id="old-note" role="status">${m.frame_old({}, { locale })}</div>`)
