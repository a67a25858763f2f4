import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState, type RefObject, type SubmitEvent } from 'react'
import type { ShownAddress } from '#src/addresses/addresses-view.server.ts'
import { useIsAlive } from '#src/kit/device/use-is-alive.ts'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import type { ShownClip } from '#src/listings/clips/clip-wire.server.ts'
import { useOpened } from '#src/selling/later/use-later.ts'
import type { ListingPhoto } from '#src/selling/photos/photos.server.ts'
import { usable, usePhotos, type FormPhoto } from '#src/selling/photos/use-photos.ts'
import type { Typed } from '#src/selling/unsent/draft-fields.ts'
import type { DraftPhoto } from '#src/selling/unsent/drafts.server.ts'
import { useTypedNow } from '#src/selling/unsent/form-touch.ts'
import { discardClips } from '#src/selling/unsent/queue.ts'
import type { StoredDraft } from '#src/selling/unsent/sync.ts'
import { useDraft } from '#src/selling/unsent/use-draft.ts'
import { useSendOnce } from '#src/ui/send-once.ts'
import type { FormLookups } from '../lookups.server.ts'
import { useSteps } from './form-steps.tsx'
import { missingIn } from './missing.ts'

interface ListingFormOf {
  ownerId: number
  /** The listing that the edit form changes, with its photos; the sell form has none. */
  listing?: { id: number; photos: ListingPhoto[] }
  /** The text with which the page was rendered. */
  server: StoredDraft
  /** Photos in the server's draft, and clips that wait there for the form. */
  stored: { photos: DraftPhoto[]; clips: readonly ShownClip[] }
  lookups: FormLookups
  /** The pickup address that stands until the seller chooses another. */
  newest?: ShownAddress | undefined
  refused: FormRefusal | undefined
}

/** The parts of the sell form and the edit form: text, photos, clips, steps, and the submit. */
export function useListingForm({ ownerId, listing, server, stored, lookups, newest, refused }: ListingFormOf) {
  const form = useRef<HTMLFormElement>(null)
  const isAlive = useIsAlive()
  const draft = useDraft({ ownerId, listingId: listing?.id, server, form })
  const whenOpened = useOpened(draft, { ownerId, listingId: listing?.id })
  const typed = useWithPickup(draft.typed, newest)
  const typedNow = useTypedNow(form, typed)
  const photos = usePhotos({ ownerId, ...(listing && { listing }), stored: stored.photos, whenOpened, typedNow })
  const clips = useClipNews(stored.clips)
  const category = lookups.categories.find(({ id }) => String(id) === typed.categoryId) ?? null
  const steps = useSteps(form, category !== null)
  const shown = usable(photos.photos, typed)
  const unsent = shown.filter(({ state }) => state !== 'stored')
  const once = useSendOnce(refused)
  const wait = usePhotoWait({ form, unsent, retry: photos.retry })
  return {
    form,
    isAlive,
    draft,
    whenOpened,
    typed,
    typedNow,
    photos,
    clips,
    steps,
    category,
    shown,
    unsent,
    missing: missingIn(typed, { category, photos: shown.length }),
    once,
    wait,
    read: () => {
      draft.read()
      if (form.current) clips.read(form.current)
    },
    /** The text, photos and clips are no longer wanted on this phone. */
    discard: () => {
      draft.stop()
      discardClips(listing ? `edit-${listing.id}` : draft.keyNow())
      void photos.clear()
    },
  }
}
export type ListingFormParts = ReturnType<typeof useListingForm>

/** The newest address is chosen until the seller chooses another: most have one farm. */
function useWithPickup(typed: Typed, newest: ShownAddress | undefined): Typed {
  return useMemo(() => (typed.pickup || !newest ? typed : { ...typed, pickup: String(newest.id) }), [typed, newest])
}

/**
 * The clips that wait on the server, how many wait on the phone, whether an upload is running, and how many of the
 * listing's clips will be removed.
 */
function useClipNews(before: readonly ShownClip[]) {
  const [state, setState] = useState({ waiting: before, isBusy: false, onPhone: 0 })
  const [gone, setGone] = useState(0)
  const note = useCallback((waiting: readonly ShownClip[], isBusy: boolean, onPhone: number) => setState({ waiting, isBusy, onPhone }), [])
  const read = (form: HTMLFormElement) => setGone(new FormData(form).getAll('goneClip').length)
  return { ...state, gone, note, read }
}

interface PhotoWait {
  form: RefObject<HTMLFormElement | null>
  /** Photos of the form that the server does not have yet. */
  unsent: FormPhoto[]
  retry: () => void
}

/** Holds a submit back until every photo is uploaded, and submits then. The form's submit button carries `data-send`. */
function usePhotoWait({ form, unsent, retry }: PhotoWait) {
  const [isWaiting, setIsWaiting] = useState(false)
  useEffect(() => {
    if (!isWaiting || unsent.length > 0) return
    setIsWaiting(false)
    // Later: this may run while the form still handles the tap, and a form that is being submitted drops a second submit.
    setTimeout(() => form.current?.requestSubmit(form.current.querySelector<HTMLButtonElement>('[data-send]')))
  }, [form, isWaiting, unsent.length])

  /** True when the submit waits. */
  function hold(event: SubmitEvent<HTMLFormElement>): boolean {
    if (unsent.length === 0) return false
    event.preventDefault()
    retry()
    setIsWaiting(true)
    return true
  }
  return { isWaiting, hold, stopWaiting: () => setIsWaiting(false) }
}

/**
 * Runs `act` once for each time that the connection is lost while a submit waits for its photos, when every photo
 * could go with the form.
 */
export function useOnceOffline({ wait, unsent }: Pick<ListingFormParts, 'wait' | 'unsent'>, act: () => void): void {
  const isOffline =
    wait.isWaiting && unsent.every(({ blob }) => blob) && unsent.some(({ state, isLineDead }) => state === 'failed' && isLineDead)
  const run = useEffectEvent(act)
  useEffect(() => {
    if (isOffline) run()
  }, [isOffline])
}
