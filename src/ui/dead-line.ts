import { useState, type SubmitEvent } from 'react'
import type { FetcherWithComponents } from 'react-router'

/**
 * Keeps a form and what was typed in it while offline, where the router would reload the whole page to find the code
 * it needs. A browser that says it is online is believed; one that says it is offline is wrong on a machine that speaks only to itself,
 * so our server is asked first.
 */
export function useLineGuard(fetcher: FetcherWithComponents<unknown>) {
  const [isLineDead, setIsLineDead] = useState(false)
  const guard = (event: SubmitEvent<HTMLFormElement>) => {
    if (fetcher.state !== 'idle') return event.preventDefault()
    if (navigator.onLine) return setIsLineDead(false)
    event.preventDefault()
    const form = event.currentTarget
    fetch('/healthz', { cache: 'no-store' }).then(
      () => {
        setIsLineDead(false)
        void fetcher.submit(form)
      },
      () => setIsLineDead(true),
    )
  }
  return { isLineDead, guard }
}
