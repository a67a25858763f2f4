import type { Context, MiddlewareHandler } from 'hono'
import type { ApiEnv } from './api.server.ts'
import { acceptedEncoding, isKnown } from './http.server.ts'
import { COUNTS } from './shown-names.ts'
import { CachedPage, type RenderedPage } from './page-cache.server.ts'

/**
 * Middleware for calls that answer all anonymous visitors alike; the answer depends only on the address and the language. It is cached with the
 * pages, with the same freshness and compressed once (decision 0052). While the database cannot confirm freshness, the call itself answers each
 * request.
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
    // Without this, Hono would merge the new answer into the earlier one.
    c.res = undefined
    c.res = await sendCached(c, cache.find(key, epoch) ?? new CachedPage(answer, epoch), 'fwd=miss')
  } else if (!isOwn) await atGate(next)
}

/** Runs the call with a request that has only an address and a language, without any data of the sender. */
async function answerForAll(c: Context<ApiEnv>, next: () => Promise<void>): Promise<RenderedPage> {
  const { raw } = c.req
  const { ctx, cookies } = c.var
  c.req.raw = new Request(raw.url, { headers: { 'accept-language': ctx.locale } })
  const shows = new Set([COUNTS])
  c.set('ctx', { ...ctx, viewer: null, browserId: null, sessionId: null, shows })
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
    shows,
    requestId: ctx.requestId,
    headers: { ...Object.fromEntries(headers), vary: 'Accept-Language, Cookie, Accept-Encoding' },
    body: isCacheable ? Buffer.from(await c.res.arrayBuffer()) : Buffer.alloc(0),
  }
}

/** Sends a cached page or answer in the best encoding that the request accepts. */
export async function sendCached(c: Context, page: CachedPage, how: string): Promise<Response> {
  const headers: Record<string, string> = { ...page.headers, etag: page.etag, 'cache-status': `sandhai; ${how}` }
  if (isKnown(c.req.header('if-none-match'), page.etag)) {
    delete headers['content-type']
    return c.body(null, 304, headers)
  }
  const encoding = acceptedEncoding(c.req.header('accept-encoding'))
  if (encoding) {
    headers['content-encoding'] = encoding
    // A strong ETag would promise the same bytes in each encoding.
    if (page.etag.startsWith('"')) headers.etag = `W/${page.etag}`
  }
  const bytes = await page.encoded(encoding)
  headers['content-length'] = String(bytes.byteLength)
  return new Response(c.req.method === 'HEAD' ? null : (bytes as Uint8Array<ArrayBuffer>), { status: 200, headers })
}
