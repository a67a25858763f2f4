import { useEffect, useState } from 'react'
import { readPush, switchPushOn } from '#src/kit/device/push.ts'
import { m } from '#src/paraglide/messages.js'
import { storeText, textOnDevice } from '#src/kit/device/storage.ts'

export type OfferReason = 'order' | 'listing' | 'enquiry'

const comingTexts: Record<OfferReason, () => string> = {
  order: m.push_offer_order,
  listing: m.push_offer_listing,
  enquiry: m.push_offer_enquiry,
}

const LATER = 'sandhai.push-later'
/** After a "no" the question waits this long. */
const LATER_MS = 90 * 86_400_000

/** Explains what would be sent; opens the browser's own prompt only after a tap. */
export function PushQuestion({ about }: { about: OfferReason }) {
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
  const decline = () => {
    storeText(LATER, String(Date.now()))
    setKey(null)
  }
  return (
    <section aria-labelledby="push-offer" className="panel w-full space-y-2 p-4 text-left">
      <h2 id="push-offer" className="text-lg">
        {m.push_offer_title()}
      </h2>
      {outcome !== 'on' && <p>{comingTexts[about]()}</p>}
      {outcome !== 'on' && <p className="text-sm text-stone">{m.push_offer_how()}</p>}
      {/* No `role="status"`: the page already has one for the result of its form. */}
      <p aria-live="polite" className={outcome === 'on' ? 'done' : ''}>
        {outcome === 'on' ? m.push_on_now() : outcome === 'denied' ? m.push_denied() : outcome === 'failed' ? m.push_failed() : ''}
      </p>
      {(outcome === null || outcome === 'asked' || outcome === 'failed') && (
        <p className="row gap-3">
          <button type="button" className="button-primary" disabled={outcome === 'asked'} onClick={() => void switchOn()}>
            {m.push_offer_yes()}
          </button>
          <button type="button" className="button-plain" onClick={decline}>
            {m.push_offer_no()}
          </button>
        </p>
      )}
    </section>
  )
}

const saidLater = () => Date.now() - Number(textOnDevice(LATER) ?? 0) < LATER_MS
