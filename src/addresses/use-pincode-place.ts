import { useEffect, useRef, useState } from 'react'
import { parsePincode } from '#src/accounts/places.ts'
import type { Locale } from '#src/kit/locale.ts'
import { languageTags } from '#src/kit/locale.ts'
import type { ShownPlace } from './addresses-view.server.ts'

export type PincodeAnswer = { kind: 'none' | 'looking' | 'unknown' | 'failed' } | { kind: 'known'; place: ShownPlace }

/** A line that is slower than this is a dead one; the place comes with saving, too. */
const PATIENCE_MS = 8000

/** Where a PIN code is, asked for while it is being typed. `known` is what the server has already said of the first value. */
export function usePincodePlace(known: ShownPlace | null, locale: Locale) {
  const [answer, setAnswer] = useState<PincodeAnswer>(known ? { kind: 'known', place: known } : { kind: 'none' })
  const asking = useRef<AbortController>(undefined)
  useEffect(() => () => asking.current?.abort(), [])

  /** With each change of what is typed. What is no PIN code (yet) is nothing to ask about. */
  async function look(typed: string): Promise<void> {
    asking.current?.abort()
    asking.current = undefined
    const pincode = parsePincode(typed)
    if (!pincode) return setAnswer({ kind: 'none' })
    const mine = (asking.current = new AbortController())
    const isMine = () => asking.current === mine
    const patience = setTimeout(() => mine.abort(), PATIENCE_MS)
    setAnswer({ kind: 'looking' })
    const found = await ask(pincode, locale, mine.signal)
    clearTimeout(patience)
    if (isMine()) setAnswer(found)
  }
  return { answer, look }
}

async function ask(pincode: string, locale: Locale, signal: AbortSignal): Promise<PincodeAnswer> {
  try {
    const headers = { 'Accept-Language': languageTags[locale] }
    const response = await fetch(`/api/v1/pincode-place/pincode=${pincode}`, { headers, signal })
    if (response.status === 404) return { kind: 'unknown' }
    if (!response.ok) return { kind: 'failed' }
    const { taluk, district, state, isdeliverable } = (await response.json()) as Record<string, string> & { isdeliverable: boolean }
    return { kind: 'known', place: { pincode, taluk: taluk!, district: district!, state: state!, isDeliverable: isdeliverable } }
  } catch {
    return { kind: 'failed' }
  }
}
