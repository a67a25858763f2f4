import { use, useEffect, type ReactNode } from 'react'
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useMatches,
  useRouteError,
  useRouteLoaderData,
  type ShouldRevalidateFunction,
} from 'react-router'
import latin400 from '@fontsource/noto-sans-tamil/files/noto-sans-tamil-latin-400-normal.woff2?url'
import tamil400 from '@fontsource/noto-sans-tamil/files/noto-sans-tamil-tamil-400-normal.woff2?url'
import pageScript from '#src/server/page-script.ts?worker&url'
import deviceScript from '#src/content/offline/device-script.ts?worker&url'
import { AuthDialogOpener } from '#src/accounts/sign-in/auth-dialog-opener.tsx'
import { countRail } from '#src/admin/desk-work.server.ts'
import { pagePathOf } from '#src/router-seams/data-url.ts'
import { frameViewerContext } from '#src/content/site-frame/frame-viewer.server.ts'
import { DeskFoot, DeskRail } from '#src/content/site-frame/desk-shell.tsx'
import { useLiveCounts } from '#src/content/site-frame/live-counts.ts'
import { Failed } from '#src/content/site-frame/failed.tsx'
import { InterruptedFormView } from '#src/content/site-frame/interrupted-form.tsx'
import { RefusedHead, Refused, type Refusal } from '#src/content/site-frame/refused.tsx'
import { FloatingNotes, SiteFooter } from '#src/content/site-frame/site-footer.tsx'
import { SiteHeader } from '#src/content/site-frame/site-header.tsx'
import { SessionEnded } from '#src/content/site-frame/session-ended.tsx'
import { canSendEmail } from '#src/kit/base/env.server.ts'
import { ALIVE_EVENT } from '#src/router-seams/held-submit.ts'
import { bare, localeOfPath, localized } from '#src/kit/text/locale.ts'
import type { InterruptedForm } from '#src/kit/http/page.server.ts'
import { deferred, latePart } from '#src/document/deferred.tsx'
import { ServerOnly } from '#src/document/server-only.tsx'
import { PageInfo } from '#src/document/page-info.ts'
import stylesheet from './app.css?url'
import { ctxContext, siteContext, visitorContext, type Viewer } from './kit/context.ts'
import { framesFor } from './page-table.ts'
import { m } from './paraglide/messages.js'
import { useIsFirstPaint } from './ui/first-paint.ts'
import type { Route } from './+types/root'

const firstSegment = (pathname: string) => bare(pathname).toLowerCase().split('/')[1] ?? ''

export async function loader({ context, request }: Route.LoaderArgs) {
  const ctx = context.get(ctxContext)
  const viewer = context.get(frameViewerContext)
  const { env } = context.get(siteContext)
  const frames = framesFor(viewer)
  return {
    publicOrigin: ctx.publicOrigin,
    hasNewsletter: canSendEmail(env),
    isDemo: env.mode === 'demo',
    analyticsId: env.analyticsId,
    viewer,
    frames,
    /** At a desk: the waiting cases of each desk. */
    work: frames[firstSegment(pagePathOf(new URL(request.url).pathname))] === 'desk' ? await countRail(ctx) : null,
    /** Tells the visitor once that their session has ended, and asks them to log in again. */
    hasSessionEnded: context.get(visitorContext)?.hasSessionEnded ?? false,
  }
}

/** A failed loader's headers (Retry-After) apply to the page, too. */
export const headers: Route.HeadersFunction = ({ errorHeaders }) => errorHeaders ?? new Headers()

/** The viewer changes only with a login or logout, which load a fresh document. After an act at a desk the counts of the rail are read again. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ formMethod, actionStatus }) =>
  formMethod === 'POST' && (actionStatus ?? 200) < 500 && document.querySelector('[data-waiting]') !== null

export const links: Route.LinksFunction = () => [
  { rel: 'preload', href: tamil400, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'preload', href: latin400, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'stylesheet', href: stylesheet },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
  { rel: 'apple-touch-icon', href: '/icon-180.png' },
]

const NewsletterBox = deferred('newsletter', async () => (await import('#src/content/newsletter/newsletter-box.tsx')).NewsletterBox)

export function Layout({ children }: { children: ReactNode }) {
  const { nonce, requestId } = use(PageInfo)
  const { pathname } = useLocation()
  // `handle = appOnDemand` (router-seams/start-app.ts): no route has another handle.
  const isOnDemand = useMatches().some(({ handle }) => handle)
  // Undefined when even the frame's loader failed.
  const data = useRouteLoaderData<typeof loader>('root')
  const { viewer = null, hasNewsletter = false, isDemo = false, hasSessionEnded = false, work = null } = data ?? {}
  const frame = data?.frames[firstSegment(pathname)]
  const isDesk = frame === 'desk'
  const isAtWork = isDesk || frame === 'task'
  return (
    <html
      lang={localeOfPath(pathname)}
      data-request-id={requestId}
      data-start={isOnDemand ? 'on-demand' : undefined}
      data-device={deviceScript}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#1f5c3a" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#1d3126" media="(prefers-color-scheme: dark)" />
        <Meta />
        <link rel="manifest" href={localized('/manifest.webmanifest', localeOfPath(pathname))} />
        <Links nonce={nonce} />
        {isOnDemand && <script type="module" src={pageScript} fetchPriority="low" nonce={nonce} />}
      </head>
      <body className={`flex min-h-dvh flex-col ${isAtWork ? '' : 'pb-16 md:pb-0'}`}>
        <a href="#content" className="button-primary sr-only z-50 focus:not-sr-only focus:absolute focus:m-2">
          {m.frame_skip()}
        </a>
        <SiteHeader viewer={viewer} isDesk={isAtWork} />
        {hasSessionEnded && <ServerOnly id="session-ended" part={import.meta.env.SSR && <SessionEnded />} />}
        {/* Filled in a stale cached page that is served while the database is away (server/pages). React leaves it alone. */}
        <div id="old-note" dangerouslySetInnerHTML={{ __html: '' }} suppressHydrationWarning />
        {isAtWork ? (
          <DeskFrame viewer={isDesk ? viewer : null} work={work}>
            {children}
          </DeskFrame>
        ) : (
          <MarketFrame hasNewsletter={hasNewsletter} isDemo={isDemo} isLoggedIn={viewer !== null}>
            {children}
          </MarketFrame>
        )}
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  )
}

