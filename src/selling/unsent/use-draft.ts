import { useEffect, useState, type RefObject } from 'react'
import type { DraftOf } from './draft-on-device.ts'
import { DraftSession, firstView, type ServerDraft } from './draft-session.ts'

/** The draft of a form, for React: what to show of it, and the acts of its session. */
export function useDraft({ server, form, ...of }: DraftOf & { server: ServerDraft; form: RefObject<HTMLFormElement | null> }) {
  const [view, setView] = useState(() => firstView(server))
  const [session] = useState(() => new DraftSession(of, server, form, (change) => setView((before) => ({ ...before, ...change }))))
  useEffect(() => session.open(), [session])
  const { choose, fill, goOnFrom, hasAnimal, keyNow, read, restart, stop } = session
  return { ...view, choose, fill, goOnFrom, hasAnimal, keyNow, read, restart, stop }
}
