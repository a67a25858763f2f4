import type { data } from 'react-router'
import { ctxContext, visitorContext } from './context.ts'
import { formLoader, pageLoader } from './page.server.ts'

type Load<T> = Parameters<typeof pageLoader<T>>[0]
type Args = Parameters<ReturnType<typeof pageLoader>>[0]

/**
 * The loader of a page that everybody gets from memory, and that has forms for who is logged in: then it is drawn for him alone,
 * with the `csrf` that they need. For everybody else it knows nobody's cookies.
 */
export function personalLoader<T extends object>(load: Load<T>) {
  const forEverybody = pageLoader(load)
  const forOne = formLoader(load)
  return async (args: Args): Promise<ReturnType<typeof data<T & { csrf?: string }>>> => {
    const isOne = args.context.get(visitorContext) !== null && args.context.get(ctxContext).viewer !== null
    return (isOne ? await forOne(args) : await forEverybody(args)) as ReturnType<typeof data<T & { csrf?: string }>>
  }
}
