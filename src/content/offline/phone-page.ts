import { formatMoment } from '#src/kit/time-money/dates.ts'
import { canonicalPath } from '#src/kit/http/seo.ts'
import { localeOfPath } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { askWorker } from '#src/kit/device/ask-worker.ts'
import { OFFLINE_PATH } from './names.ts'
import type { Delay, Waiting } from './outbox/outbox.ts'
import { ACTS_CHANGED, sendWaiting } from './sending-note.ts'

const MOST_PAGES = 40
const LOOK_AGAIN_MS = 4000

/** Fills the page that lists what is on the phone (offline-page.tsx). The worker also shows that page at any address without a copy. */
export async function startPhonePage(): Promise<void> {
  const list = document.querySelector<HTMLElement>('[data-copies]')
  if (!list) return
  const find = (what: string) => document.querySelector<HTMLElement>(`[data-phone=${what}]`)!
  find('retry').onclick = () => location.reload()
  if (canonicalPath(location.pathname) !== OFFLINE_PATH) {
    find('wanted').hidden = false
    addEventListener('online', () => void reloadWhenReached())
    setInterval(reloadWhenReached, LOOK_AGAIN_MS)
  }
  const show = async () => {
    const copies = (await askWorker<{ path: string; title: string; at: number }[]>({ ask: 'list' })) ?? []
    const pages = copies.filter(({ path }) => canonicalPath(path.split('?')[0]!) !== OFFLINE_PATH)
    list.replaceChildren(...pages.slice(0, MOST_PAGES).map(row))
    find('none').hidden = pages.length > 0
  }
  find('forget').onclick = () => void askWorker({ ask: 'forget' }).then(show)
  addEventListener(ACTS_CHANGED, () => void showActs())
  find('send').onclick = () => void sendWaiting().then(showActs)
  await Promise.all([show(), showActs()])
}

async function showActs(): Promise<void> {
  const acts = (await askWorker<Waiting[]>({ ask: 'acts' })) ?? []
  const section = document.querySelector<HTMLElement>('[data-acts]')!
  section.hidden = acts.length === 0
  section.querySelector('ul')!.replaceChildren(...acts.map((act) => actRow(act, acts)))
}

const element = <K extends keyof HTMLElementTagNameMap>(tag: K, properties: Partial<HTMLElementTagNameMap[K]>) =>
  Object.assign(document.createElement(tag), properties)

function actRow({ n, kind, words, state, delay, reason, correctAt, at, follows, upload }: Waiting, all: Waiting[]): HTMLElement {
  const line = element('li', { className: 'py-3' })
  const text = (textContent: string, className: string) => line.append(element('p', { textContent, className }))
  const when = formatMoment(new Date(at), localeOfPath(location.pathname)).slice(0, -3)
  text(kinds[kind](), 'font-semibold')
  text(words, 'wrap-anywhere whitespace-pre-wrap')
  const isHeld = state === 'waiting' && follows !== undefined && all.some((each) => each.name === follows && each.state === 'refused')
  const isDelayed = state === 'waiting' && delay !== undefined
  text(
    `${isHeld ? m.offline_act_held() : isDelayed ? m.offline_act_delayed() : states[state]()} · ${when}`,
    `text-sm ${state === 'refused' ? 'font-semibold text-brick' : 'text-stone'}`,
  )
  if (state === 'refused' && reason) text(m.offline_act_reason({ reason }), 'text-sm')
  if (isDelayed) text(delayText(delay), 'text-sm')
  if (state === 'refused' && correctAt)
    line.append(
      element('a', {
        href: `${correctAt}${n}`,
        textContent: m.offline_act_correct(),
        className: 'tap-link mr-4 font-semibold',
      }),
    )
  if (state !== 'sent' && upload)
    line.append(
      element('a', {
        href: URL.createObjectURL(upload.blob),
        download: `sandhai-${kind}-${n}.${upload.blob.type.includes('mp4') ? 'mp4' : 'webm'}`,
        textContent: m.offline_act_save_file(),
        className: 'tap-link mr-4',
      }),
    )
  if (state !== 'sent') {
    const discard = element('button', { type: 'button', textContent: m.offline_act_discard(), className: 'tap-link' })
    discard.onclick = () => void askWorker({ ask: 'discard', n }).then(showActs)
    line.append(discard)
  }
  return line
}

function delayText(delay: Delay): string {
  if (delay.why !== 'limit') return delay.why === 'busy' ? m.offline_act_busy() : m.offline_act_foreign()
  const when = formatMoment(new Date(delay.until), localeOfPath(location.pathname)).slice(0, -3)
  return `${m.offline_act_reason({ reason: delay.reason })} ${m.offline_act_until({ when })}`
}

// Tables of functions: a computed key would bundle every text.
const kinds = {
  heart: m.offline_act_heart,
  cart: m.offline_act_cart,
  enquiry: m.offline_act_enquiry,
  offer: m.offline_act_offer,
  thread: m.offline_act_thread,
  reply: m.offline_act_reply,
  listing: m.offline_act_listing,
  edit: m.offline_act_edit,
  check: m.offline_act_check,
  handover: m.offline_act_handover,
  video: m.offline_act_video,
  voice: m.offline_act_voice,
}
const states = { waiting: m.offline_act_waiting, refused: m.offline_act_refused, sent: m.offline_act_sent }

/** `navigator.onLine` proves little: the phone may have a connection that carries nothing. */
function reloadWhenReached(): void {
  if (document.hidden) return
  fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok && location.reload(),
    () => {},
  )
}

function row({ path, title, at }: { path: string; title: string; at: number }): HTMLElement {
  const when = formatMoment(new Date(at), localeOfPath(location.pathname)).slice(0, -3)
  const line = element('li', { className: 'py-2' })
  const link = element('a', { href: path, textContent: title, className: 'link font-semibold' })
  link.lang = localeOfPath(path)
  line.append(link, element('span', { textContent: m.offline_as_of({ when }), className: 'block text-sm text-stone' }))
  return line
}
