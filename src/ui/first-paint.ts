import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** True on the server and during hydration; false for everything rendered after that. */
export const useIsFirstPaint = () =>
  useSyncExternalStore(
    never,
    () => false,
    () => true,
  )
