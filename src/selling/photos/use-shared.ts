import { useEffect, useRef, useState } from 'react'
import { findShared, forgetShared } from '#src/kit/device/shared-with-us.ts'
import type { Photos } from './use-photos.ts'

/**
 * Takes photos and words that another app has shared with the market. Answers the words while the form does not ask for any yet; then they
 * are written into the description, unless the seller has written one.
 */
export function useShared({ add }: Photos, typed: { description?: string }, asksForWords: boolean, write: (text: string) => void): string {
  const [text, setText] = useState('')
  const isTaking = useRef(false)
  useEffect(() => {
    if (isTaking.current) return
    isTaking.current = true
    void findShared().then(async (shared) => {
      setText(shared.text)
      if (shared.photos.length === 0) return
      await add(shared.photos)
      // They are in the draft now, or on the form's own shelf.
      await forgetShared('photos')
    })
  }, [add])
  useEffect(() => {
    if (text === '' || !asksForWords) return
    if (!typed.description) write(text)
    setText('')
    void forgetShared('text')
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the form asks for words
  }, [text, asksForWords])
  return text
}
