import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ReactElement } from 'react'
import { renderToPipeableStream, renderToStaticMarkup, renderToString } from 'react-dom/server'
import {
  isRouteErrorResponse,
  ServerRouter,
  StaticRouter,
  type EntryContext,
  type HandleErrorFunction,
  type RouterContextProvider,
} from 'react-router'
import { ctxContext, nonceContext, siteContext, type Ctx } from './kit/context.ts'
import { isSampleContact } from '#src/kit/messages/contact-board.server.ts'
import { htmlResponse, textToBytes, toBytes, type PageBytes } from '#src/router-seams/drawn-html.server.ts'
import { localized, type Locale } from '#src/kit/text/locale.ts'
import { withLateScripts } from '#src/router-seams/late-scripts.server.ts'
import { PageInfo } from './ui/page-info.ts'

/**
 * One body instead of a stream: our loaders are short, and a whole body has the right status, can be compressed in one go
 * and cached.
 */
export default async function renderPage(
  { url }: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const nonce = context.get(nonceContext)
  const { requestId, log } = context.get(ctxContext)
  const { contact } = context.get(siteContext)
  const info = { nonce, requestId, contact: { ...contact, isSample: isSampleContact(contact) }, drawPart }
  const data = await readHandoff(entry.serverHandoffStream)
  const page = () => (
    <PageInfo value={info}>
      <ServerRouter context={lightened(entry, data)} url={url} nonce={nonce} />
    </PageInfo>
  )
  const drawn = drawAtOnce(page()) ?? (await drawWaiting(page(), nonce, log))
  const html = import.meta.env.PROD ? withLateScripts(drawn.html, nonce) : drawn.html
  headers.set('Content-Type', 'text/html; charset=utf-8')
  return htmlResponse(html, { status: drawn.hasFailed ? 500 : status, headers })
}

interface Drawn {
  html: PageBytes
  hasFailed: boolean
}

/** Everything the loaders answered, in the router's own writing. */
async function readHandoff(stream: EntryContext['serverHandoffStream']): Promise<string> {
  let data = ''
  const decoder = new TextDecoder()
  if (stream) for await (const part of stream) data += decoder.decode(part, { stream: true })
  return data
}

/**
 * The router would read the data while it renders, render their place a second time, and prepare all our routes to render one.
 * Here it gets the loaded data and only the routes of this page.
 */
function lightened(entry: EntryContext, data: string): EntryContext {
  const read = (value: string, done: boolean) => Object.assign(Promise.resolve(), { result: { value, done } })
  const matched = entry.staticHandlerContext.matches.map(({ route: { id } }) => [id, entry.manifest.routes[id]] as const)
  return {
    ...entry,
    manifest: { ...entry.manifest, routes: Object.fromEntries(matched) },
    serverHandoffStream: new ReadableStream(),
    renderMeta: { streamCache: { 0: read(data, false), 1: read('', true) } },
  }
}

/** A tenth less work than a stream. Null where a lazy component is still being loaded: React leaves a mark in its place. */
function drawAtOnce(page: ReactElement): Drawn | null {
  const html = textToBytes(`<!DOCTYPE html>${renderToString(page)}`)
  return html.includes('$!-->') ? null : { html, hasFailed: false }
}

/** With all lazy components, however long they take to load, and a log line for those that failed. */
function drawWaiting(page: ReactElement, nonce: string, log: Ctx['log']): Promise<Drawn> {
  let hasFailed = false
  return new Promise((resolve, reject) => {
    let deadline: NodeJS.Timeout
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce,
      // Every component in its place: React would put large ones at the end and move them by script, which not everybody runs.
      progressiveChunkSize: Number.MAX_SAFE_INTEGER,
      onAllReady() {
        clearTimeout(deadline)
        buffer(pipe(new PassThrough())).then((bytes) => resolve({ html: toBytes(bytes), hasFailed }), reject)
      },
      onShellError: reject,
      onError: (error) => {
        hasFailed = true
        log.error({ err: error }, 'page could not be drawn')
      },
    })
    deadline = setTimeout(abort, RENDER_WITHIN_MS).unref()
  })
}

const RENDER_WITHIN_MS = 10_000

const parts = new Map<string, string>()

/** A component that only the server renders, with its own small router for its links. */
function drawPart(id: string, locale: Locale, part: ReactElement, isPersonal: boolean): string {
  const draw = () => renderToStaticMarkup(<StaticRouter location={localized('/', locale)}>{part}</StaticRouter>)
  if (isPersonal || !import.meta.env.PROD) return draw()
  const key = `${id} ${locale} ${JSON.stringify(part.props)}`
  const html = parts.get(key) ?? draw()
  parts.set(key, html)
  return html
}

/** Problems and unknown addresses are answers, not bugs; a visitor who went away is neither. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return
  ;(context as RouterContextProvider).get(ctxContext).log.error({ err: error }, 'page failed')
}
