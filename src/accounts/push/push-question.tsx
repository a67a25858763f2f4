import { useEffect, useState } from 'react'
import { readPush, switchPushOn } from '#src/kit/device/push.ts'
import { m } from '#src/paraglide/messages.js'

export type Told = 'order' | 'listing' | 'enquiry'

const comingTexts: Record<Told, () => string> = { order: m.push_offer_order, listing: m.push_offer_listing, enquiry: m.push_offer_enquiry }

const LATER = 'sandhai.push-later'
/** Whoever said no is asked again after a season, not after each order. */
const LATER_MS = 90 * 86_400_000

/** Says what would come, and lets the browser ask only after a tap. */
export function PushQuestion({ about }: { about: Told }) {
  const [key, setKey] = useState<string | null>(null)
  const [outcome, setOutcome] = useState<'asked' | 'on' | 'denied' | 'failed' | null>(null)
  useEffect(() => {
    if (saidLater()) return
    void readPush().then((found) => found?.state === 'off' && setKey(found.key))
  }, [])
  if (key === null) return null
  const switchOn = async () => {
    setOutcome('asked')
    setOutcome(await switchPushOn(key))
  }
  const no = () => {
    noteLater()
    setKey(null)
  }
  return (
    <section aria-labelledby="push-offer" className="panel w-full space-y-2 p-4 text-left">
      <h2 id="push-offer" className="text-lg">
        {m.push_offer_title()}
      </h2>
      {outcome !== 'on' && <p>{comingTexts[about]()}</p>}
      {outcome !== 'on' && <p className="text-sm text-stone">{m.push_offer_how()}</p>}
      {/* Not a status: the page has one, which says what was done. */}
      <p aria-live="polite" className={outcome === 'on' ? 'done' : ''}>
        {outcome === 'on' ? m.push_on_now() : outcome === 'denied' ? m.push_denied() : outcome === 'failed' ? m.push_failed() : ''}
      </p>
      {(outcome === null || outcome === 'asked' || outcome === 'failed') && (
        <p className="row gap-3">
          <button type="button" className="button-primary" disabled={outcome === 'asked'} onClick={() => void switchOn()}>
            {m.push_offer_yes()}
          </button>
          <button type="button" className="button-plain" onClick={no}>
            {m.push_offer_no()}
          </button>
        </p>
      )}
    </section>
  )
}

function saidLater(): boolean {
  try {
    return Date.now() - Number(localStorage.getItem(LATER) ?? 0) < LATER_MS
  } catch {
    return false
  }
}

function noteLater(): void {
  try {
    localStorage.setItem(LATER, String(Date.now()))
  } catch {
    // A browser that stores nothing asks again.
  }
}
