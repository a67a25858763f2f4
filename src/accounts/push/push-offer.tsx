import { useEffect, useState, type ComponentType } from 'react'
import { canShowMessages } from '#src/kit/device/push.ts'
import type { Told } from './push-question.tsx'

/**
 * After something that people want to hear more of: offers to show it on this phone. Its code is loaded only where a browser could do so;
 * without scripts nothing is there. It stands last on its page, so that nothing moves when it comes.
 */
export function PushOffer({ about }: { about: Told }) {
  const [Question, setQuestion] = useState<ComponentType<{ about: Told }> | null>(null)
  useEffect(() => {
    if (!canShowMessages() || Notification.permission === 'denied' || !navigator.serviceWorker.controller) return
    import('./push-question.tsx').then(
      (part) => setQuestion(() => part.PushQuestion),
      () => {},
    )
  }, [])
  return Question && <Question about={about} />
}
