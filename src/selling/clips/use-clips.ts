import { useCallback, useEffect, useRef, useState } from 'react'
import { send } from '#src/kit/http/post-json.ts'
import { clipLimits, type ClipKind } from '#src/kit/media/clips/clip-limits.ts'
import type { ShownClip } from '#src/listings/clips/clip-wire.server.ts'
import { m } from '#src/paraglide/messages.js'
import { makeStill } from './make-still.ts'
import { ClipNotSent, sendClip } from './send-clip.ts'

/** A clip that is on its way to the form, or did not get there. */
export interface ClipOnItsWay {
  name: string
  kind: ClipKind
  state: 'making' | 'sending' | 'failed'
  percent: number
  reason: string
  isLineDead: boolean
  file: Blob
  /** Of it, once it was made small. */
  small?: { blob: Blob; still: Blob | null }
}

let count = 0

/** Clips of a form: those that wait for it on the server, and those on their way there, one at a time. */
export function useClips({ form, waiting }: { form: string; waiting: readonly ShownClip[] }) {
  const [stored, setStored] = useState(waiting)
  const [moving, setMoving] = useState<ClipOnItsWay[]>([])
  const latest = useRef(moving)
  const show = useCallback((next: ClipOnItsWay[]) => setMoving((latest.current = next)), [])
  const change = useCallback(
    (name: string, to: Partial<ClipOnItsWay>) => show(latest.current.map((clip) => (clip.name === name ? { ...clip, ...to } : clip))),
    [show],
  )
  const go = useCallback(
    async (clip: ClipOnItsWay) => {
      const { name, kind, file } = clip
      const onProgress = (percent: number) => change(name, { percent })
      try {
        change(name, { state: 'making', percent: 0, reason: '' })
        const small = clip.small ?? (await prepare(file, kind, onProgress))
        change(name, { state: 'sending', percent: 0, small })
        const all = await sendClip({ ...small, kind, form }, onProgress)
        if (latest.current.some((each) => each.name === name)) setStored(all)
        // Taken back meanwhile.
        else await Promise.all(all.filter(({ id }) => !stored.some((each) => each.id === id)).map(({ id }) => removeStored(id)))
        show(latest.current.filter((each) => each.name !== name))
      } catch (error) {
        const reason = error instanceof ClipNotSent ? error.message : m.profile_picture_line()
        change(name, { state: 'failed', reason, isLineDead: error instanceof ClipNotSent && error.isLineDead })
      }
    },
    [change, form, show, stored],
  )
  useEffect(() => {
    const again = () => latest.current.filter(({ state, isLineDead }) => state === 'failed' && isLineDead).forEach((clip) => void go(clip))
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [go])

  const add = (file: Blob, kind: ClipKind) => {
    const clip: ClipOnItsWay = { name: `clip-${count++}`, kind, state: 'making', percent: 0, reason: '', isLineDead: false, file }
    show([...latest.current.filter((each) => each.state !== 'failed' || each.isLineDead), clip])
    void go(clip)
  }
  const drop = (name: string) => show(latest.current.filter((clip) => clip.name !== name))
  const remove = async (id: number) => {
    if (await removeStored(id)) setStored((all) => all.filter((clip) => clip.id !== id))
  }
  return { stored, moving, add, retry: go, drop, remove, isBusy: moving.some(({ state }) => state !== 'failed') }
}

async function prepare(file: Blob, kind: ClipKind, onProgress: (percent: number) => void) {
  const { madeSmall } = await import('./make-small.ts')
  const blob = await madeSmall(file, kind, onProgress)
  if (blob.size > clipLimits[kind].bytes) throw new ClipNotSent(kind === 'video' ? m.field_clip_large() : m.field_voice_large(), false)
  return { blob, still: kind === 'video' ? await makeStill(blob) : null }
}

async function removeStored(id: number): Promise<boolean> {
  const gone = await send('DELETE', `/api/v1/listing-draft/clip/id=${id}`).catch(() => null)
  return gone !== null && (gone.ok || gone.status === 404)
}
