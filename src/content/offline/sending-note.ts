import { askWorker } from '#src/kit/device/ask-worker.ts'
import { readCsrf } from '#src/kit/http/post-json.ts'
import { localeOfPath, localized } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { OFFLINE_PATH } from './names.ts'
import type { Waiting } from './outbox/outbox.ts'

/** Dispatched when the worker has stored or sent an act: redraws the note and the list. */
export const ACTS_CHANGED = 'acts-changed'

/** A connection that is just back often fails once more; background sync, where a browser has it, comes late. */
const AGAIN_AFTER_MS = [5000, 20_000, 60_000]

/** Sends waiting acts on each page, and some times when the phone is online again. A line above the bottom bar says how many still wait or were refused. */
export function startSending(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const send = async (again = AGAIN_AFTER_MS) => {
    clearTimeout(timer)
    const left = await sendWaiting()
    dispatchEvent(new Event(ACTS_CHANGED))
    if (left && navigator.onLine && again.length > 0) timer = setTimeout(() => void send(again.slice(1)), again[0])
  }
  addEventListener(ACTS_CHANGED, () => void showNote())
  addEventListener('online', () => void send())
  navigator.serviceWorker.addEventListener('message', () => dispatchEvent(new Event(ACTS_CHANGED)))
  void showNote()
  void send()
}

/** In some browsers the worker cannot read cookies: the page hands it the token. */
export const sendWaiting = () => askWorker<number>({ ask: 'send', csrf: readCsrf() }, null)

async function showNote(): Promise<void> {
  const acts = (await askWorker<Waiting[]>({ ask: 'acts' })) ?? []
  const waiting = acts.filter(({ state }) => state === 'waiting').length
  const refused = acts.filter(({ state }) => state === 'refused').length
  const isDelayed = acts.some(({ state, delay }) => state === 'waiting' && delay !== undefined)
  const forLogin = (await askWorker<number>({ ask: 'forLogin' })) ?? 0
  document.getElementById('acts-note')?.remove()
  if (waiting === 0) document.querySelector('[data-kept]')?.replaceChildren()
  if (waiting + refused + forLogin === 0 || (forLogin === 0 && document.querySelector('[data-acts]'))) return
  const note = Object.assign(document.createElement('a'), {
    id: 'acts-note',
    href: localized(forLogin > 0 ? '/login' : `${OFFLINE_PATH}#acts`, localeOfPath(location.pathname)),
    textContent: noteText({ forLogin, refused, waiting, isDelayed }),
    className: 'block bg-turmeric-soft px-4 py-3 text-center font-semibold underline',
  })
  // A child of the body, where React accepts elements that it did not render.
  document.getElementById('old-note')!.after(note)
}

function noteText({ forLogin, refused, waiting, isDelayed }: { forLogin: number; refused: number; waiting: number; isDelayed: boolean }) {
  if (forLogin > 0) return m.offline_acts_login({ count: forLogin })
  if (refused > 0) return m.offline_acts_refused({ count: refused })
  return isDelayed ? m.offline_acts_delayed({ count: waiting }) : m.offline_acts_wait({ count: waiting })
}
