import { startTransition, type RefObject } from 'react'
import { canonical, draftTyped, newKey, type Typed } from './draft-fields.ts'
import { answersIn } from './form-touch.ts'
import { copyName, readCopy, removeCopy, writeCopy, type DraftOf } from './draft-on-device.ts'
import { putDraft, readDraft, type StoredDraft } from './draft-on-server.ts'
import { isAnotherSince } from './submitted.ts'

/** Debounce while typing: soon enough that little is lost, seldom enough for a connection that is paid by the megabyte. */
const SAVE_AFTER_MS = 1500
/** Retry interval while offline. */
const RETRY_AFTER_MS = 10_000

export type Saving = 'none' | 'saving' | 'saved' | 'again' | 'device' | 'logged-out' | 'full'

/** The part of the draft that the page shows. */
interface DraftView {
  typed: Typed
  /** Changes when the form must show other text than was typed there: render the form again then. */
  generation: number
  saving: Saving
  /**
   * The form was submitted already: from here with a lost answer, or from another device. Of a change: the listing has another version by
   * now.
   */
  wasSent: boolean
  /** The form was submitted with something else in it; the current text continues under a key of its own. */
  isAnother: boolean
  /** Another window or device has saved other text. Nothing is saved until the person chooses one of the two. */
  other: StoredDraft | null
}

export interface ServerDraft extends StoredDraft {
  /** Milliseconds; 0 without one. */
  savedAt: number
}

export const firstView = ({ typed }: ServerDraft): DraftView => ({
  typed,
  generation: 0,
  saving: 'none',
  wasSent: false,
  isAnother: false,
  other: null,
})

/** The page came from the phone (content/offline): what it says of the draft is as old as its copy. */
const isOldPage = () => document.querySelector('#old-note [data-copied-at], #old-note[data-copied-at]') !== null

