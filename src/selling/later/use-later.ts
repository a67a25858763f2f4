import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import type { Typed } from '#src/selling/form/draft-fields.ts'
import { newKey, type useDraft } from '#src/selling/form/use-draft.ts'
import type { FormPhoto, Photos } from '#src/selling/photos/use-photos.ts'
import { forgetCorrected, keepListing, listWaiting, openForm, type Opened } from './waiting-listing.ts'

type Draft = ReturnType<typeof useDraft>

/** Looks once, when the form comes alive, at what waits on this phone. */
export function useOpened(draft: Draft, ownerId: number): () => Promise<Opened> {
  const opened = useRef<Promise<Opened>>(undefined)
  const { keyNow, restart } = draft
  return useCallback(() => {
    opened.current ??= openForm(keyNow(), ownerId).then((found) => {
      if (found.isFresh) restart()
      return found
    })
    return opened.current
  }, [keyNow, ownerId, restart])
}

interface Form {
  draft: Draft
  photos: Photos
  ownerId: number
  whenOpened: () => Promise<Opened>
}

/** A refused listing comes back into the form with everything in it, unless another animal stands there. */
function useCorrected({ draft, photos, whenOpened }: Form) {
  const [errors, setErrors] = useState<Record<string, string>>()
  const [isOccupied, setIsOccupied] = useState(false)
  const takeOver = useEffectEvent(async ({ toCorrect }: Opened) => {
    if (!toCorrect) return
    const { typed, photos: placed } = toCorrect.body
    if (draft.hasAnimal() && draft.keyNow() !== typed.key) return setIsOccupied(true)
    // Its own from here on: the first key may have been another device's.
    draft.fill({ ...typed, key: newKey() }, {})
    const parts = placed.flatMap((photo) => ('at' in photo ? [toCorrect.parts![photo.at]!.picture] : []))
    await photos.add(parts.map((part) => new File([part], 'photo.jpg', { type: part.type || 'image/jpeg' })))
    setErrors(toCorrect.errors ?? {})
    await forgetCorrected(toCorrect)
  })
  useEffect(() => {
    void whenOpened().then((opened) => takeOver(opened))
  }, [whenOpened])
  return { errors, isOccupied }
}

/** What was submitted without a line goes into the outbox of this phone. */
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
  /** False: nothing took it, and the form says what it says without a line. */
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
    // With an empty detail nobody has answered (kit/device/offline-form.ts).
    if (refused?.code === 'UNAVAILABLE' && refused.detail === '') onNobody()
  }, [refused])
  return { waitingKey, problem, hasWaiting, keep, ...corrected }
}
