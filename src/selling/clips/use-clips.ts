import { useState } from 'react'
import { readFiles } from '#src/kit/device/read-file.ts'
import { send } from '#src/kit/http/post-json.ts'
import { clipLimits, type ClipKind } from '#src/kit/media/clips/clip-limits.ts'
import type { ShownClip } from '#src/listings/clips/clip-wire.server.ts'
import { m } from '#src/paraglide/messages.js'
import { useFileList, useRetryOnline } from '#src/selling/photos/use-file-list.ts'
import type { SmallClip } from '#src/selling/unsent/queue.ts'
import { makeStill } from './make-still.ts'
import { ClipNotSent, sendClip } from './send-clip.ts'
import { useClipToPhone, type ClipsOf } from './use-clips-on-phone.ts'

/** A clip whose upload is running or has failed. */
export interface ClipOnItsWay {
  name: string
  kind: ClipKind
  state: 'making' | 'sending' | 'failed'
  percent: number
  reason: string
  isLineDead: boolean
  /** The sound cannot be read here, and the person may send the clip without it. */
  canMute?: boolean
  isMuted?: boolean
  file: Blob
  /** The re-encoded clip with its still, once it is ready. */
  small?: SmallClip
}

let count = 0

/** The clips of a form: those waiting on the server, and a queue that uploads one at a time. Without a connection the outbox takes them. */
export function useClips(of: ClipsOf & { waiting: readonly ShownClip[] }) {
  const { form, waiting } = of
  const [stored, setStored] = useState(waiting)
  const list = useFileList<ClipOnItsWay>()
  const { files: moving, latest, show, change, drop, has } = list
  const toPhone = useClipToPhone(of)
  /** The outbox takes a clip that was not sent, or the page shows why not. */
  const settle = async ({ name, kind }: ClipOnItsWay, small: SmallClip | undefined, error: unknown) => {
    const failure = error instanceof ClipNotSent ? error : new ClipNotSent(m.profile_picture_line(), true)
    const { isLineDead, upload, canMute } = failure
    if (!has(name)) return
    const reason = isLineDead && small ? await toPhone({ ...small, kind, upload }) : failure.message
    if (reason === null) drop(name)
    else change(name, { state: 'failed', isLineDead, canMute, reason })
  }
  const upload = async (clip: ClipOnItsWay) => {
    const { name, kind, file } = clip
    let { small } = clip
    const onProgress = (percent: number) => change(name, { percent })
    try {
      change(name, { state: 'making', percent: 0, reason: '' })
      small ??= await prepareClip(file, kind, onProgress, clip.isMuted)
      change(name, { state: 'sending', percent: 0, small })
      const all = await sendClip({ ...small, kind, form }, onProgress)
      if (has(name)) setStored(all)
      // The person removed it during the upload.
      else await Promise.all(all.filter(({ id }) => !stored.some((each) => each.id === id)).map(({ id }) => removeStored(id)))
      drop(name)
    } catch (error) {
      await settle(clip, small, error)
    }
  }
  useRetryOnline(list, (failed) => failed.forEach((clip) => void upload(clip)))

  const add = (file: Blob, kind: ClipKind) => {
    const clip: ClipOnItsWay = { name: `clip-${count++}`, kind, state: 'making', percent: 0, reason: '', isLineDead: false, file }
    show([...latest.current.filter((each) => each.state !== 'failed' || each.isLineDead), clip])
    void upload(clip)
  }
  const remove = async (id: number) => {
    if (await removeStored(id)) setStored((all) => all.filter((clip) => clip.id !== id))
  }
  /** The outbox has sent a clip of this form. */
  const readAgain = async () => {
    const all = await readStored(form)
    if (all) setStored(all)
  }
  return { stored, moving, add, retry: upload, drop, remove, readAgain, isBusy: moving.some(({ state }) => state !== 'failed') }
}

/** Re-encodes the clip and makes its still. Throws ClipNotSent. */
export async function prepareClip(file: Blob, kind: ClipKind, onProgress: (percent: number) => void, isMuted = false): Promise<SmallClip> {
  // Offline the script may be missing, and after a release it is. A clip that was recorded here is small already.
  const script = await import('./make-small.ts').catch(() => null)
  if (!script && file instanceof File) throw new ClipNotSent(m.part_missing(), true)
  const small = script ? await script.madeSmall(file, { kind, onProgress, isMuted }) : file
  const blob = small === file ? await readClip(file, kind) : small
  if (blob.size > clipLimits[kind].bytes) throw new ClipNotSent(kind === 'video' ? m.field_clip_large() : m.field_voice_large(), false)
  return { blob, still: kind === 'video' ? await makeStill(blob) : null }
}

/** A clip that was not re-encoded is read now: the file may change before it is sent. A large one is refused, and its first byte is enough. */
async function readClip(file: Blob, kind: ClipKind): Promise<Blob> {
  const part = file.size > clipLimits[kind].bytes ? file.slice(0, 1) : file
  const name = file instanceof File ? file.name : ''
  const [read] = await readFiles([new File([part], name, { type: file.type })])
  if (!(read instanceof File)) throw new ClipNotSent(read!.message, false)
  return part === file ? read : file
}

async function removeStored(id: number): Promise<boolean> {
  const gone = await send('DELETE', `/api/v1/listing-draft/clip/id=${id}`).catch(() => null)
  return gone !== null && (gone.ok || gone.status === 404)
}

/** Null when no server answers. */
async function readStored(form: string): Promise<ShownClip[] | null> {
  const headers = { 'Accept-Language': document.documentElement.lang }
  const path = `/api/v1/listing-draft?form=${encodeURIComponent(form)}`
  const response = await fetch(path, { cache: 'no-store', headers }).catch(() => null)
  return response?.ok ? ((await response.json()) as { clips: ShownClip[] }).clips : null
}
