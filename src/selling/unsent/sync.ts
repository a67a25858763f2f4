import { canonical, type Typed } from './draft-fields.ts'

/** The states of a form's text until it is sent (README.md): pure, so that every event can be tried in every state. */

/** Debounce while typing: little is lost, and few saves go over a connection that is paid by the megabyte. */
const SAVE_AFTER_MS = 1500
/** Retry interval while offline. */
const RETRY_AFTER_MS = 10_000

export type Saving = 'none' | 'saving' | 'saved' | 'again' | 'device' | 'logged-out' | 'full'

/** A draft as the server stores it. */
export interface StoredDraft {
  typed: Typed
  version: number
}

/** The copy of the draft on this device. `base` is the server's version that it continues. */
export interface DeviceCopy {
  typed: Typed
  base: number
  /** The server does not have it yet. */
  isDirty: boolean
  /** Those of its `Sync`; earlier releases stored none. */
  unanswered?: readonly string[]
}

/** The server's answer to a save: `version` is its own, `sent` says that the form was submitted already. */
export interface PutAnswer {
  version: number
  saved: boolean
  sent: boolean
}

export interface Sync {
  /**
   * `conflict`: another window or device has other text. `stale`: the listing has another version by now. In both
   * nothing is saved until the person chooses. `submitted`: from here with a lost answer, or elsewhere.
   */
  at: 'typing' | 'conflict' | 'stale' | 'submitted' | 'ended'
  typed: Typed
  /** The server's version, as far as this window knows. */
  version: number
  /** The server does not have the text yet. */
  isDirty: boolean
  /** The text under way to the server. */
  sent: Typed | null
  /** Milliseconds until the next save; null: after the next letter. */
  wait: number | null
  /** Texts sent from here whose answer is not known: when the server has one of them, no other window wrote it. */
  unanswered: readonly string[]
  /** The other text of a conflict. */
  other: StoredDraft | null
  /** Changes when the form must show other text than was typed there: render the form again then. */
  generation: number
  saving: Saving
  /** The form was submitted with something else in it; the current text continues under a key of its own. */
  isAnother: boolean
}

export type SyncEvent =
  /** The form is alive: `answers` may have been typed before. `isOldPage`: the page is a copy on the phone. */
  | { type: 'opened'; copy: DeviceCopy | null; isOldPage: boolean; answers: Typed }
  | { type: 'typed'; typed: Typed }
  /** Answers came from elsewhere, so the form shows other text. */
  | { type: 'filled'; typed: Typed }
  /** The text became a listing, or waits to become one: the form is empty under a key of its own. */
  | { type: 'restarted'; key: string }
  | { type: 'otherWindowTyped'; copy: DeviceCopy | null }
  | { type: 'due' }
  /** `found`: the server's draft if it did not save ours. `anotherKey`: set if the text changed since its submit. */
  | {
      type: 'answered'
      status: number | undefined
      answer: PutAnswer | null
      found: StoredDraft | null
      anotherKey: string | null
      isOnline: boolean
      isChange: boolean
    }
  | { type: 'chose'; which: 'this' | 'other' }
  /** The text continues from this version of the listing. */
  | { type: 'rebased'; version: string }
  | { type: 'full' }
  | { type: 'ended' }

export const firstSync = ({ typed, version }: StoredDraft): Sync => ({
  at: 'typing',
  typed,
  version,
  isDirty: false,
  sent: null,
  wait: null,
  unanswered: [],
  other: null,
  generation: 0,
  saving: 'none',
  isAnother: false,
})

export const isOver = ({ at }: Sync) => at === 'submitted' || at === 'ended'
export const maySave = ({ at, isDirty, sent }: Sync) => at === 'typing' && isDirty && sent === null

const isSame = (one: Typed, other: Typed) => canonical(one) === canonical(other)
const edit = (state: Sync, typed: Typed, wait = SAVE_AFTER_MS): Sync => ({ ...state, typed, isDirty: true, wait })
const replace = (state: Sync, typed: Typed, wait?: number) => edit({ ...state, generation: state.generation + 1 }, typed, wait)
const conflict = (state: Sync, other: StoredDraft): Sync => ({ ...state, at: 'conflict', other })