/** Stores one form's text on the device at once and on the server soon after, and notices when somebody else stores other text. */
export class DraftSession {
  readonly #of: DraftOf
  readonly #server: ServerDraft
  readonly #form: RefObject<HTMLFormElement | null>
  readonly #show: (change: Partial<DraftView>) => void
  #typed: Typed
  /** The server's version, as far as this window knows. */
  #version: number
  #generation = 0
  /** The server does not have the text yet. */
  #isDirty = false
  #isSaving = false
  /** The text has become a listing, or was discarded. */
  #isStopped = false
  /** The person must choose first. */
  #isHeld = false
  /** The other text that the person may choose. */
  #other: StoredDraft | null = null
  /** Texts sent from here whose answer is not known: when the server has one of them, no other window wrote it. */
  readonly #unanswered = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(of: DraftOf, server: ServerDraft, form: RefObject<HTMLFormElement | null>, show: (change: Partial<DraftView>) => void) {
    this.#of = of
    this.#server = server
    this.#form = form
    this.#show = show
    this.#typed = server.typed
    this.#version = server.version
  }

  /** Runs once the form is alive, and returns what ends it. */
  open(): () => void {
    this.#begin()
    const onOnline = () => void this.#save()
    const onStorage = (event: StorageEvent) => event.key === copyName(this.#of) && this.#compareWithOtherWindow()
    addEventListener('online', onOnline)
    addEventListener('storage', onStorage)
    return () => {
      removeEventListener('online', onOnline)
      removeEventListener('storage', onStorage)
      clearTimeout(this.#timer)
    }
  }

  /** Chooses between the server's text, the copy on the device and what was typed before the scripts ran. */
  #begin(): void {
    const server = this.#server
    const copy = readCopy(this.#of)
    const isNewer = copy && (copy.isDirty || isOldPage()) && copy.base >= server.version
    const isBesides = copy?.isDirty && copy.at > server.savedAt && canonical(copy.typed) !== canonical(server.typed)
    if (copy && isNewer) {
      this.#isDirty = true
      this.#replace(copy.typed)
      void this.#save()
      return
    }
    // Written here offline while another device saved.
    if (copy && isBesides) return this.#hold({ typed: copy.typed, version: server.version })
    const early = this.#form.current && draftTyped(new FormData(this.#form.current))
    if (early && Object.entries(early).some(([name, text]) => name !== 'key' && server.typed[name] !== text)) this.read()
    else if (copy && !copy.isDirty) removeCopy(this.#of)
  }

  /** Two windows that are offline share the copy on the device. */
  #compareWithOtherWindow(): void {
    const copy = readCopy(this.#of)
    if (!copy?.isDirty || !this.#isDirty || this.#isHeld || canonical(copy.typed) === canonical(this.#typed)) return
    this.#hold({ typed: copy.typed, version: Math.max(this.#version, copy.base) })
  }

  #hold(other: StoredDraft): void {
    this.#isHeld = true
    this.#other = other
    this.#show({ other })
  }

  #letGo(): void {
    this.#isHeld = false
    this.#other = null
    this.#show({ other: null })
  }

  /** The form shows this text from now on. */
  #replace(typed: Typed): void {
    this.#typed = typed
    this.#generation += 1
    this.#show({ typed, generation: this.#generation })
  }

  /** Returns false when the device could not store it. */
  #store(): boolean {
    return writeCopy(this.#of, { typed: this.#typed, base: this.#version, isDirty: this.#isDirty, at: Date.now() })
  }

  #saveIn(milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#save(), milliseconds)
  }

  async #save(): Promise<void> {
    if (!this.#isDirty || this.#isSaving || this.#isStopped || this.#isHeld) return
    this.#isSaving = true
    this.#isDirty = false
    const typed = this.#typed
    this.#show({ saving: 'saving' })
    this.#unanswered.add(canonical(typed))
    const { status, answer } = await putDraft(this.#of, { version: this.#version + 1, typed })
    this.#isSaving = false
    if (this.#isStopped) return
    if (answer?.sent) return this.#meetSubmitted()
    if (answer?.saved) this.#unanswered.clear()
    else this.#isDirty = true
    const found = answer && !answer.saved ? await readDraft(this.#of) : null
    if (found && !this.#unanswered.has(canonical(found.typed)) && canonical(found.typed) !== canonical(this.#typed)) {
      this.#show({ saving: 'none' })
      return this.#hold(found)
    }
    // When the other draft could not be read, its version stays unknown here: otherwise the next save would overwrite it unseen.
    if (answer && (answer.saved || found)) this.#version = answer.version
    const isOnDevice = this.#store()
    // Logged out meanwhile, or logged in as somebody who does not sell: the copy on the device waits for the login.
    const isLoggedOut = status === 401 || status === 403
    // When online, the server must be asked again.
    const unsaved = !isOnDevice ? 'full' : status !== undefined || navigator.onLine ? 'again' : 'device'
    this.#show({ saving: answer?.saved ? 'saved' : isLoggedOut ? 'logged-out' : unsaved })
    if (!this.#isDirty || isLoggedOut) return
    // Too far ahead of the server's version: its answer to an old version names its own.
    if (status === 422) this.#version = 0
    this.#saveIn(answer ? SAVE_AFTER_MS : RETRY_AFTER_MS)
  }

  /** The server has seen this form submitted. */
  #meetSubmitted(): void {
    if (isAnotherSince(this.#typed)) return this.#continueAsAnother()
    if (this.#of.listingId) {
      // The listing was changed meanwhile: the text waits on the device until the person chooses.
      this.#isHeld = true
      this.#isDirty = true
      this.#show({ saving: 'none', wasSent: true })
      return
    }
    this.#isStopped = true
    removeCopy(this.#of)
    this.#show({ wasSent: true })
  }

  #continueAsAnother(): void {
    const key = newKey()
    this.#typed = { ...this.#typed, key }
    this.#isDirty = true
    const box = this.#form.current?.elements.namedItem('key')
    if (box instanceof HTMLInputElement) box.value = key
    this.#store()
    this.#show({ typed: this.#typed, isAnother: true })
    this.#saveIn(SAVE_AFTER_MS)
  }

  #note(typed: Typed): void {
    if (this.#isStopped) return
    this.#typed = typed
    this.#isDirty = true
    // Typing must never wait for rendering.
    startTransition(() => this.#show({ typed }))
    if (!this.#store()) this.#show({ saving: 'full' })
    this.#saveIn(SAVE_AFTER_MS)
  }

  /** After each change of the form. Answers for another species are remembered, in case the person comes back to it. */
  readonly read = (): void => {
    if (this.#form.current) this.#note(answersIn(this.#form.current, this.#typed))
  }

  /** Resolves the conflict: the text here continues, or the other one. */
  readonly choose = (which: 'this' | 'other'): void => {
    const other = this.#other
    if (!other) return
    this.#letGo()
    this.#version = other.version
    this.#isDirty = true
    if (which === 'other') this.#replace(other.typed)
    this.#store()
    void this.#save()
  }

  /** Writes answers that came from elsewhere into the form, over those that stand there. */
  readonly fill = (values: Typed, over: Typed = this.#typed): void => {
    this.#note({ ...over, ...values })
    this.#replace(this.#typed)
  }

  /** The typed text continues from this version of the listing. */
  readonly goOnFrom = (version: string): void => {
    this.#isHeld = false
    this.#show({ wasSent: false })
    this.#note({ ...this.#typed, version })
  }

  /** Stores nothing from here on: the text has become a listing, waits to become one, or was discarded. */
  readonly stop = (): void => {
    this.#isStopped = true
    clearTimeout(this.#timer)
    removeCopy(this.#of)
  }

  /** An empty form under a key of its own: its text has become a listing, or waits on the phone to become one. */
  readonly restart = (): void => {
    const { sellerId } = this.#typed
    this.#letGo()
    this.fill({}, { key: newKey(), stock: '1', ...(sellerId && { sellerId }) })
  }

  readonly keyNow = (): string => this.#typed.key ?? ''

  /** Somebody has begun to describe an animal here. */
  readonly hasAnimal = (): boolean => {
    const { categoryId, name, description, originalPrice } = this.#typed
    return Boolean(categoryId ?? name ?? description ?? originalPrice)
  }
}
