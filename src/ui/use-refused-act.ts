import { useEffect, useState } from 'react'
import { offlineRefusal } from '#src/kit/device/offline-form.ts'
import { takeRefusedAct } from '#src/kit/device/refused-act.ts'
import type { LaterAct } from '#src/kit/device/send-later.ts'

/**
 * For a page at which acts of this kind are corrected: the act that waited on the phone and was refused, as if the market had refused the form just
 * now. Undefined until the phone has answered, and for everybody else.
 */
export function useRefusedAct(kind: LaterAct['kind']) {
  const [refused, setRefused] = useState<ReturnType<typeof offlineRefusal>>()
  useEffect(() => {
    void takeRefusedAct(kind).then((act) => {
      if (!act) return
      const form = new FormData()
      for (const [name, value] of act.fields ?? []) form.append(name, value)
      setRefused(offlineRefusal(form, act.reason))
    })
  }, [kind])
  return refused
}
