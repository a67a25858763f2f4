import { useEffect, useState, type FormEvent } from 'react'
import { OWN_ON_DEVICE } from '#src/kit/device/own-on-device.ts'

type Typed = Record<string, string>

interface Copy {
  /** When the hold ends that it was typed in: a later hold begins with an empty form. */
  hold: number
  typed: Typed
}

const nameOf = (listingId: number) => `${OWN_ON_DEVICE}vet-check-${listingId}`
/** Of the page, not of the vet. */
const notTyped = new Set(['csrf', 'act', 'from'])

function readCopy(listingId: number, hold: number): Typed | null {
  try {
    const copy = JSON.parse(localStorage.getItem(nameOf(listingId)) ?? 'null') as Copy | null
    return copy?.hold === hold && typeof copy.typed === 'object' ? copy.typed : null
  } catch {
    return null
  }
}

function writeCopy(listingId: number, copy: Copy): boolean {
  try {
    localStorage.setItem(nameOf(listingId), JSON.stringify(copy))
    return true
  } catch {
    // No storage, or it is full: then the form says nothing of it.
    return false
  }
}

/** The check is saved on the server. */
export function useForgetCheckDraft(listingId: number | null): void {
  useEffect(() => {
    try {
      if (listingId !== null) localStorage.removeItem(nameOf(listingId))
    } catch {
      // Nothing is stored there.
    }
  }, [listingId])
}

/**
 * Keeps on the device what a vet types, at each change: a stable has no line and a phone's battery runs out. `typed` is what was kept from
 * before; `generation` changes with it, so that the fields are rendered again. A form that the server rendered with typed text goes first.
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
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the form comes alive
  }, [])
  const onChange = (event: FormEvent<HTMLFormElement>) => {
    const entries = [...new FormData(event.currentTarget)].filter(([name, value]) => typeof value === 'string' && !notTyped.has(name))
    const isStored = writeCopy(listingId, { hold, typed: Object.fromEntries(entries) as Typed })
    setDraft((before) => ({ ...before, says: isStored ? 'stored' : 'nothing' }))
  }
  return { ...draft, onChange }
}
