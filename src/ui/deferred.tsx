import { lazy, Suspense, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { ALIVE_EVENT, LATE_PART } from '#src/router-seams/held-submit.ts'
import { ServerOnly } from './server-only.tsx'

/**
 * The first sign that somebody is there: a finger, a key, a scroll. On the server there is nothing to wait for, and the touch that started
 * the scripts (router-seams/late-scripts.server.ts) is over when they begin to listen.
 */
const firstSign: Promise<unknown> =
  import.meta.env.SSR || 'touched' in document.documentElement.dataset
    ? Promise.resolve()
    : new Promise((resolve) => {
        for (const sign of ['pointerdown', 'keydown', 'focusin', 'scroll', 'touchstart', 'click'])
          addEventListener(sign, resolve, { once: true, capture: true, passive: true })
      })

/**
 * A component that the server renders like any other, and whose code is loaded when somebody begins to do something. Its HTML
 * stands until then: it must make sense, and its links and forms work, without code. `id` names it within the page.
 */
export function deferred<P extends object>(id: string, load: () => Promise<ComponentType<P>>): ComponentType<P> {
  /** Offline just then. What the server rendered stays, and every navigation tries again. */
  function Standing(props: P) {
    const [Part, setPart] = useState<ComponentType<P> | null>(null)
    useEffect(() => {
      let isWanted = true
      load().then(
        (found) => isWanted && setPart(() => found),
        () => {},
      )
      return () => void (isWanted = false)
    }, [props])
    useEffect(() => comeAlive(id), [])
    return Part ? (
      <Place id={id}>
        <Part {...props} />
      </Place>
    ) : (
      <ServerOnly id={id} className="contents" part={false} />
    )
  }

  const Part = lazy(async () => {
    await firstSign
    try {
      const Loaded = await load()
      return {
        default: (props: P) => (
          <Place id={id}>
            <Loaded {...props} />
          </Place>
        ),
      }
    } catch (error) {
      if (import.meta.env.SSR) throw error
      return { default: Standing }
    }
  })

  return function Deferred(props: P) {
    return (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    )
  }
}

/** As the server renders it, a form in it waits for its code (router-seams/held-submit.server.ts). */
function Place({ id, children }: { id: string; children: ReactNode }) {
  useEffect(() => comeAlive(id), [id])
  return (
    <div id={id} className="contents" {...(import.meta.env.SSR && { [LATE_PART]: '' })} suppressHydrationWarning>
      {children}
    </div>
  )
}

/** Its forms are answered by script, or its code did not come and the browser posts them. */
function comeAlive(id: string): void {
  document.getElementById(id)?.removeAttribute(LATE_PART)
  dispatchEvent(new Event(ALIVE_EVENT))
}
