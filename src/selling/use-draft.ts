import { startTransition, useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { OWN_ON_DEVICE } from '#src/kit/own-on-device.ts'
import { send } from '#src/kit/post-json.ts'
import { draftTyped, type Typed } from './draft-fields.ts'

/** As one types: soon enough that little is lost, seldom enough for a line that is paid by the megabyte. */
const SAVE_AFTER_MS = 1500
/** A dead line is tried again. */
const RETRY_AFTER_MS = 10_000

/** The copy on the device. `base` is the server's version it goes on from. */
interface Copy {
  typed: Typed
  base: number
  /** Not on the server yet. */
  isDirty: boolean
  at: number
}

export type Saving = 'none' | 'saving' | 'saved' | 'device' | 'logged-out'

const copyName = (ownerId: number) => `${OWN_ON_DEVICE}draft-${ownerId}`

function readCopy(ownerId: number): Copy | null {
  try {
    const copy = JSON.parse(localStorage.getItem(copyName(ownerId)) ?? 'null') as Copy | null
    return copy && typeof copy.typed === 'object' ? copy : null
  } catch {
    return null
  }
}

/** A full or forbidden store is no reason to stop: the server keeps it, too. */
function writeCopy(ownerId: number, copy: Copy | null): void {
  try {
    if (copy) localStorage.setItem(copyName(ownerId), JSON.stringify(copy))
    else localStorage.removeItem(copyName(ownerId))
  } catch {
    // As said.
  }
}

const SENDING = 'sell-sending'
const SENT_TEXTS = 'sell-sent-texts'

const textsOf = (typed: Typed) => JSON.stringify(Object.entries(typed).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Sent from here, and changed since: that is another animal. */
function isAnotherSince(typed: Typed): boolean {
  try {
    return sessionStorage.getItem(SENDING) === typed.key && sessionStorage.getItem(SENT_TEXTS) !== textsOf(typed)
  } catch {
    return false
  }
}

/** Unlike any other of this person; browsers make better ones only on https. */
const newKey = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`

/** Just before the form goes: by its key the copy is known when its listing is made. */
export function noteSending(typed: Typed): void {
  try {
    sessionStorage.setItem(SENDING, typed.key ?? '')
    sessionStorage.setItem(SENT_TEXTS, textsOf(typed))
  } catch {
    // Then the copy goes with the next look at the form.
  }
}

/** The listing is made. Who comes back to this page later may have begun another, which stays. */
export function forgetSentCopy(ownerId: number): void {
  const copy = readCopy(ownerId)
  try {
    if (copy && copy.typed.key === sessionStorage.getItem(SENDING)) writeCopy(ownerId, null)
  } catch {
    // As above.
  }
}

interface ServerDraft {
  typed: Typed
  version: number
  /** Milliseconds; 0 without one. */
  savedAt: number
}

/**
 * What is typed, kept on the device at once and on the server soon after. `generation` changes when other text has to be put into
 * the form than was typed there: draw the form anew then.
 */
export function useDraft({ ownerId, server, form }: { ownerId: number; server: ServerDraft; form: RefObject<HTMLFormElement | null> }) {
  const [typed, setTyped] = useState(server.typed)
  const [generation, setGeneration] = useState(0)
  const [saving, setSaving] = useState<Saving>('none')
  /** The form was sent already: from here with a lost answer, or from another device. */
  const [wasSent, setWasSent] = useState(false)
  /** The form was sent with something else in it; what stands here now goes on under a name of its own. */
  const [isAnother, setIsAnother] = useState(false)
  const now = useRef({ typed: server.typed, version: server.version, isDirty: false, isSaving: false, isStopped: false })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const save = useCallback(async () => {
    const state = now.current
    if (!state.isDirty || state.isSaving || state.isStopped) return
    state.isSaving = true
    state.isDirty = false
    const sent = state.typed
    setSaving('saving')
    const response = await send('PUT', '/api/v1/listing-draft', { version: state.version + 1, typed: sent }).catch(() => null)
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
      writeCopy(ownerId, { typed: state.typed, base: state.version, isDirty: true, at: Date.now() })
      setTyped(state.typed)
      setIsAnother(true)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void save(), SAVE_AFTER_MS)
      return
    }
    if (answer?.sent) {
      state.isStopped = true
      writeCopy(ownerId, null)
      return setWasSent(true)
    }
    if (answer) state.version = answer.version
    // Another device saved meanwhile. Who is typing here means what stands here.
    if (!answer?.saved) state.isDirty = true
    writeCopy(ownerId, { typed: state.typed, base: state.version, isDirty: state.isDirty, at: Date.now() })
    // Logged out meanwhile, or in as somebody who does not sell: the copy on the device waits for the login.
    const isLoggedOut = response?.status === 401 || response?.status === 403
    setSaving(answer?.saved ? 'saved' : isLoggedOut ? 'logged-out' : 'device')
    if (!state.isDirty || isLoggedOut) return
    // Too far ahead of the server's: its answer to an old version says where it is.
    if (response?.status === 422) state.version = 0
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void save(), answer ? SAVE_AFTER_MS : RETRY_AFTER_MS)
  }, [form, ownerId])

  const note = useCallback(
    (next: Typed) => {
      const state = now.current
      if (state.isStopped) return
      state.typed = next
      state.isDirty = true
      // What one types must never wait for what is drawn of it.
      startTransition(() => setTyped(next))
      writeCopy(ownerId, { typed: next, base: state.version, isDirty: true, at: Date.now() })
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void save(), SAVE_AFTER_MS)
    },
    [ownerId, save],
  )

  /** After each touch of the form. What other species asked stays known, in case one comes back to it. */
  const read = useCallback(() => {
    if (!form.current) return
    const shown = new Set([...form.current.elements].map((element) => (element as HTMLInputElement).name))
    const kept = Object.entries(now.current.typed).filter(([name]) => !shown.has(name))
    note({ ...Object.fromEntries(kept), ...draftTyped(new FormData(form.current)) })
  }, [form, note])

  useEffect(() => {
    const copy = readCopy(ownerId)
    const isNewer = copy?.isDirty && (copy.base >= server.version || copy.at > server.savedAt)
    if (copy && isNewer) {
      now.current.typed = copy.typed
      now.current.isDirty = true
      setTyped(copy.typed)
      setGeneration((n) => n + 1)
      void save()
    } else {
      // What was typed before the scripts were here.
      const early = form.current && draftTyped(new FormData(form.current))
      if (early && Object.entries(early).some(([name, text]) => name !== 'key' && server.typed[name] !== text)) read()
      else if (copy && !copy.isDirty) writeCopy(ownerId, null)
    }
    const again = () => void save()
    addEventListener('online', again)
    return () => {
      removeEventListener('online', again)
      clearTimeout(timer.current)
    }
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the form comes alive
  }, [])

  /** Nothing is kept from here on: the form has become a listing, or is begun anew. */
  const stop = useCallback(() => {
    now.current.isStopped = true
    clearTimeout(timer.current)
    writeCopy(ownerId, null)
  }, [ownerId])

  return { typed, generation, saving, wasSent, isAnother, read, stop }
}
