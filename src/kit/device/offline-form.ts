import { data, type ShouldRevalidateFunction } from 'react-router'
import { m } from '#src/paraglide/messages.js'
import { pagePathOf } from '#src/router-seams/data-url.ts'
import { sendLater, type LaterAct } from './send-later.ts'
import type { FormRefusal } from '#src/kit/http/page.server.ts'

/** What a form says of itself where it may be sent later. */
type FormAct = Pick<LaterAct, 'kind' | 'words' | 'correctAt'>

/**
 * For a page's clientAction: when the browser is offline or the server is unavailable, the form stays as it is and says
 * which of the two. The page finds that form by the fields sent. Redirects are rethrown. A failure status keeps the router from asking
 * the page's loader again: it would fail, too, and take the form away.
 * `later` says of a form that can be sent by itself what it is: then it waits on the phone and is sent when there is a line.
 */
export async function keepWhenOffline<T>(
  { request, serverAction }: { request: Request; serverAction: () => Promise<T> },
  later?: (form: FormData) => FormAct | null,
) {
  const sent = request.clone()
  try {
    return await serverAction()
  } catch (error) {
    if (error instanceof Response) throw error
    // `fetch` throws this when nobody answered; the forms have a text for that.
    const form = await sent.formData()
    const act = error instanceof TypeError ? later?.(form) : null
    const detail = error instanceof TypeError ? await laterText(act, sent.url, form) : m.problem_unavailable()
    const isStored = act && detail === m.offline_act_stored()
    return data({ refused: { ...offlineRefusal(form, detail), ...(isStored && { isStored }) }, done: undefined }, { status: 503 })
  }
}

/** What the form says of an act that waits on the phone now; '' where nothing took it. */
async function laterText(act: FormAct | null | undefined, url: string, form: FormData): Promise<string> {
  if (!act) return ''
  const fields = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const { pathname } = new URL(url)
  const stored = await sendLater({ ...act, method: 'POST', path: pagePathOf(pathname), fields, locale: document.documentElement.lang })
  if (stored === 'stored') dispatchEvent(new Event('acts-changed'))
  return stored === 'stored' ? m.offline_act_stored() : stored === 'full' ? m.offline_act_full() : ''
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