/** Returns the same object when the event changes nothing. */
export function sync(state: Sync, event: SyncEvent): Sync {
  if (event.type === 'ended') return { ...state, at: 'ended' }
  if (isOver(state)) return state
  switch (event.type) {
    case 'opened':
      return opened(state, event)
    case 'typed':
      return edit(state, event.typed)
    case 'filled':
      return replace(state, event.typed)
    case 'restarted': {
      const { sellerId } = state.typed
      const typed = { key: event.key, stock: '1', ...(sellerId && { sellerId }) }
      return replace({ ...state, at: 'typing', other: null }, typed)
    }
    case 'otherWindowTyped': {
      // Two windows that are offline share the copy on the device.
      const { copy } = event
      if (!copy?.isDirty || !state.isDirty || state.at !== 'typing' || isSame(copy.typed, state.typed)) return state
      return conflict(state, { typed: copy.typed, version: Math.max(state.version, copy.base) })
    }
    case 'due': {
      const { typed, unanswered } = state
      return maySave(state) ? { ...state, sent: typed, saving: 'saving', unanswered: [...unanswered, canonical(typed)] } : state
    }
    case 'answered':
      // The form was emptied meanwhile: the answer is about another animal.
      if (event.answer?.sent && state.sent?.key !== state.typed.key) return edit({ ...state, sent: null }, state.typed)
      return answered({ ...state, sent: null, isDirty: !event.answer?.saved || state.typed !== state.sent }, event)
    case 'chose': {
      if (!state.other) return state
      const { typed, version } = state.other
      const chosen: Sync = { ...state, at: 'typing', other: null, version: Math.max(state.version, version) }
      return event.which === 'other' ? replace(chosen, typed, 0) : edit(chosen, state.typed, 0)
    }
    case 'rebased':
      return edit({ ...state, at: 'typing' }, { ...state.typed, version: event.version })
    case 'full':
      return { ...state, saving: 'full' }
  }
}

/** Chooses between the server's text, the copy on the device and what was typed before the scripts ran. */
function opened(state: Sync, { copy, isOldPage, answers }: Extract<SyncEvent, { type: 'opened' }>): Sync {
  const unanswered = copy?.unanswered ?? []
  // A save that was under way at the reload may have arrived.
  const isNewer = copy && (copy.base >= state.version || unanswered.includes(canonical(state.typed)))
  if (isNewer && (copy.isDirty || isOldPage)) return replace({ ...state, unanswered }, copy.typed, 0)
  // Written here offline while another device saved. No clock decides: this phone's may be wrong.
  const { typed, version } = state
  if (copy?.isDirty && !isSame(copy.typed, typed)) return conflict(state, { typed: copy.typed, version })
  const isEarlier = Object.entries(answers).some(([name, text]) => name !== 'key' && state.typed[name] !== text)
  return isEarlier ? edit(state, answers) : state
}

function answered(state: Sync, event: Extract<SyncEvent, { type: 'answered' }>): Sync {
  const { status, answer, found } = event
  if (answer?.sent) return submitted(state, event)
  if (answer?.saved) return { ...state, unanswered: [], version: answer.version, saving: 'saved', wait: SAVE_AFTER_MS }
  if (found && !state.unanswered.includes(canonical(found.typed)) && !isSame(found.typed, state.typed))
    return { ...conflict(state, found), saving: 'none' }
  // Logged out meanwhile, or logged in as somebody who does not sell: the copy on the device waits for the login.
  if (status === 401 || status === 403) return { ...state, saving: 'logged-out', wait: null }
  return {
    ...state,
    // The version of a draft that could not be read stays unknown: otherwise the next save would overwrite it unseen.
    // A version too far ahead of the server's is reset: the answer to an old one names the server's own.
    version: answer && found ? answer.version : status === 422 ? 0 : state.version,
    // When online, the server must be asked again.
    saving: status !== undefined || event.isOnline ? 'again' : 'device',
    wait: answer ? SAVE_AFTER_MS : RETRY_AFTER_MS,
  }
}

/** The server has seen this form submitted, or its listing changed. */
function submitted(state: Sync, { anotherKey, isChange }: Extract<SyncEvent, { type: 'answered' }>): Sync {
  if (anotherKey !== null) return { ...edit(state, { ...state.typed, key: anotherKey }), isAnother: true }
  return { ...state, at: isChange ? 'stale' : 'submitted', saving: 'none' }
}
