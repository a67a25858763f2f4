import { m } from '#src/paraglide/messages.js'
import { shouldOffer, visitsAfter, type Visits } from './install-rules.ts'
import { storeValue, valueOnDevice } from '#src/kit/device/storage.ts'

/** The event of Chromium browsers that offers to install the site. */
interface InstallPrompt extends Event {
  prompt(): Promise<void>
  readonly userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>
}

const KEY = 'sandhai.visits'
const visitsOnDevice = () => valueOnDevice(KEY) as Visits | null

/** Offers installation once, on a later visit, to a person who has done something here. */
export function startInstallOffer(): void {
  const visits = visitsAfter(visitsOnDevice(), Date.now())
  storeValue(KEY, visits)
  const noteDone = () => storeValue(KEY, { ...visitsOnDevice()!, hasDone: true })
  addEventListener('submit', (event) => (event.target as HTMLFormElement).method === 'post' && noteDone(), true)
  addEventListener(
    'click',
    ({ target }) => (target as Element).closest('[data-heart], a[href^="tel:"], a[href*="wa.me"]') && noteDone(),
    true,
  )
  const look = () => {
    const prompt = (globalThis as { installOffer?: InstallPrompt }).installOffer
    if (!prompt || !shouldOffer(visitsOnDevice()) || document.querySelector('dialog[open], [data-prompt]')) return
    storeValue(KEY, { ...visitsOnDevice()!, wasOffered: true })
    offer(prompt)
  }
  addEventListener('install-offer', look)
  look()
}

function offer(prompt: InstallPrompt): void {
  const bar = document.createElement('section')
  bar.dataset.prompt = ''
  bar.setAttribute('aria-label', m.device_install_title())
  bar.className =
    'fixed inset-x-3 bottom-20 z-40 mx-auto max-w-md rounded-card border border-line bg-paper p-4 text-ink shadow-card md:bottom-4'
  const title = Object.assign(document.createElement('p'), { textContent: m.device_install_title(), className: 'font-bold' })
  const text = Object.assign(document.createElement('p'), { textContent: m.device_install_text(), className: 'mt-1 text-stone' })
  const acts = Object.assign(document.createElement('div'), { className: 'row mt-3 gap-3' })
  const button = (textContent: string, className: string, onclick: () => void) =>
    acts.append(Object.assign(document.createElement('button'), { type: 'button', textContent, className, onclick }))
  button(m.device_install_yes(), 'button-primary', () => {
    bar.remove()
    void prompt.prompt()
  })
  button(m.device_install_no(), 'button-plain', () => bar.remove())
  bar.append(title, text, acts)
  document.body.append(bar)
}
