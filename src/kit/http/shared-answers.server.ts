import type { Context, MiddlewareHandler } from 'hono'
import type { ApiEnv } from './api.server.ts'
import type { Gate } from './gate.server.ts'
import { acceptedEncoding, isKnown } from './http.server.ts'
import { CachedPage, type PageCache, type RenderedPage } from './page-cache.server.ts'

/** What pages and calls share: one store with one question of whether something changed, and the gate before what has to be made. */
export interface SharedAnswers {
  cache: PageCache
  gate: Gate
}

/**
 * Stands before a call that answers everybody alike who is not logged in. The answer is made once for each address and language, from
 * nothing else of the request, and kept with the pages: as fresh as they are, compressed once (decision 0052). While the database does not
 * say whether it is fresh, each request is answered by the call itself.
 */
export const sharedAnswer: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const { ctx, address, isInside, answers } = c.var
  if (ctx.viewer) return next()
  const { cache, gate } = answers
  const atGate = <T>(work: () => Promise<T>) => (isInside ? work() : gate.run(address, work))
  const key = `${ctx.locale} ${c.req.path}${new URL(c.req.url).search}`
  const epoch = cache.epochOfUnknown(key) ?? (await cache.look())
  if (epoch === null) return atGate(next)
  const cached = cache.find(key, epoch)
  if (cached) return sendCached(c, cached, 'hit')
  let isOwn = false
  const answer = await cache.render(key, epoch, () => {
    isOwn = true
    return atGate(() => answerForAll(c, next))
  })
  if (answer.isCacheable) {
    // Without this the new answer would be merged with the one just made.
    c.res = undefined
    c.res = await sendCached(c, cache.find(key, epoch) ?? new CachedPage(answer, epoch), 'fwd=miss')
  } else if (!isOwn) await atGate(next)
}

/** Lets the call answer a request that has an address and a language, and nothing of the person who sent it. */
async function answerForAll(c: Context<ApiEnv>, next: () => Promise<void>): Promise<RenderedPage> {
  const { raw } = c.req
  const { ctx, cookies } = c.var
  c.req.raw = new Request(raw.url, { headers: { 'accept-language': ctx.locale } })
  c.set('ctx', { ...ctx, viewer: null, browserId: null, sessionId: null })
  c.set('cookies', {})
  try {
    await next()
  } finally {
    c.req.raw = raw
    c.set('ctx', ctx)
    c.set('cookies', cookies)
  }
  const { status, headers } = c.res
  const isCacheable = status === 200 && !c.error
  return {
    status,
    isCacheable,
    requestId: ctx.requestId,
    headers: { ...Object.fromEntries(headers), vary: 'Accept-Language, Cookie, Accept-Encoding' },
    body: isCacheable ? Buffer.from(await c.res.arrayBuffer()) : Buffer.alloc(0),
  }
}

/** A cached page or answer, in the encoding that the request likes best. */
export async function sendCached(c: Context, page: CachedPage, how: string): Promise<Response> {
  const headers: Record<string, string> = { ...page.headers, etag: page.etag, 'cache-status': `sandhai; ${how}` }
  if (isKnown(c.req.header('if-none-match'), page.etag)) {
    delete headers['content-type']
    return c.body(null, 304, headers)
  }
  const encoding = acceptedEncoding(c.req.header('accept-encoding'))
  if (encoding) {
    headers['content-encoding'] = encoding
    // A strong tag would promise the same bytes in each encoding.
    if (page.etag.startsWith('"')) headers.etag = `W/${page.etag}`
  }
  const bytes = await page.encoded(encoding)
  headers['content-length'] = String(bytes.byteLength)
  return new Response(c.req.method === 'HEAD' ? null : (bytes as Uint8Array<ArrayBuffer>), { status: 200, headers })
}
