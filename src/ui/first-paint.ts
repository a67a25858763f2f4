import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** True on the server and while the browser takes over the server's page; false for everything drawn after that. */
export const useIsFirstPaint = () =>
  useSyncExternalStore(
    never,
    () => false,
    () => true,
  )
