import { useEffect, useState, type ComponentType } from 'react'
import { canShowMessages } from '#src/kit/device/push.ts'

/** The profile's section about notifications; shown only where the browser supports them. */
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
