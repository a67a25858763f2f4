import { useState, type SubmitEvent } from 'react'
import type { FetcherWithComponents } from 'react-router'

/**
 * Keeps a form with what was written in it while nobody can be reached, where the router would load the whole page anew to find the code
 * it needs. A browser that says it has a line is believed; one that says it has none is wrong on a machine that speaks only to itself,
 * so we are asked first.
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
