import { useEffect, useRef, useState } from 'react'
import { parsePincode } from '#src/kit/text/readers.ts'
import { languageTags, type Locale } from '#src/kit/text/locale.ts'
import type { ShownPlace } from './addresses-view.server.ts'

export type PincodeAnswer = { kind: 'none' | 'invalid' | 'looking' | 'unknown' | 'failed' } | { kind: 'known'; place: ShownPlace }

/** Timeout of the lookup. Saving finds the place, too. */
const PATIENCE_MS = 8000

/** Looks up the place of a PIN code while it is typed. `known` is the server's place for the first value. */
export function usePincodePlace(known: ShownPlace | null, locale: Locale) {
  const [answer, setAnswer] = useState<PincodeAnswer>(known ? { kind: 'known', place: known } : { kind: 'none' })
  const current = useRef<AbortController>(undefined)
  useEffect(() => () => current.current?.abort(), [])

  /** Call it on each change. An incomplete PIN code is not looked up, and is an error only when the button `isPressed`. */
  async function look(typed: string, isPressed = false): Promise<void> {
    current.current?.abort()
    current.current = undefined
    const pincode = parsePincode(typed)
    if (!pincode) return setAnswer({ kind: isPressed ? 'invalid' : 'none' })
    const controller = (current.current = new AbortController())
    const isCurrent = () => current.current === controller
    const timeout = setTimeout(() => controller.abort(), PATIENCE_MS)
    setAnswer({ kind: 'looking' })
    const found = await ask(pincode, locale, controller.signal)
    clearTimeout(timeout)
    if (isCurrent()) setAnswer(found)
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
