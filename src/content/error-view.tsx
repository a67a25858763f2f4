import { useLocation } from 'react-router'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'

/** The page shown instead of a page: nothing there, nothing allowed, database or line away (status 0), or our own mistake. */
export function ErrorView({ status, requestId }: { status: number; requestId: string }) {
  const to = useLocalPath()
  const { pathname, search } = useLocation()
  const isMissing = status === 404
  const isOffline = status === 0
  const title = isOffline
    ? m.error_offline_title()
    : isMissing
      ? m.missing_title()
      : status === 503
        ? m.error_away_title()
        : status === 429
          ? m.problem_rate_limited()
          : m.error_title()
  const text = isOffline
    ? m.error_offline_text()
    : isMissing
      ? m.missing_text()
      : status === 503
        ? m.error_away_text()
        : status === 429
          ? ''
          : m.error_text()
  return (
    <div className="mx-auto max-w-xl py-10 text-center">
      <title>{`${title} · Sandhai`}</title>
      <meta name="robots" content="noindex" />
      <meta name="description" content={text || title} />
      <img src="/species/goat.webp" alt="" width={96} height={96} className="mx-auto mb-4" />
      <h1 className="text-2xl">{title}</h1>
      {text && <p className="mt-3 text-stone">{text}</p>}
      <div className="mt-6 flex flex-wrap justify-center gap-3">
        {!isMissing && (
          <a href={pathname + search} className="button-primary">
            {m.error_retry()}
          </a>
        )}
        <a href={to('/')} className={isMissing ? 'button-primary' : 'button-plain'}>
          {m.missing_home()}
        </a>
        {isMissing && (
          <a href={to('/buy/0')} className="button-plain">
            {m.missing_browse()}
          </a>
        )}
      </div>
      {status >= 500 && requestId && (
        <p className="mt-6 text-sm text-stone">
          {m.error_reference()}: <code>{requestId}</code>
        </p>
      )}
    </div>
  )
}
