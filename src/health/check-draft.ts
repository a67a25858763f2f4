import { useEffect, useState, type FormEvent } from 'react'
import { OWN_ON_DEVICE } from '#src/kit/device/own-on-device.ts'
import { storeText, storeValue, valueOnDevice } from '#src/kit/device/storage.ts'

type Typed = Record<string, string>

interface Copy {
  /** The animal's last check when it was typed: after a further check the form starts empty. */
  after: number
  typed: Typed
}

const nameOf = (listingId: number) => `${OWN_ON_DEVICE}vet-check-${listingId}`
/** Fields of the page, not typed by the vet. */
const notTyped = new Set(['csrf', 'act', 'from', 'after'])

function readCopy(listingId: number, after: number): Typed | null {
  const copy = valueOnDevice(nameOf(listingId)) as Copy | null
  return copy?.after === after && typeof copy.typed === 'object' ? copy.typed : null
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
export function useCheckDraft(listingId: number, after: number, isRendered: boolean) {
  const [draft, setDraft] = useState<{ typed: Typed; generation: number; says: 'nothing' | 'stored' | 'restored' }>({
    typed: {},
    generation: 0,
    says: 'nothing',
  })
  useEffect(() => {
    const typed = isRendered ? null : readCopy(listingId, after)
    if (typed) setDraft({ typed, generation: 1, says: 'restored' })
    // oxlint-disable-next-line react/exhaustive-deps -- runs once, after hydration
  }, [])
  const onChange = (event: FormEvent<HTMLFormElement>) => {
    const entries = [...new FormData(event.currentTarget)].filter(([name, value]) => typeof value === 'string' && !notTyped.has(name))
    const isStored = storeValue(nameOf(listingId), { after, typed: Object.fromEntries(entries) as Typed })
    setDraft((before) => ({ ...before, says: isStored ? 'stored' : 'nothing' }))
  }
  return { ...draft, onChange }
}
