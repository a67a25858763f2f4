import { useEffect, useState, type ComponentType } from 'react'
import { canShowMessages } from '#src/kit/device/push.ts'

/** The part of the profile about messages on the phone. It is there only where a browser can show them. */
export function PushSection() {
  const [Devices, setDevices] = useState<ComponentType | null>(null)
  useEffect(() => {
    if (!canShowMessages()) return
    import('./push-devices.tsx').then(
      (part) => setDevices(() => part.PushDevices),
      () => {},
    )
  }, [])
  return Devices && <Devices />
}
