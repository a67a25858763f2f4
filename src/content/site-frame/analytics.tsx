import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'

type Answer = 'yes' | 'no'

const COOKIE = 'analytics'
const HALF_A_YEAR_S = 180 * 24 * 60 * 60

function readAnswer(): Answer | null {
  const given = /(?:^|; )analytics=(yes|no)/.exec(document.cookie)?.[1]
  return (given as Answer | undefined) ?? null
}

/**
 * Counts page views with Google Analytics if ANALYTICS_ID is set and the visitor agreed; loads nothing from Google before. Google gets the
 * kind of page, without the id of an animal or a person. `#analytics` asks again.
 */
export function Analytics({ id }: { id: string }) {
  const to = useLocalPath()
  const { pathname, hash } = useLocation()
  const [answer, setAnswer] = useState(readAnswer)
  const [isAsked, setAsked] = useState(answer === null)
  useEffect(() => {
    if (hash === '#analytics') setAsked(true)
  }, [hash])
  useEffect(() => {
    if (answer === 'yes') report(id, pathname)
  }, [answer, id, pathname])
  if (!isAsked) return null
  const say = (given: Answer) => {
    document.cookie = `${COOKIE}=${given}; Path=/; Max-Age=${HALF_A_YEAR_S}; SameSite=Lax${location.protocol === 'https:' ? '; Secure' : ''}`
    // A loaded script stays active until the page is left, so a withdrawn consent reloads the page.
    if (given === 'no' && answer === 'yes') return location.assign(location.pathname)
    setAnswer(given)
    setAsked(false)
  }
  return (
    <section
      aria-label={m.analytics_title()}
      className="fixed inset-x-0 bottom-16 z-20 grid gap-2 border-t border-line bg-paper p-3 shadow-card short:static md:bottom-0 md:flex md:items-center md:justify-center md:gap-6 md:px-6"
    >
      <p className="max-w-4xl text-sm text-pretty">
        {m.analytics_ask()}{' '}
        <a href={to('/privacy-policy')} className="link">
          {m.footer_privacy()}
        </a>
      </p>
      <div className="grid shrink-0 grid-cols-2 gap-2">
        <button type="button" onClick={() => say('yes')} className="button-plain px-4">
          {m.analytics_yes()}
        </button>
        <button type="button" onClick={() => say('no')} className="button-plain px-4">
          {m.analytics_no()}
        </button>
      </div>
    </section>
  )
}

declare global {
  interface Window {
    dataLayer?: unknown[]
  }
}

/** Google's own function: it needs the arguments object. */
function sendToGoogle(..._words: unknown[]): void {
  // oxlint-disable-next-line prefer-rest-params -- Google does not accept an array
  window.dataLayer!.push(arguments)
}

function report(id: string, pathname: string): void {
  if (!window.dataLayer) {
    window.dataLayer = []
    sendToGoogle('js', new Date())
    sendToGoogle('config', id, { send_page_view: false, allow_google_signals: false, allow_ad_personalization_signals: false })
    const script = document.createElement('script')
    script.async = true
    script.src = `https://www.googletagmanager.com/gtag/js?id=${id}`
    document.head.append(script)
  }
  const kind = pathname.replace(/\/(\d+|[\w-]{10,})(?=\/|$)/g, '/0')
  sendToGoogle('event', 'page_view', { page_location: location.origin + kind, page_title: kind, page_referrer: '' })
}
