import { sendLater } from '#src/kit/device/send-later.ts'
import { send } from '#src/kit/http/post-json.ts'
import { answerToggles, isPressed, showToggle } from '#src/ui/toggle-links.ts'
import { savedOnDevice, setOnDevice } from './saved-on-device.ts'

/** How long a note can be answered. */
const NOTE_MS = 6000
const NO_HEART = [404, 409]

const hearts = () => document.querySelectorAll<HTMLElement>('[data-heart]')
const note = () => document.getElementById('heart-note')!
const isLoggedIn = () => note().dataset.loggedIn !== undefined

/**
 * A tap on a heart (save-heart.tsx) saves the animal in place and offers to take that back: for people who are logged in in their account,
 * for others on the device, from where it goes into the account at the next login. Answers how to stop listening.
 */
export function startHearts(): () => void {
  const stop = answerToggles('[data-heart]', (heart) => void change(Number(heart.dataset.heart), !isPressed(heart)))
  showHearts()
  void readSaved().then(showHearts)
  // Back from another page, where hearts may have changed.
  addEventListener('pageshow', (event) => event.persisted && void readSaved().then(showHearts))
  return stop
}

let saved: number[] = []

/** Fills the hearts of what is saved, and empties the others. Without `ids` for hearts that have come to the page since. */
export function showHearts(ids = saved): void {
  saved = ids
  for (const heart of hearts()) showToggle(heart, ids.includes(Number(heart.dataset.heart)))
}

/** What was saved on the device goes into the account first. */
export async function readSaved(): Promise<number[]> {
  if (!isLoggedIn()) return savedOnDevice()
  if (hearts().length === 0 && savedOnDevice().length === 0) return []
  try {
    for (const id of savedOnDevice().toReversed()) {
      const { ok, status } = await send('PUT', `/api/v1/saved-listing/id=${id}`)
      // Sold meanwhile, one's own, or the account is full: asking again would change nothing.
      if (ok || NO_HEART.includes(status)) setOnDevice(id, false)
    }
    const response = await fetch('/api/v1/saved-listings')
    return response.ok ? ((await response.json()) as { ids: number[] }).ids : []
  } catch {
    return savedOnDevice()
  }
}

async function change(id: number, isSaved: boolean): Promise<void> {
  const draw = (isShown: boolean) => showHearts(isShown ? [id, ...saved] : saved.filter((other) => other !== id))
  draw(isSaved)
  const failure = isLoggedIn() ? await store(id, isSaved) : setOnDevice(id, isSaved) ? null : 'failed'
  if (failure) draw(!isSaved)
  say(failure ?? (isSaved ? 'saved' : 'removed'), failure ? undefined : () => void change(id, !isSaved))
}

/** What went wrong, or null. Without a line it waits on the phone (content/offline/outbox). */
async function store(id: number, isSaved: boolean): Promise<'failed' | 'full' | null> {
  const method = isSaved ? 'PUT' : 'DELETE'
  const path = `/api/v1/saved-listing/id=${id}`
  try {
    const response = await send(method, path)
    if (response.ok) return null
    return ((await response.json()) as { code: string }).code === 'SAVED_FULL' ? 'full' : 'failed'
  } catch {
    const words = wordsOf(document.querySelector(`[data-heart="${id}"]`))
    const stored = await sendLater({ kind: 'heart', method, path, words, locale: document.documentElement.lang })
    if (stored === 'stored') dispatchEvent(new Event('acts-changed'))
    return stored === 'stored' ? null : 'failed'
  }
}

/** As a screen reader says it (save-heart.tsx). */
function wordsOf(heart: Element | null): string {
  const ids = heart?.getAttribute('aria-labelledby')?.split(' ') ?? []
  return heart?.ariaLabel ?? ids.map((id) => document.getElementById(id)?.textContent).join('')
}

let timer = 0

function say(what: 'saved' | 'removed' | 'failed' | 'full', undo?: () => void): void {
  const place = note()
  clearTimeout(timer)
  place.replaceChildren(Object.assign(document.createElement('span'), { textContent: place.dataset[what] }))
  if (undo) {
    const className = 'min-h-11 cursor-pointer px-2 text-turmeric underline underline-offset-4'
    const button = Object.assign(document.createElement('button'), { type: 'button', className, textContent: place.dataset.undo })
    button.onclick = undo
    place.append(button)
  }
  const close = () => {
    // Nobody loses what they are about to press.
    if (place.matches(':hover, :focus-within')) timer = window.setTimeout(close, NOTE_MS)
    else place.replaceChildren()
  }
  timer = window.setTimeout(close, NOTE_MS)
}
