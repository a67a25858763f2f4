import { useCallback, useState } from 'react'
import type { ShownClip } from '#src/listings/clips/clip-wire.server.ts'

/** The form's state of its clips: those that wait on the server, how many wait on the phone, whether an upload is running, and how many of the listing's clips will be removed. */
export function useClipNews(before: readonly ShownClip[]) {
  const [state, setState] = useState({ waiting: before, isBusy: false, onPhone: 0 })
  const [gone, setGone] = useState(0)
  const note = useCallback((waiting: readonly ShownClip[], isBusy: boolean, onPhone: number) => setState({ waiting, isBusy, onPhone }), [])
  const read = (form: HTMLFormElement) => setGone(new FormData(form).getAll('goneClip').length)
  return { ...state, gone, note, read }
}
