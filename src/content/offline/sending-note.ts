import { askWorker } from '#src/kit/device/ask-worker.ts'
import { readCsrf } from '#src/kit/http/post-json.ts'
import { localeOfPath, localized } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { OFFLINE_PATH } from './names.ts'
import type { Waiting } from './outbox/outbox.ts'

/** Dispatched where an act was given to the worker, or it has sent some: the note and the list are drawn again. */
export const ACTS_CHANGED = 'acts-changed'

/** At each page, and when a line is back, what waits is sent; a line above the footer's bar says what still waits or was refused. */
export function startSending(): void {
  const send = () => sendWaiting().then(() => dispatchEvent(new Event(ACTS_CHANGED)))
  addEventListener(ACTS_CHANGED, () => void showNote())
  addEventListener('online', () => void send())
  navigator.serviceWorker.addEventListener('message', () => dispatchEvent(new Event(ACTS_CHANGED)))
  void showNote()
  void send()
}

/** The worker of some browsers sees no cookies: it is given the token. */
export const sendWaiting = () => askWorker({ ask: 'send', csrf: readCsrf() })

async function showNote(): Promise<void> {
  const acts = (await askWorker<Waiting[]>({ ask: 'acts' })) ?? []
  const waiting = acts.filter(({ state }) => state === 'waiting').length
  const refused = acts.filter(({ state }) => state === 'refused').length
  document.getElementById('acts-note')?.remove()
  if (waiting + refused === 0 || document.querySelector('[data-acts]')) return
  const note = Object.assign(document.createElement('a'), {
    id: 'acts-note',
    href: localized(`${OFFLINE_PATH}#acts`, localeOfPath(location.pathname)),
    textContent: refused > 0 ? m.offline_acts_refused({ count: refused }) : m.offline_acts_wait({ count: waiting }),
    className: 'block bg-turmeric-soft px-4 py-3 text-center font-semibold underline',
  })
  document.getElementById('content')!.before(note)
}
