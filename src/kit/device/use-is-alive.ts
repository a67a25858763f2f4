import { useEffect, useState } from 'react'

/** True once scripts run. Render elements that need scripts only then. */
export function useIsAlive(): boolean {
  const [isAlive, setIsAlive] = useState(false)
  useEffect(() => setIsAlive(true), [])
  return isAlive
}
