import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { forgetCorrected, keepListing, listWaiting, moveClips, type Opened, openForm, sendFromPhone } from '#src/selling/unsent/queue.ts'
import { newKey, type Typed } from '#src/selling/unsent/draft-fields.ts'
import type { DraftOf } from '#src/selling/unsent/store.ts'
import type { useDraft } from '#src/selling/unsent/use-draft.ts'
import type { FormPhoto, Photos } from '#src/selling/photos/use-photos.ts'

type Draft = ReturnType<typeof useDraft>

/** A change never continues under another key, or as a listing that waits on this phone. */
const nothingWaits: Opened = { isFresh: false, elsewhere: [], toCorrect: null }

/** Checks once, when the form hydrates, what waits in this phone's outbox; for a new listing only. */
export function useOpened(draft: Draft, { ownerId, listingId }: DraftOf): () => Promise<Opened> {
  const opened = useRef<Promise<Opened>>(undefined)
  const { keyNow, restart } = draft
  return useCallback(() => {
    if (listingId !== undefined) return Promise.resolve(nothingWaits)
    opened.current ??= openForm(keyNow(), ownerId).then((found) => {
      if (found.isFresh) restart()
      return found
    })
    return opened.current
  }, [keyNow, listingId, ownerId, restart])
}

interface Form {
  draft: Draft
  photos: Photos
  ownerId: number
  whenOpened: () => Promise<Opened>
}

/** Puts a refused listing back into the form for correction, unless the form holds another animal. */
function useCorrected({ draft, photos, whenOpened }: Form) {
  const [errors, setErrors] = useState<Record<string, string>>()
  const [isOccupied, setIsOccupied] = useState(false)
  const takeOver = useEffectEvent(async ({ toCorrect }: Opened) => {
    if (!toCorrect) return
    const { typed, photos: placed } = toCorrect.body
    if (draft.hasAnimal() && draft.keyNow() !== typed.key) return setIsOccupied(true)
    // A new key: another device may have used the first one.
    const key = newKey()
    draft.fill({ ...typed, key }, {})
    await moveClips(typed.key ?? '', key)
    const parts = placed.flatMap((photo) => ('at' in photo ? [toCorrect.parts![photo.at]!.picture] : []))
    await photos.add(parts.map((part) => new File([part], 'photo.jpg', { type: part.type || 'image/jpeg' })))
    setErrors(toCorrect.errors ?? {})
    await forgetCorrected(toCorrect)
    void sendFromPhone()
  })
  useEffect(() => {
    void whenOpened().then((opened) => takeOver(opened))
  }, [whenOpened])
  return { errors, isOccupied }
}

/** Stores an offline submit in the outbox of this phone. */
export function useLater(
  form: Form & { refused: FormRefusal | undefined; species: string; shown: (typed: Typed) => FormPhoto[]; typedNow: () => Typed },
) {
  const { draft, photos, ownerId, refused, species, shown, typedNow } = form
  const [waitingKey, setWaitingKey] = useState<string | null>(null)
  const [problem, setProblem] = useState('')
  const [hasWaiting, setHasWaiting] = useState(false)
  const corrected = useCorrected(form)
  useEffect(() => {
    const look = () => void listWaiting().then((acts) => setHasWaiting(acts.some(({ state }) => state === 'waiting')))
    look()
    addEventListener('acts-changed', look)
    return () => removeEventListener('acts-changed', look)
  }, [])
  const isKeeping = useRef(false)
  /** Returns false when no worker took it; the form then shows its offline message. */
  const keep = useCallback(async (): Promise<boolean> => {
    if (isKeeping.current) return true
    isKeeping.current = true
    const typed = typedNow()
    const stored = await keepListing({ typed, photos: shown(typed), species, ownerId }).catch(() => 'full' as const)
    isKeeping.current = false
    setProblem(stored === 'full' ? m.offline_act_full() : '')
    if (stored !== 'stored') return false
    draft.stop()
    await photos.clear()
    setWaitingKey(typed.key ?? '')
    return true
  }, [draft, ownerId, photos, shown, species, typedNow])
  const onNobody = useEffectEvent(() => void keep())
  useEffect(() => {
    // An empty detail means that no server answered (kit/device/offline-form.ts).
    if (refused?.code === 'UNAVAILABLE' && refused.detail === '') onNobody()
  }, [refused])
  return { waitingKey, problem, hasWaiting, keep, ...corrected }
}
