import { lazy, Suspense, type ComponentType, type ReactNode } from 'react'

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
