import type { data } from 'react-router'
import { ctxContext, visitorContext } from '../context.ts'
import { formLoader, pageLoader } from './page.server.ts'

type Load<T> = Parameters<typeof pageLoader<T>>[0]
type Args = Parameters<ReturnType<typeof pageLoader>>[0]

/**
 * The loader of a page that is cached for anonymous visitors but has forms for logged-in people. For them it renders individually with the `csrf` of
 * the forms. For everybody else it reads no cookies.
 */
export function personalLoader<T extends object>(load: Load<T>) {
  const forEverybody = pageLoader(load)
  const forOne = formLoader(load)
  return async (args: Args): Promise<ReturnType<typeof data<T & { csrf?: string }>>> => {
    const isOne = args.context.get(visitorContext) !== null && args.context.get(ctxContext).viewer !== null
    return (isOne ? await forOne(args) : await forEverybody(args)) as ReturnType<typeof data<T & { csrf?: string }>>
  }
}
