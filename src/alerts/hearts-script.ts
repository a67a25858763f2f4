import { sendLater } from '#src/kit/device/send-later.ts'
import { send } from '#src/kit/http/post-json.ts'
import { answerToggles, isPressed, showToggle } from '#src/document/toggle-links.ts'
import { savedOnDevice, setOnDevice } from './saved-on-device.ts'

/** How long a note offers its undo button. */
const NOTE_MS = 6000
const NO_HEART = [404, 409]

const hearts = () => document.querySelectorAll<HTMLElement>('[data-heart]')
const note = () => document.getElementById('heart-note')!
const isLoggedIn = () => note().dataset.loggedIn !== undefined

/**
 * A tap on a heart (save-heart.tsx) saves the animal in place and offers to undo it. For logged-in people it is saved in the account, for
 * others on the device; the next login moves it to the account.
 */
export function startHearts(): void {
  answerToggles('[data-heart]', (heart) => void change(Number(heart.dataset.heart), !isPressed(heart)))
  showHearts()
  void readSaved().then(showHearts)
  // Restored from the back/forward cache: another page may have changed hearts.
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return
    tapped.clear()
    void readSaved().then(showHearts)
  })
}

let saved: number[] = []
/** The choices by taps on this page. The saved ids may have been read before a tap, so the tap wins. */
const tapped = new Map<number, boolean>()

/**
 * Fills the hearts of saved animals and empties the others. Without `ids`, uses the known ids for hearts that were added to the page since.
 */
export function showHearts(ids = saved): void {
  saved = ids
  for (const heart of hearts()) {
    const id = Number(heart.dataset.heart)
    showToggle(heart, tapped.get(id) ?? ids.includes(id))
  }
}

/** Moves what was saved on the device into the account first. */
export async function readSaved(): Promise<number[]> {
  if (!isLoggedIn()) return savedOnDevice()
  if (hearts().length === 0 && savedOnDevice().length === 0) return []
  try {
    for (const id of savedOnDevice().toReversed()) {
      const { ok, status } = await send('PUT', `/api/v1/saved-listing/id=${id}`)
      // Sold, an own animal, or the account is full: a retry would change nothing.
      if (ok || NO_HEART.includes(status)) setOnDevice(id, false)
    }
    const response = await fetch('/api/v1/saved-listings')
    return response.ok ? ((await response.json()) as { ids: number[] }).ids : []
  } catch {
    return savedOnDevice()
  }
}

async function change(id: number, isSaved: boolean): Promise<void> {
  const draw = (isShown: boolean) => {
    tapped.set(id, isShown)
    showHearts()
  }
  draw(isSaved)
  const failure = isLoggedIn() ? await store(id, isSaved) : setOnDevice(id, isSaved) ? null : 'failed'
  if (failure) draw(!isSaved)
  say(failure ?? (isSaved ? 'saved' : 'removed'), failure ? undefined : () => void change(id, !isSaved))
}

/**
 * Returns the kind of error, or null. While the market cannot be reached, the change waits on the phone
 * (content/offline/outbox).
 */
async function store(id: number, isSaved: boolean): Promise<'failed' | 'full' | null> {
  const method = isSaved ? 'PUT' : 'DELETE'
  const path = `/api/v1/saved-listing/id=${id}`
  try {
    const response = await send(method, path)
    if (response.ok) return null
    if (response.status >= 500) throw new Error('The market is away.')
    return ((await response.json()) as { code: string }).code === 'SAVED_FULL' ? 'full' : 'failed'
  } catch {
    const words = wordsOf(document.querySelector(`[data-heart="${id}"]`))
    const stored = await sendLater({ kind: 'heart', object: path, method, path, words, locale: document.documentElement.lang })
    if (stored === 'stored') dispatchEvent(new Event('acts-changed'))
    return stored === 'stored' ? null : 'failed'
  }
}

/** The accessible name (save-heart.tsx). */
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
    // Keep the note while the pointer or the focus is on it.
    if (place.matches(':hover, :focus-within')) timer = window.setTimeout(close, NOTE_MS)
    else place.replaceChildren()
  }
  timer = window.setTimeout(close, NOTE_MS)
}
