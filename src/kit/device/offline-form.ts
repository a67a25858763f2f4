import { data, type ShouldRevalidateFunction } from 'react-router'
import { m } from '#src/paraglide/messages.js'
import { pagePathOf } from '#src/router-seams/data-url.ts'
import { sendLater, type LaterAct } from './send-later.ts'
import type { FormRefusal } from '#src/kit/http/page.server.ts'

/** The description of a form that may be sent later. */
export type FormAct = Pick<LaterAct, 'kind' | 'words' | 'correctAt' | 'object' | 'isByLink'>

/**
 * For a page's clientAction: when the browser is offline or the market is unavailable, the form keeps its content and
 * shows which of the two. The page finds the form by the fields sent. Redirects are rethrown. A failure status stops
 * the router from calling the page's loader again, which would fail too and remove the form. `later` describes a form
 * that the phone may send later without the person, once the market can be reached.
 */
export async function keepWhenOffline<T>(
  { request, serverAction }: { request: Request; serverAction: () => Promise<T> },
  later?: (form: FormData) => FormAct | null,
) {
  const sent = request.clone()
  try {
    const result = await serverAction()
    const refused = (result as { refused?: FormRefusal } | undefined)?.refused
    // An empty answer is another server's.
    if (result !== undefined && refused?.code !== 'UNAVAILABLE') return result
    return await unanswered(sent, later, refused)
  } catch (error) {
    if (error instanceof Response) throw error
    // `fetch` throws a TypeError when nobody answers; forms have a text for that.
    return unanswered(sent, later, error instanceof TypeError ? offlineRefusal(await sent.clone().formData()) : undefined)
  }
}

/** Nobody answered, another server did, or the market is away. `refused` says so when the phone does not store the form. */
async function unanswered(sent: Request, later?: (form: FormData) => FormAct | null, refused?: FormRefusal) {
  const form = await sent.formData()
  const stored = await storeForLater(form, sent.url, later)
  const shown = stored.detail === '' ? (refused ?? offlineRefusal(form, m.problem_unavailable())) : stored
  return data({ refused: shown, done: undefined }, { status: 503 })
}

/**
 * The market did not answer: stores the form on the phone if it may be sent later. Returns the message that the form
 * shows.
 */
export async function storeForLater(form: FormData, url: string, later?: (form: FormData) => FormAct | null): Promise<FormRefusal> {
  const act = later?.(form)
  const detail = await laterText(act, url, form)
  const isStored = act && detail === m.offline_act_stored()
  return { ...offlineRefusal(form, detail), ...(isStored && { isStored }) }
}

/** The form's message for an act that waits on the phone; '' when the phone could not store it. */
async function laterText(act: FormAct | null | undefined, url: string, form: FormData): Promise<string> {
  if (!act) return ''
  const fields = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const files = [...form].filter((entry): entry is [string, File] => typeof entry[1] !== 'string' && entry[1].size > 0)
  const { pathname } = new URL(url)
  const stored = await sendLater({
    ...act,
    method: 'POST',
    path: pagePathOf(pathname),
    fields,
    ...(files.length > 0 && { files }),
    locale: document.documentElement.lang,
  })
  if (stored === 'stored') dispatchEvent(new Event('acts-changed'))
  return stored === 'stored' ? m.offline_act_stored() : stored === 'full' ? m.offline_act_full() : ''
}

/** The result of a form that got no answer. An empty detail means that the browser is offline (ui/form-failure.tsx). */
export function offlineRefusal(form: FormData, detail = ''): FormRefusal {
  const typed = Object.fromEntries([...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  return { code: 'UNAVAILABLE', errors: {}, detail, typed }
}

/**
 * For the shouldRevalidate of such a page: also revalidate after a refusal, because another person may have been faster. Skip it when the loader
 * would fail like the action: offline, or beyond a rate limit.
 */
export const afterRefusalToo: ShouldRevalidateFunction = ({ actionStatus, defaultShouldRevalidate }) =>
  actionStatus === undefined ? defaultShouldRevalidate : actionStatus < 500 && actionStatus !== 429
