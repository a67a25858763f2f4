import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { m } from '#src/paraglide/messages.js'
import { listClipActs, putClipOnPhone, sendFromPhone, type ClipAct, type ClipForm, type ClipForPhone } from '../unsent/queue.ts'

/** The form's clips that wait in this phone's outbox or were refused. `onArrived` runs when the outbox has sent one of them. */
export function useClipsOnPhone(form: string, onArrived: () => void): ClipAct[] {
  const [acts, setActs] = useState<ClipAct[]>([])
  const arrived = useEffectEvent(onArrived)
  useEffect(() => {
    let sentBefore = 0
    let isGone = false
    const look = async () => {
      const all = await listClipActs(form)
      if (isGone) return
      const sent = all.filter(({ state }) => state === 'sent').length
      if (sent !== sentBefore) arrived()
      sentBefore = sent
      setActs(all.filter(({ state }) => state !== 'sent'))
    }
    void look()
    addEventListener('acts-changed', look)
    return () => {
      isGone = true
      removeEventListener('acts-changed', look)
    }
  }, [form])
  return acts
}

export interface ClipsOf extends ClipForm {
  /** Called when the outbox has taken a clip. */
  onTaken?: (() => void) | undefined
}

/** Gives a clip to the outbox. The promise says why the outbox did not take it; null: it has. */
export function useClipToPhone(of: ClipsOf) {
  // An upload fails long after the rendering that began it.
  const latest = useRef(of)
  useEffect(() => {
    latest.current = of
  })
  return useCallback(async (clip: ClipForPhone): Promise<string | null> => {
    const stored = await putClipOnPhone(latest.current, clip).catch(() => 'full' as const)
    if (stored !== 'stored') return stored === 'full' ? m.offline_act_full() : m.profile_picture_line()
    latest.current.onTaken?.()
    // The server was busy, or the line broke for a moment.
    if (navigator.onLine) void sendFromPhone()
    return null
  }, [])
}
