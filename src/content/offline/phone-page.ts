import { formatMoment } from '#src/kit/time-money/dates.ts'
import { canonicalPath } from '#src/kit/http/seo.ts'
import { localeOfPath } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { askWorker } from './ask-worker.ts'
import { OFFLINE_PATH } from './names.ts'

const MOST_PAGES = 40
const LOOK_AGAIN_MS = 4000

/** Fills the page of what is on the phone (offline-view.tsx), which also answers at any address of which there is no copy. */
export async function startPhonePage(): Promise<void> {
  const list = document.querySelector<HTMLElement>('[data-copies]')
  if (!list) return
  const find = (what: string) => document.querySelector<HTMLElement>(`[data-phone=${what}]`)!
  find('retry').onclick = () => location.reload()
  if (canonicalPath(location.pathname) !== OFFLINE_PATH) {
    find('wanted').hidden = false
    setInterval(reloadWhenReached, LOOK_AGAIN_MS)
  }
  const show = async () => {
    const kept = await askWorker<{ pages: { path: string; title: string; at: number }[]; bytes: number }>({ ask: 'list' })
    const pages = (kept?.pages ?? []).filter(({ path }) => canonicalPath(path.split('?')[0]!) !== OFFLINE_PATH)
    list.replaceChildren(...pages.slice(0, MOST_PAGES).map(row))
    find('none').hidden = pages.length > 0
    find('size').textContent = m.offline_size({ megabytes: ((kept?.bytes ?? 0) / 1024 / 1024).toFixed(1) })
  }
  find('forget').onclick = () => void askWorker({ ask: 'forget' }).then(show)
  await show()
}

/** A browser's own word that it is online says little: a line may be there and carry nothing. */
function reloadWhenReached(): void {
  if (document.hidden) return
  fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok && location.reload(),
    () => {},
  )
}

function row({ path, title, at }: { path: string; title: string; at: number }): HTMLElement {
  const when = formatMoment(new Date(at), localeOfPath(location.pathname)).slice(0, -3)
  const line = document.createElement('li')
  const link = Object.assign(document.createElement('a'), { href: path, textContent: title, className: 'link font-semibold' })
  link.lang = localeOfPath(path)
  const note = Object.assign(document.createElement('span'), {
    textContent: m.offline_as_of({ when }),
    className: 'block text-sm text-stone',
  })
  line.className = 'py-2'
  line.append(link, note)
  return line
}
