import { startTransition, useEffect, useState, type RefObject } from 'react'
import { newKey, type Typed } from './draft-fields.ts'
import { copyName, type DraftOf, isAnotherSince, readCopy, removeCopy, writeCopy } from './store.ts'
import { putDraft, readDraft } from './draft-on-server.ts'
import { answersIn } from './form-touch.ts'
import { firstSync, isOver, maySave, sync, type StoredDraft, type Sync, type SyncEvent } from './sync.ts'

/** The page came from the phone (content/offline): what it says of the draft is as old as its copy. */
const isOldPage = () => document.querySelector('#old-note [data-copied-at], #old-note[data-copied-at]') !== null

interface Draft extends DraftOf {
  server: StoredDraft
  form: RefObject<HTMLFormElement | null>
}

/** The draft of a form: its state (sync.ts) and acts. Stores the text on the device at once, and on the server soon. */
export function useDraft(of: Draft) {
  const [state, setState] = useState(() => firstSync(of.server))
  const [acts] = useState(() => startSync(of, setState))
  useEffect(() => acts.open(), [acts])
  return { ...state, ...acts }
}

/** Applies events to the state, and does what a new state asks for. */
function startSync({ server, form, ...of }: Draft, show: (state: Sync) => void) {
  let state = firstSync(server)
  let timer: ReturnType<typeof setTimeout> | undefined
  const apply = (event: SyncEvent): void => {
    const before = state
    state = sync(before, event)
    if (state === before) return
    if (!storeOnDevice(of, state, before) && state.saving !== 'logged-out') state = sync(state, { type: 'full' })
    clearTimeout(timer)
    if (maySave(state) && state.wait !== null) timer = setTimeout(() => apply({ type: 'due' }), state.wait)
    if (state.sent && !before.sent) void save(state.sent, state.version + 1)
    // Typing must never wait for rendering.
    if (event.type === 'typed') startTransition(() => show(state))
    else show(state)
  }
  const save = async (typed: Typed, version: number): Promise<void> => {
    const { status, answer } = await putDraft(of, { version, typed })
    const found = answer && !answer.saved && !answer.sent ? await readDraft(of) : null
    const anotherKey = isAnotherSince(state.typed) ? newKey() : null
    const isChange = of.listingId !== undefined
    apply({ type: 'answered', status, answer, found, anotherKey, isOnline: navigator.onLine, isChange })
  }
  const answers = () => {
    const { key } = state.typed
    // React writes a new key into the form a moment later.
    return form.current ? { ...answersIn(form.current, state.typed), ...(key !== undefined && { key }) } : state.typed
  }
  return {
    /** Runs once the form is alive, and returns what ends it. */
    open: (): (() => void) => {
      const copy = readCopy(of)
      apply({ type: 'opened', copy, isOldPage: isOldPage(), answers: answers() })
      if (state.at === 'typing' && copy && !copy.isDirty && !state.isDirty) removeCopy(of)
      const stopListening = listen(of, apply)
      return () => {
        stopListening()
        clearTimeout(timer)
      }
    },
    /** After each change of the form. Answers for another species are remembered. */
    read: () => apply({ type: 'typed', typed: answers() }),
    /** Resolves the conflict: the text here continues, or the other one. */
    choose: (which: 'this' | 'other') => apply({ type: 'chose', which }),
    /** Writes answers that came from elsewhere into the form, over those that stand there. */
    fill: (values: Typed, over: Typed = state.typed) => apply({ type: 'filled', typed: { ...over, ...values } }),
    /** The text continues from this version of the listing. */
    rebase: (version: string) => apply({ type: 'rebased', version }),
    /** Stores nothing from here on: the text has become a listing, waits to become one, or was discarded. */
    stop: () => apply({ type: 'ended' }),
    restart: () => apply({ type: 'restarted', key: newKey() }),
    keyNow: () => state.typed.key ?? '',
    /** Somebody has begun to describe an animal here. */
    hasAnimal: () => ['categoryId', 'name', 'description', 'originalPrice'].some((name) => state.typed[name]),
  }
}

/** Sends an event when the phone is online again and when another window types. Returns what ends it. */
function listen(of: DraftOf, apply: (event: SyncEvent) => void): () => void {
  const listening = new AbortController()
  const { signal } = listening
  addEventListener('online', () => apply({ type: 'due' }), { signal })
  const onStorage = ({ key }: StorageEvent) => {
    if (key === copyName(of)) apply({ type: 'otherWindowTyped', copy: readCopy(of) })
  }
  addEventListener('storage', onStorage, { signal })
  return () => listening.abort()
}

/** Stores what the event changed, and tries again after each answer. False: the device has no room for an unsaved text. */
function storeOnDevice(of: DraftOf, state: Sync, before: Sync): boolean {
  const { typed, version: base, isDirty, unanswered } = state
  if (isOver(state)) return removeCopy(of)
  const isAnswered = before.sent !== null && state.sent === null
  if (!isAnswered && typed === before.typed && base === before.version) return true
  return writeCopy(of, { typed, base, isDirty, unanswered }) || !isDirty
}
