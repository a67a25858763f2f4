import { useEffect, useState, type FormEvent } from 'react'
import { OWN_ON_DEVICE } from '#src/kit/device/own-on-device.ts'
import { storeText, storeValue, valueOnDevice } from '#src/kit/device/storage.ts'

type Typed = Record<string, string>

interface Copy {
  /** The end of the hold in which it was typed: a later hold starts with an empty form. */
  hold: number
  typed: Typed
}

const nameOf = (listingId: number) => `${OWN_ON_DEVICE}vet-check-${listingId}`
/** Fields of the page, not typed by the vet. */
const notTyped = new Set(['csrf', 'act', 'from', 'hold'])

function readCopy(listingId: number, hold: number): Typed | null {
  const copy = valueOnDevice(nameOf(listingId)) as Copy | null
  return copy?.hold === hold && typeof copy.typed === 'object' ? copy.typed : null
}

/** Deletes the draft once the server has saved the check. */
export function useForgetCheckDraft(listingId: number | null): void {
  useEffect(() => {
    if (listingId !== null) storeText(nameOf(listingId), null)
  }, [listingId])
}

/**
 * Stores the vet's input on the device at each change, because a stable has no signal and a battery runs out. `typed` is the stored draft;
 * `generation` changes with it, so that the fields render again. A form that the server rendered with typed text takes precedence.
 */
export function useCheckDraft(listingId: number, hold: number, isRendered: boolean) {
  const [draft, setDraft] = useState<{ typed: Typed; generation: number; says: 'nothing' | 'stored' | 'restored' }>({
    typed: {},
    generation: 0,
    says: 'nothing',
  })
  useEffect(() => {
    const typed = isRendered ? null : readCopy(listingId, hold)
    if (typed) setDraft({ typed, generation: 1, says: 'restored' })
    // oxlint-disable-next-line react/exhaustive-deps -- runs once, after hydration
  }, [])
  const onChange = (event: FormEvent<HTMLFormElement>) => {
    const entries = [...new FormData(event.currentTarget)].filter(([name, value]) => typeof value === 'string' && !notTyped.has(name))
    const isStored = storeValue(nameOf(listingId), { hold, typed: Object.fromEntries(entries) as Typed })
    setDraft((before) => ({ ...before, says: isStored ? 'stored' : 'nothing' }))
  }
  return { ...draft, onChange }
}
