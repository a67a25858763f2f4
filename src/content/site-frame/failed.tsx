import { useLocation } from 'react-router'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { ErrorHead } from './error-head.tsx'

/** Shown instead of a page: not found, database away, offline (status 0), or our own bug. Refusals: refused.tsx. */
export function Failed({ status, detail, requestId, origin }: ErrorProps) {
  const to = useLocalPath()
  const { pathname, search } = useLocation()
  const { title, text } = wordsFor(status, detail)
  return (
    <div className="mx-auto max-w-xl py-10 text-center">
      <ErrorHead title={title} description={text || title} origin={origin} />
      <img src="/species/goat.webp" alt="" width={96} height={96} className="mx-auto mb-4" />
      <h1 className="text-2xl">{title}</h1>
      {text && <p className="mt-3 text-stone">{text}</p>}
      <div className="row justify-center gap-3 mt-6">
        {status !== 404 && (
          <a href={pathname + search} className="button-primary">
            {m.error_retry()}
          </a>
        )}
        <a href={to('/')} className={status === 404 ? 'button-primary' : 'button-plain'}>
          {m.missing_home()}
        </a>
        {status === 404 && (
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

interface ErrorProps {
  status: number
  detail: string | undefined
  requestId: string
  /** The public origin; undefined when the page's frame could not be loaded. */
  origin: string | undefined
}

function wordsFor(status: number, detail = ''): { title: string; text: string } {
  if (status === 0) return { title: m.error_offline_title(), text: m.error_offline_text() }
  if (status === 404) return { title: m.missing_title(), text: m.missing_text() }
  if (status === 429) return { title: m.error_limited_title(), text: detail }
  if (status === 503) return { title: m.error_away_title(), text: m.error_away_text() }
  return { title: m.error_title(), text: m.error_text() }
}
