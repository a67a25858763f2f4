import { useEffect, useState, type ComponentType } from 'react'
import { canShowMessages } from '#src/kit/device/push.ts'
import type { OfferReason } from './push-question.tsx'

/**
 * Offers notifications after an act about which the person wants to hear more. Loads its code only where the browser supports push, and
 * shows nothing without scripts. Comes last on its page, so that it causes no layout shift.
 */
export function PushOffer({ about }: { about: OfferReason }) {
  const [Question, setQuestion] = useState<ComponentType<{ about: OfferReason }> | null>(null)
  useEffect(() => {
    if (!canShowMessages() || Notification.permission === 'denied' || !navigator.serviceWorker.controller) return
    import('./push-question.tsx').then(
      (part) => setQuestion(() => part.PushQuestion),
      () => {},
    )
  }, [])
  return Question && <Question about={about} />
}
