import { lazy, Suspense, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { ALIVE_EVENT, LATE_PART } from '#src/router-seams/held-submit.ts'
import { ServerOnly } from './server-only.tsx'

/**
 * The first interaction: a touch, a key, a scroll. The server does not wait. The touch that started the scripts (router-seams/late-scripts.server.ts)
 * is over before they listen, so a marker counts too.
 */
const firstSign: Promise<unknown> =
  import.meta.env.SSR || 'touched' in document.documentElement.dataset
    ? Promise.resolve()
    : new Promise((resolve) => {
        for (const sign of ['pointerdown', 'keydown', 'focusin', 'scroll', 'touchstart', 'click'])
          addEventListener(sign, resolve, { once: true, capture: true, passive: true })
      })

/**
 * A component that the server renders normally and whose code loads at the first interaction. Until then its HTML stays, so it must make sense and
 * its links and forms must work without code. `id` identifies it within the page.
 */
export function deferred<P extends object>(id: string, load: () => Promise<ComponentType<P>>): ComponentType<P> {
  /** While offline, the server's HTML stays, and every navigation retries. */
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

/** In the server's HTML, a form inside waits for the code (router-seams/held-submit.server.ts). */
function Place({ id, children }: { id: string; children: ReactNode }) {
  useEffect(() => comeAlive(id), [id])
  return (
    <div id={id} className="contents" {...(import.meta.env.SSR && { [LATE_PART]: '' })} suppressHydrationWarning>
      {children}
    </div>
  )
}

/** Call this when scripts handle its forms, or when the code failed to load and the browser posts them. */
function comeAlive(id: string): void {
  document.getElementById(id)?.removeAttribute(LATE_PART)
  dispatchEvent(new Event(ALIVE_EVENT))
}

/**
 * A component whose code loads when it is first rendered. If the code cannot be fetched (offline, or replaced by a release), `Missing` stands in its
 * place only, and a form around it keeps what was typed. Browsers remember the failure until the page is reloaded. The linter refuses React's own `lazy`
 * elsewhere.
 */
export function latePart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Missing: ComponentType<P>,
  waiting: ReactNode = null,
): ComponentType<P> {
  const Part = lazy(() =>
    load().then(
      (found) => ({ default: found }),
      (error: unknown) => {
        if (import.meta.env.SSR) throw error
        return { default: Missing }
      },
    ),
  )
  return function LatePart(props: P) {
    return (
      <Suspense fallback={waiting}>
        <Part {...props} />
      </Suspense>
    )
  }
}
