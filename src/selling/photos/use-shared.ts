import { useEffect, useRef } from 'react'
import { findShared, forgetShared } from '#src/kit/device/shared-with-us.ts'
import type { Photos } from './use-photos.ts'

/** Takes photos that another app has shared with the market; words wait for the paste box (selling/paste). */
export function useShared({ add }: Photos): void {
  const isTaking = useRef(false)
  useEffect(() => {
    if (isTaking.current) return
    isTaking.current = true
    void findShared().then(async ({ photos }) => {
      if (photos.length === 0) return
      await add(photos)
      // They are in the draft, or in the form's store on the phone.
      await forgetShared('photos')
    })
  }, [add])
}
