import { useCallback, useState } from 'react'

/** What a form knows of its clips: how many wait for it, whether one is on its way, and how many of the listing's own are to go. */
export function useClipNews(before = 0) {
  const [state, setState] = useState({ waiting: before, isBusy: false })
  const [gone, setGone] = useState(0)
  const note = useCallback((waiting: number, isBusy: boolean) => setState({ waiting, isBusy }), [])
  const read = (form: HTMLFormElement) => setGone(new FormData(form).getAll('goneClip').length)
  return { ...state, gone, note, read }
}
