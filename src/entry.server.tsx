import type { Writable } from 'node:stream'
import type { ReactElement } from 'react'
import { renderToPipeableStream, renderToStaticMarkup } from 'react-dom/server'
import {
  isRouteErrorResponse,
  ServerRouter,
  StaticRouter,
  type EntryContext,
  type HandleErrorFunction,
  type RouterContextProvider,
} from 'react-router'
import { ctxContext, nonceContext, siteContext } from './kit/context.ts'
import { isSampleContact } from './kit/contact-board.server.ts'
import { htmlResponse, toBytes, type PageBytes } from './kit/drawn-html.server.ts'
import { localized, type Locale } from './kit/locale.ts'
import { withLateScripts } from './kit/late-scripts.server.ts'
import { PageInfo } from './ui/page-info.ts'

/**
 * One body instead of a stream: our loaders are short, and a whole body has the right status, can be compressed in one go
 * and kept.
 */
export default function renderPage(
  { url }: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const nonce = context.get(nonceContext)
  const { requestId } = context.get(ctxContext)
  const { contact } = context.get(siteContext)
  headers.set('Content-Type', 'text/html; charset=utf-8')
  let failed = false
  return new Promise((resolve, reject) => {
    let deadline: NodeJS.Timeout
    const { pipe, abort } = renderToPipeableStream(
      <PageInfo value={{ nonce, requestId, contact: { ...contact, isSample: isSampleContact(contact) }, drawPart }}>
        <ServerRouter context={entry} url={url} nonce={nonce} />
      </PageInfo>,
      {
        nonce,
        // Every part in its place: React would put large ones at the end and move them by script, which not everybody runs.
        progressiveChunkSize: Number.MAX_SAFE_INTEGER,
        onAllReady() {
          clearTimeout(deadline)
          const html = collect(pipe)
          const page = import.meta.env.PROD ? withLateScripts(html, nonce) : html
          resolve(htmlResponse(page, { status: failed ? 500 : status, headers }))
        },
        onShellError: reject,
        onError: (error) => {
          failed = true
          context.get(ctxContext).log.error({ err: error }, 'page could not be drawn')
        },
      },
    )
    deadline = setTimeout(abort, RENDER_WITHIN_MS).unref()
  })
}

const RENDER_WITHIN_MS = 10_000

/** Everything is ready, so React writes all of it at once: no stream is needed to catch it, which would cost as much as a query. */
function collect(pipe: (to: Writable) => void): PageBytes {
  const chunks: Buffer[] = []
  let hasEnded = false
  const all = {
    write(chunk: string | Uint8Array) {
      chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
      return true
    },
    end: () => (hasEnded = true),
    destroy: (error?: Error) => {
      throw error ?? new Error('React gave the page up.')
    },
    on: () => all,
  }
  pipe(all as unknown as Writable)
  if (!hasEnded) throw new Error('React wrote only a part of the page.')
  return toBytes(Buffer.concat(chunks))
}

const drawn = new Map<string, string>()

/** A part of the page that only the server draws, with its own small router for its links. */
function drawPart(id: string, locale: Locale, part: ReactElement, isPersonal: boolean): string {
  const draw = () => renderToStaticMarkup(<StaticRouter location={localized('/', locale)}>{part}</StaticRouter>)
  if (isPersonal || !import.meta.env.PROD) return draw()
  const key = `${id} ${locale} ${JSON.stringify(part.props)}`
  const html = drawn.get(key) ?? draw()
  drawn.set(key, html)
  return html
}

/** Problems and unknown addresses are answers, not bugs; a visitor who went away is neither. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return
  ;(context as RouterContextProvider).get(ctxContext).log.error({ err: error }, 'page failed')
}