type RootData = Awaited<ReturnType<typeof loader>>

/** The first segments of pages where a person has something to do. They fold newsletter and footer into one line. */
const TASKS = 'my-cart my-addresses confirm-order orders sell seller-product add-enquiry review report'.split(' ')

/** The frame of a market page: newsletter and footer below it. */
function MarketFrame({
  hasNewsletter,
  isDemo,
  isLoggedIn,
  children,
}: Pick<RootData, 'hasNewsletter' | 'isDemo'> & { isLoggedIn: boolean; children: ReactNode }) {
  const { contact } = use(PageInfo)
  const { pathname } = useLocation()
  const isTask = TASKS.includes(firstSegment(pathname))
  return (
    <>
      <main id="content" tabIndex={-1} className="mx-auto w-full max-w-7xl flex-1 px-4 py-4 outline-none md:py-6">
        {children}
      </main>
      <footer className="mt-2 border-t md:mt-6 border-line bg-husk-dark">
        <ServerOnly id="notes" part={import.meta.env.SSR && <FloatingNotes isLoggedIn={isLoggedIn} />} />
        <details open={!isTask}>
          <summary hidden={!isTask} className={isTask ? 'mx-auto max-w-7xl px-4 py-3 font-semibold text-leaf' : undefined}>
            {isTask && m.footer_fold()}
          </summary>
          <div data-app="">{hasNewsletter && !/^\/newsletter(\/|$)/i.test(bare(pathname)) && <NewsletterBox />}</div>
          <ServerOnly id="footer" part={import.meta.env.SSR && <SiteFooter isDemo={isDemo} contact={contact!} />} />
        </details>
      </footer>
    </>
  )
}

/** The frame of a desk: the rail with its counts, without newsletter and footer. Without a viewer there is no rail. */
function DeskFrame({ viewer, work, children }: Pick<RootData, 'work'> & { viewer: Viewer | null; children: ReactNode }) {
  const { nonce } = use(PageInfo)
  useLiveCounts(work)
  const here = bare(useLocation().pathname)
    .toLowerCase()
    .replace(/(?<=.)\/$/, '')
  return (
    <>
      <div className="flex flex-1 flex-col lg:flex-row">
        {viewer && (
          <ServerOnly
            id="desk-rail"
            className="contents"
            isPersonal
            part={import.meta.env.SSR && <DeskRail {...{ viewer, counts: work, here, nonce }} />}
          />
        )}
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 px-4 py-4 outline-none">
          {children}
        </main>
      </div>
      <ServerOnly id="desk-foot" part={import.meta.env.SSR && <DeskFoot />} />
    </>
  )
}

/** A failure to load the counter must not break the page. */
const Analytics = latePart(
  async () => (await import('#src/content/site-frame/analytics.tsx')).Analytics,
  () => null,
)

export default function Root({ loaderData: { analyticsId } }: Route.ComponentProps) {
  const isFirstPaint = useIsFirstPaint()
  // Signals that scripts have taken over: to early submits (router-seams/held-submit.server.ts) and to our journeys.
  useEffect(() => {
    document.documentElement.dataset.alive = ''
    dispatchEvent(new Event(ALIVE_EVENT))
  }, [])
  return (
    <>
      <Outlet />
      <AuthDialogOpener />
      {analyticsId && <span hidden data-app="now" />}
      {analyticsId && !isFirstPaint && <Analytics id={analyticsId} />}
    </>
  )
}

export function ErrorBoundary() {
  const error = useRouteError()
  const { requestId } = use(PageInfo)
  const isFirstPaint = useIsFirstPaint()
  const frame = useRouteLoaderData<typeof loader>('root')
  const origin = frame?.publicOrigin
  const status = isRouteErrorResponse(error) ? error.status : 500
  const kept = isRouteErrorResponse(error) && (error.data as { kept?: InterruptedForm } | null)?.kept
  if (kept)
    return (
      <>
        <title>{m.frame_login()}</title>
        <ServerOnly id="kept-form" isPersonal part={import.meta.env.SSR && <InterruptedFormView kept={kept} />} />
      </>
    )
  if (status === 403 || status === 409 || status === 410) {
    const refusal: Refusal = { ...(error as { data: object }).data, status }
    return (
      <>
        {import.meta.env.SSR && <RefusedHead refusal={refusal} origin={origin} />}
        <ServerOnly id="refused" isPersonal part={import.meta.env.SSR && <Refused refusal={refusal} profileId={frame?.viewer?.id} />} />
      </>
    )
  }
  // An error after the first paint belongs to another request, so this id would lead to the wrong log lines.
  const { detail } = (isRouteErrorResponse(error) && (error.data as { detail?: string } | null)) || {}
  return <Failed status={status} detail={detail} requestId={isFirstPaint ? requestId : ''} origin={origin} />
}
