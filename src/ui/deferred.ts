import { lazy, type ComponentType } from 'react'

const signs = ['pointerdown', 'keydown', 'focusin', 'scroll', 'touchstart']

/** A sign that somebody is there: a finger, a key, a scroll. On the server there is nothing to wait for. */
const nextSign = (): Promise<unknown> =>
  import.meta.env.SSR
    ? Promise.resolve()
    : new Promise((resolve) => {
        for (const sign of [...signs, 'online']) addEventListener(sign, resolve, { once: true, capture: true, passive: true })
      })
const firstSign = nextSign()

/**
 * A part of the page that the server draws like any other, and whose code comes when somebody begins to do something:
 * inside `<Suspense>`, its HTML stands until then. It must make sense, and its links and forms work, before that. On a dead
 * line it stays as it is, and the next sign tries again.
 */
export function deferred<P>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => {
    await firstSign
    for (;;) {
      try {
        return { default: await load() }
      } catch (error) {
        if (import.meta.env.SSR) throw error
        await nextSign()
      }
    }
  })
}
