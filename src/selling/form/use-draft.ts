import { startTransition, useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { OWN_ON_DEVICE } from '#src/kit/device/own-on-device.ts'
import { send } from '#src/kit/http/post-json.ts'
import { noteDone } from '#src/selling/later/waiting-listing.ts'
import { draftTyped, type Typed } from './draft-fields.ts'

/** Debounce while typing: soon enough that little is lost, seldom enough for a connection that is paid by the megabyte. */
const SAVE_AFTER_MS = 1500
/** Retry interval while offline. */
const RETRY_AFTER_MS = 10_000

/** The copy on the device. `base` is the server's version it goes on from. */
interface Copy {
  typed: Typed
  base: number
  /** Not on the server yet. */
  isDirty: boolean
  at: number
}

export type Saving = 'none' | 'saving' | 'saved' | 'again' | 'device' | 'logged-out' | 'full'

/** What another window or device has saved of the same draft meanwhile. Nothing is saved until somebody says which one stays. */
interface Other {
  typed: Typed
  version: number
}

/** Which form: a person's sell form, or the edit form of the listing. */
export interface DraftOf {
  ownerId: number
  listingId?: number | undefined
}

const copyName = ({ ownerId, listingId }: DraftOf) => `${OWN_ON_DEVICE}draft-${ownerId}${listingId ? `-of-${listingId}` : ''}`
const pathOf = ({ listingId }: DraftOf) => `/api/v1/listing-draft${listingId ? `?listing=${listingId}` : ''}`

function readCopy(of: DraftOf): Copy | null {
  try {
    const copy = JSON.parse(localStorage.getItem(copyName(of)) ?? 'null') as Copy | null
    return copy && typeof copy.typed === 'object' ? copy : null
  } catch {
    return null
  }
}

/** A full or forbidden store is no reason to stop: the server stores it, too. False: it is not on this phone. */
function writeCopy(of: DraftOf, copy: Copy | null): boolean {
  try {
    if (copy) localStorage.setItem(copyName(of), JSON.stringify(copy))
    else localStorage.removeItem(copyName(of))
    return true
  } catch {
    return false
  }
}

/** The page came from the phone (content/offline): what it says of the draft is as old as its copy. */
const isOldPage = () => document.querySelector('#old-note [data-copied-at], #old-note[data-copied-at]') !== null

const SENDING = 'sell-sending'
const SENT_TEXTS = 'sell-sent-texts'

export const textsOf = (typed: Typed) => JSON.stringify(Object.entries(typed).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Submitted from here, and changed since: that is another animal. */
function isAnotherSince(typed: Typed): boolean {
  try {
    return sessionStorage.getItem(SENDING) === typed.key && sessionStorage.getItem(SENT_TEXTS) !== textsOf(typed)
  } catch {
    return false
  }
}

/** Unlike any other of this person; browsers make better ones only on https. */
export const newKey = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`

/** Runs just before the submit: the key identifies the copy when its listing is made. */
export function noteSending(typed: Typed): void {
  try {
    sessionStorage.setItem(SENDING, typed.key ?? '')
    sessionStorage.setItem(SENT_TEXTS, textsOf(typed))
  } catch {
    // Then the copy is removed with the next look at the form.
  }
}

/** The listing is made. A person who comes back to this page later may have begun another, which stays. */
export function forgetSentCopy(ownerId: number): void {
  const copy = readCopy({ ownerId })
  try {
    const sent = sessionStorage.getItem(SENDING)
    if (sent) noteDone(ownerId, sent)
    if (copy && copy.typed.key === sent) writeCopy({ ownerId }, null)
  } catch {
    // See above.
  }
}

/** The change to the listing is saved or discarded, whichever person on this phone made it. */
export function forgetChange(listingId: string): void {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(`${OWN_ON_DEVICE}draft-`))
    for (const name of names) if (name.endsWith(`-of-${listingId}`)) localStorage.removeItem(name)
  } catch {
    // See above.
  }
}

/** The server's current draft; null when it cannot be asked. */
async function readDraft(of: DraftOf): Promise<Other | null> {
  const response = await fetch(pathOf(of), { cache: 'no-store' }).catch(() => null)
  return response?.ok ? ((await response.json().catch(() => null)) as Other | null) : null
}

interface ServerDraft {
  typed: Typed
  version: number
  /** Milliseconds; 0 without one. */
  savedAt: number
}

/**
 * Stores the typed text on the device at once and on the server soon after. `generation` changes when the form must show other text than
 * was typed there: render the form again then.
 */
// oxlint-disable-next-line max-lines-per-function -- saving, typing and resolving a conflict take turns on one state, which parts would pass around whole
export function useDraft({ ownerId, listingId, server, form }: DraftOf & { server: ServerDraft; form: RefObject<HTMLFormElement | null> }) {
  const of = useMemo(() => ({ ownerId, listingId }), [ownerId, listingId])
  const [typed, setTyped] = useState(server.typed)
  const [generation, setGeneration] = useState(0)
  const [saving, setSaving] = useState<Saving>('none')
  /**
   * The form was submitted already: from here with a lost answer, or from another device. Of a change: the listing has another version by
   * now.
   */
  const [wasSent, setWasSent] = useState(false)
  /** The form was submitted with something else in it; the current text goes on under a key of its own. */
  const [isAnother, setIsAnother] = useState(false)
  const [other, setOther] = useState<Other | null>(null)
  const now = useRef({ typed: server.typed, version: server.version, isDirty: false, isSaving: false, isStopped: false, isHeld: false })
  /** What was submitted from here and not answered: found on the server, it is no other window's. */
  const unanswered = useRef(new Set<string>())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const save = useCallback(async () => {
    const state = now.current
    if (!state.isDirty || state.isSaving || state.isStopped || state.isHeld) return
    state.isSaving = true
    state.isDirty = false
    const sent = state.typed
    setSaving('saving')
    unanswered.current.add(textsOf(sent))
    const response = await send('PUT', pathOf(of), { version: state.version + 1, typed: sent }).catch(() => null)
    const answer = response?.ok
      ? ((await response.json().catch(() => null)) as { version: number; saved: boolean; sent: boolean } | null)
      : null
    state.isSaving = false
    if (state.isStopped) return
    if (answer?.sent && isAnotherSince(state.typed)) {
      const key = newKey()
      state.typed = { ...state.typed, key }
      state.isDirty = true
      const box = form.current?.elements.namedItem('key')
      if (box instanceof HTMLInputElement) box.value = key
      writeCopy(of, { typed: state.typed, base: state.version, isDirty: true, at: Date.now() })
      setTyped(state.typed)
      setIsAnother(true)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void save(), SAVE_AFTER_MS)
      return
    }
    if (answer?.sent && of.listingId) {
      // The listing was changed meanwhile: the typed text waits on the device until somebody says which one stays.
      state.isHeld = true
      state.isDirty = true
      setSaving('none')
      return setWasSent(true)
    }
    if (answer?.sent) {
      state.isStopped = true
      writeCopy(of, null)
      return setWasSent(true)
    }
    if (answer?.saved) unanswered.current.clear()
    if (!answer?.saved) state.isDirty = true
    const found = answer && !answer.saved ? await readDraft(of) : null
    if (found && !unanswered.current.has(textsOf(found.typed)) && textsOf(found.typed) !== textsOf(state.typed)) {
      state.isHeld = true
      setSaving('none')
      return setOther(found)
    }
    // Not where the other draft could not be read: its version must not be passed unseen.
    if (answer?.saved || found) state.version = answer!.version
    const isOnPhone = writeCopy(of, { typed: state.typed, base: state.version, isDirty: state.isDirty, at: Date.now() })
    // Logged out meanwhile, or logged in as somebody who does not sell: the copy on the device waits for the login.
    const isLoggedOut = response?.status === 401 || response?.status === 403
    // When online, the server must be asked again.
    const unsaved = !isOnPhone ? 'full' : response || navigator.onLine ? 'again' : 'device'
    setSaving(answer?.saved ? 'saved' : isLoggedOut ? 'logged-out' : unsaved)
    if (!state.isDirty || isLoggedOut) return
    // Too far ahead of the server's version: its answer to an old version says where it is.
    if (response?.status === 422) state.version = 0
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void save(), answer ? SAVE_AFTER_MS : RETRY_AFTER_MS)
  }, [form, of])

  const note = useCallback(
    (next: Typed) => {
      const state = now.current
      if (state.isStopped) return
      state.typed = next
      state.isDirty = true
      // Typing must never wait for rendering.
      startTransition(() => setTyped(next))
      const isOnPhone = writeCopy(of, { typed: next, base: state.version, isDirty: true, at: Date.now() })
      if (!isOnPhone) setSaving('full')
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void save(), SAVE_AFTER_MS)
    },
    [of, save],
  )

  /** After each change of the form. Answers for another species are remembered, in case the person comes back to it. */
  const read = useCallback(() => {
    if (!form.current) return
    const shown = new Set([...form.current.elements].map((element) => (element as HTMLInputElement).name))
    const kept = Object.entries(now.current.typed).filter(([name]) => !shown.has(name))
    note({ ...Object.fromEntries(kept), ...draftTyped(new FormData(form.current)) })
  }, [form, note])

  useEffect(() => {
    const copy = readCopy(of)
    const isNewer = copy && (copy.isDirty || isOldPage()) && copy.base >= server.version
    const isBesides = copy?.isDirty && copy.at > server.savedAt && textsOf(copy.typed) !== textsOf(server.typed)
    if (copy && !isNewer && isBesides) {
      // Written here offline while another device saved.
      now.current.isHeld = true
      setOther({ typed: copy.typed, version: server.version })
    } else if (copy && isNewer) {
      now.current.typed = copy.typed
      now.current.isDirty = true
      setTyped(copy.typed)
      setGeneration((n) => n + 1)
      void save()
    } else {
      // Text typed before the scripts ran.
      const early = form.current && draftTyped(new FormData(form.current))
      if (early && Object.entries(early).some(([name, text]) => name !== 'key' && server.typed[name] !== text)) read()
      else if (copy && !copy.isDirty) writeCopy(of, null)
    }
    const again = () => void save()
    // Two windows that are offline share the copy on the device.
    const besides = (event: StorageEvent) => {
      const copy = event.key === copyName(of) ? readCopy(of) : null
      const state = now.current
      if (!copy?.isDirty || !state.isDirty || state.isHeld || textsOf(copy.typed) === textsOf(state.typed)) return
      state.isHeld = true
      setOther({ typed: copy.typed, version: Math.max(state.version, copy.base) })
    }
    addEventListener('online', again)
    addEventListener('storage', besides)
    return () => {
      removeEventListener('online', again)
      removeEventListener('storage', besides)
      clearTimeout(timer.current)
    }
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the form comes alive
  }, [])

  /** Resolves the conflict: the text here goes on, or the other window's. */
  const choose = useCallback(
    (which: 'this' | 'other') => {
      const state = now.current
      if (!other) return
      state.isHeld = false
      state.version = other.version
      state.isDirty = true
      setOther(null)
      if (which === 'other') {
        state.typed = other.typed
        setTyped(other.typed)
        setGeneration((n) => n + 1)
      }
      writeCopy(of, { typed: state.typed, base: state.version, isDirty: true, at: Date.now() })
      void save()
    },
    [of, other, save],
  )

  /** Writes answers that came from elsewhere into the form, over those that stand there. */
  const fill = useCallback(
    (values: Typed, over: Typed = now.current.typed) => {
      note({ ...over, ...values })
      setTyped(now.current.typed)
      setGeneration((n) => n + 1)
    },
    [note],
  )

  /** The typed text goes on from this version of the listing. */
  const goOnFrom = useCallback(
    (version: string) => {
      now.current.isHeld = false
      setWasSent(false)
      note({ ...now.current.typed, version })
    },
    [note],
  )

  /** Stores nothing from here on: the form has become a listing, or is restarted. */
  const stop = useCallback(() => {
    now.current.isStopped = true
    clearTimeout(timer.current)
    writeCopy(of, null)
  }, [of])

  /** An empty form under a key of its own: what stood here has become a listing, or waits on the phone to become one. */
  const restart = useCallback(() => {
    const { sellerId } = now.current.typed
    now.current.isHeld = false
    setOther(null)
    fill({}, { key: newKey(), stock: '1', ...(sellerId && { sellerId }) })
  }, [fill])
  const keyNow = useCallback(() => now.current.typed.key ?? '', [])
  /** Somebody has begun to describe one here. */
  const hasAnimal = useCallback(() => {
    const { categoryId, name, description, originalPrice } = now.current.typed
    return Boolean(categoryId ?? name ?? description ?? originalPrice)
  }, [])

  return { typed, generation, saving, wasSent, isAnother, other, choose, fill, goOnFrom, hasAnimal, keyNow, read, restart, stop }
}
