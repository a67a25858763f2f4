import { data, type ShouldRevalidateFunction } from 'react-router'
import { m } from '#src/paraglide/messages.js'
import type { FormRefusal } from '#src/kit/http/page.server.ts'

/**
 * For a page's clientAction: when the browser is offline or the server is unavailable, the form stays as it is and says
 * which of the two. The page finds that form by the fields sent. Redirects are rethrown. A failure status keeps the router from asking
 * the page's loader again: it would fail, too, and take the form away.
 */
export async function keepWhenOffline<T>({ request, serverAction }: { request: Request; serverAction: () => Promise<T> }) {
  const sent = request.clone()
  try {
    return await serverAction()
  } catch (error) {
    if (error instanceof Response) throw error
    // `fetch` throws this when nobody answered; the forms have a text for that.
    const detail = error instanceof TypeError ? '' : m.problem_unavailable()
    return data({ refused: offlineRefusal(await sent.formData(), detail), done: undefined }, { status: 503 })
  }
}

/** What a form gets as its answer when there is none: with an empty detail it says that one is offline (ui/form-failure.tsx). */
export function offlineRefusal(form: FormData, detail = ''): FormRefusal {
  const typed = Object.fromEntries([...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  return { code: 'UNAVAILABLE', errors: {}, detail, retryAfterSeconds: undefined, typed }
}

/**
 * Such a page's shouldRevalidate: a refusal revalidates the page, because somebody else may have been quicker. Not where the loader
 * would fail like the action: offline, or beyond a rate limit.
 */
export const afterRefusalToo: ShouldRevalidateFunction = ({ actionStatus, defaultShouldRevalidate }) =>
  actionStatus === undefined ? defaultShouldRevalidate : actionStatus < 500 && actionStatus !== 429
