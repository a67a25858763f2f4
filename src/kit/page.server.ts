import { data, type RouterContextProvider } from 'react-router'
import { ctxContext, type Ctx } from './context.ts'
import { isDatabaseAway } from './database.server.ts'
import { Problem, problems } from './problem.ts'

interface LoaderArgs {
  request: Request
  params: Record<string, string | undefined>
  context: Readonly<RouterContextProvider>
}

/**
 * A route module's loader: `export const loader = pageLoader(async (ctx, { params, url }) => …)`.
 * A Problem becomes the page's error with its real HTTP status; anything else is a bug and goes up.
 */
export function pageLoader<T>(load: (ctx: Ctx, args: { params: LoaderArgs['params']; url: URL }) => Promise<T>) {
  return async ({ request, params, context }: LoaderArgs): Promise<T> => {
    const ctx = context.get(ctxContext)
    try {
      return await load(ctx, { params, url: new URL(request.url) })
    } catch (error) {
      const problem = error instanceof Problem ? error : isDatabaseAway(error) ? new Problem('UNAVAILABLE', { retryAfterSeconds: 2 }) : null
      if (!problem) throw error
      if (problem !== error) ctx.log.warn({ err: error }, 'database away')
      const { code, status, retryAfterSeconds } = problem
      throw data(
        { code },
        { status, statusText: problems[code].title, ...(retryAfterSeconds && { headers: { 'Retry-After': String(retryAfterSeconds) } }) },
      )
    }
  }
}
