import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ReactElement } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import { isRouteErrorResponse, ServerRouter, type EntryContext, type HandleErrorFunction, type RouterContextProvider } from 'react-router'
import { startOfflineCopies } from '#src/content/offline/start-offline-copies.ts'
import { ctxContext, nonceContext, siteContext, type Ctx } from './kit/context.ts'
import { answerWhileOffline } from '#src/kit/device/offline-tap.ts'
import { isSampleContact } from '#src/kit/messages/contact-board.server.ts'
import { htmlResponse, textToBytes, toBytes, type PageBytes } from '#src/router-seams/rendered-html.server.ts'
import { hasLazyMark } from '#src/router-seams/lazy-mark.server.ts'
import { readLoadedData, withLoadedData } from '#src/router-seams/loaded-data.server.ts'
import { localized, type Locale } from '#src/kit/text/locale.ts'
import { renderSlot } from '#src/router-seams/prerendered-slots.server.tsx'
import { withLateScripts } from '#src/router-seams/late-scripts.server.ts'
import { IS_ON_DEMAND } from '#src/router-seams/start-app.ts'
import { PageInfo } from '#src/document/page-info.ts'

/** Renders one body instead of a stream: our loaders are short, and a whole body gets the right status, compresses in one go and can be cached. */
export default async function renderPage(
  { url }: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const nonce = context.get(nonceContext)
  const { requestId, log } = context.get(ctxContext)
  const { contact, env } = context.get(siteContext)
  const info = { nonce, requestId, contact: { ...contact, isSample: isSampleContact(contact) }, renderPart }
  const data = await readLoadedData(entry)
  const page = () => (
    <PageInfo value={info}>
      <ServerRouter context={withLoadedData(entry, data)} url={url} nonce={nonce} />
    </PageInfo>
  )
  const drawn = renderAtOnce(page()) ?? (await renderStreaming(page(), nonce, log))
  const afterwards = answerWhileOffline(IS_ON_DEMAND) + (env.hasOfflineCopies ? startOfflineCopies : '')
  const html = import.meta.env.PROD ? withLateScripts(drawn.html, nonce, afterwards) : drawn.html
  headers.set('Content-Type', 'text/html; charset=utf-8')
  return htmlResponse(html, { status: drawn.hasFailed ? 500 : status, headers })
}

/** A server-only component may render a part of itself as a slot of its own: a list its rows, which many lists show. */
const withParts = (part: ReactElement) => <PageInfo value={{ nonce: undefined, requestId: '', renderPart }}>{part}</PageInfo>
function renderPart(id: string, locale: Locale, part: ReactElement, isPersonal: boolean): string {
  return renderSlot(id, localized('/', locale), part, isPersonal, withParts)
}

interface Rendered {
  html: PageBytes
  hasFailed: boolean
}

/** A tenth less work than a stream. Null when a lazy component is still loading: React leaves a mark in its place. */
function renderAtOnce(page: ReactElement): Rendered | null {
  const html = textToBytes(`<!DOCTYPE html>${renderToString(page)}`)
  return hasLazyMark(html) ? null : { html, hasFailed: false }
}

/** Waits for all lazy components, however long they take, and logs those that fail. */
function renderStreaming(page: ReactElement, nonce: string, log: Ctx['log']): Promise<Rendered> {
  let hasFailed = false
  return new Promise((resolve, reject) => {
    let deadline: NodeJS.Timeout
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce,
      // Keeps every component in its place: React would put large ones at the end and move them by script, which not everybody runs.
      progressiveChunkSize: Number.MAX_SAFE_INTEGER,
      onAllReady() {
        clearTimeout(deadline)
        buffer(pipe(new PassThrough())).then((bytes) => resolve({ html: toBytes(bytes), hasFailed }), reject)
      },
      onShellError: reject,
      onError: (error) => {
        hasFailed = true
        log.error({ err: error }, 'page could not be rendered')
      },
    })
    deadline = setTimeout(abort, RENDER_WITHIN_MS).unref()
  })
}

const RENDER_WITHIN_MS = 10_000

/** Problems, unknown addresses and aborted requests are not bugs. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return
  ;(context as RouterContextProvider).get(ctxContext).log.error({ err: error }, 'page failed')
}
