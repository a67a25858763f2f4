import { lazy, Suspense, useEffect, useState, type ComponentType } from 'react'
import { KeptPart } from './kept-part.tsx'

/** The first sign that somebody is there: a finger, a key, a scroll. On the server there is nothing to wait for. */
const firstSign: Promise<unknown> = import.meta.env.SSR
  ? Promise.resolve()
  : new Promise((resolve) => {
      for (const sign of ['pointerdown', 'keydown', 'focusin', 'scroll', 'touchstart'])
        addEventListener(sign, resolve, { once: true, capture: true, passive: true })
    })

/**
 * A part of the page that the server draws like any other, and whose code comes when somebody begins to do something. Its HTML
 * stands until then: it must make sense, and its links and forms work, without code. `id` names it within the page.
 */
export function deferred<P extends object>(id: string, load: () => Promise<ComponentType<P>>): ComponentType<P> {
  /** The line was dead just then. What the server drew stays, and every change of the page tries again. */
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
    return Part ? (
      <div id={id} className="contents">
        <Part {...props} />
      </div>
    ) : (
      <KeptPart id={id} className="contents" part={false} />
    )
  }

  const Part = lazy(async () => {
    await firstSign
    try {
      const Loaded = await load()
      return {
        default: (props: P) => (
          <div id={id} className="contents">
            <Loaded {...props} />
          </div>
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
