import { data, type ShouldRevalidateFunction } from 'react-router'
import { m } from '#src/paraglide/messages.js'
import type { FormRefusal } from './page.server.ts'

/**
 * For a page's clientAction: a dead line, or an answer that is none (a market that is away), leaves the form as it is and says which it
 * was at that form, which is known by what was sent. Redirects go up. With the status of a failure the page's loader is not asked again:
 * it would fail, too, and take the form away.
 */
export async function keptOnDeadLine<T>({ request, serverAction }: { request: Request; serverAction: () => Promise<T> }) {
  const sent = request.clone()
  try {
    return await serverAction()
  } catch (error) {
    if (error instanceof Response) throw error
    const typed = Object.fromEntries(
      [...(await sent.formData())].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
    // What `fetch` throws when nobody answered; the forms have their words for that.
    const isDead = error instanceof TypeError
    const detail = isDead ? '' : m.problem_unavailable()
    const refused: FormRefusal = { code: 'UNAVAILABLE', errors: {}, detail, retryAfterSeconds: undefined, typed }
    return data({ refused, done: undefined }, { status: 503 })
  }
}

/**
 * Such a page's shouldRevalidate: after a refusal it is looked at anew, for somebody else may have been quicker. Not where the loader
 * would fail like the action: on a dead line, or beyond a limit.
 */
export const afterRefusalToo: ShouldRevalidateFunction = ({ actionStatus, defaultShouldRevalidate }) =>
  actionStatus === undefined ? defaultShouldRevalidate : actionStatus < 500 && actionStatus !== 429
