import { m } from '#src/paraglide/messages.js'
import { shouldOffer, visitsAfter, type Visits } from './install-rules.ts'

/** What browsers of Chromium's family hand out once they would install the market. */
interface InstallPrompt extends Event {
  prompt(): Promise<void>
  readonly userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>
}

const KEY = 'sandhai.visits'

/** Offers once to put the market on the phone's screen: at a later visit, to somebody who has done something here. */
export function startInstallOffer(): void {
  const visits = visitsAfter(readVisits(), Date.now())
  writeVisits(visits)
  const noteDone = () => writeVisits({ ...readVisits()!, hasDone: true })
  addEventListener('submit', (event) => (event.target as HTMLFormElement).method === 'post' && noteDone(), true)
  addEventListener(
    'click',
    ({ target }) => (target as Element).closest('[data-heart], a[href^="tel:"], a[href*="wa.me"]') && noteDone(),
    true,
  )
  const look = () => {
    const prompt = (globalThis as { installOffer?: InstallPrompt }).installOffer
    if (!prompt || !shouldOffer(readVisits()) || document.querySelector('dialog[open], [data-prompt]')) return
    writeVisits({ ...readVisits()!, wasOffered: true })
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

function readVisits(): Visits | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null') as Visits | null
  } catch {
    return null
  }
}

function writeVisits(visits: Visits): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(visits))
  } catch {
    // A phone that stores nothing is offered nothing.
  }
}
