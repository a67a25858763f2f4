import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { send } from '#src/kit/http/post-json.ts'
import { DETAIL_WIDTH } from '#src/kit/media/media-url.ts'
import { isHeic, sendPicture, shrunk } from '#src/kit/device/send-picture.ts'
import { m } from '#src/paraglide/messages.js'
import { MAX_PHOTOS } from '#src/listings/listing-questions.ts'
import type { DraftPhoto } from '#src/selling/form/drafts.server.ts'
import type { Typed } from '#src/selling/form/draft-fields.ts'
import type { Opened } from '#src/selling/later/waiting-listing.ts'
import { photoShelf } from './photo-shelf.ts'

/** A picture of the form: in the server's draft, or on its way there. */
export interface FormPhoto {
  name: string
  /** The address of its preview. */
  url: string
  state: 'waiting' | 'sending' | 'stored' | 'failed'
  percent: number
  /** Why it failed. */
  reason: string
  /** No answer: retried automatically when back online. */
  isLineDead: boolean
  /** The file itself was refused: a retry would be refused again. It is no photo of the listing, and goes when another is added. */
  isUseless?: boolean
  stored?: DraftPhoto
  blob?: Blob
}

/** Those that are photos of the listing, or will be. */
export const usable = (photos: FormPhoto[]) => photos.filter(({ isUseless }) => !isUseless)

/** The main photo stands first; without one, the first. */
export const mainFirst = (photos: FormPhoto[], { mainPhoto }: Typed): FormPhoto[] =>
  mainPhoto ? photos.toSorted((a, b) => Number(String(b.stored?.id) === mainPhoto) - Number(String(a.stored?.id) === mainPhoto)) : photos

/** All three together stay below 600 KB: a listing is sent over lines that are paid by the megabyte. The first is the one to zoom into. */
const FIRST_BYTES = 240_000
const OTHER_BYTES = 130_000

const PHOTO_PATH = '/api/v1/listing-draft/photo'
let count = 0
/** Sorts as they came. */
const newName = () => `${Date.now().toString(36)}-${String(count++).padStart(4, '0')}`

const fromServer = (photo: DraftPhoto): FormPhoto => ({
  name: `stored-${photo.id}`,
  url: `/media/${photo.key}-320.jpg`,
  state: 'stored',
  percent: 100,
  reason: '',
  isLineDead: false,
  stored: photo,
})

/** The pictures as rendered, and the latest: what runs between two renderings reads the latter. */
function usePhotoList(stored: DraftPhoto[]) {
  const [photos, setPhotos] = useState<FormPhoto[]>(() => stored.map(fromServer))
  const latest = useRef(photos)
  const show = useCallback((next: FormPhoto[]) => {
    latest.current = next
    setPhotos(next)
  }, [])
  const change = useCallback(
    (name: string, to: Partial<FormPhoto>) => show(latest.current.map((photo) => (photo.name === name ? { ...photo, ...to } : photo))),
    [show],
  )
  return { photos, latest, show, change }
}

interface Uploading {
  list: ReturnType<typeof usePhotoList>
  shelf: RefObject<ReturnType<typeof photoShelf>>
}

/** One at a time: a slow connection shared by three completes none of them. */
function useUploads({ list: { latest, show, change }, shelf, csrf }: Uploading & { csrf: string }) {
  const isSending = useRef(false)
  return useCallback(async () => {
    if (isSending.current) return
    isSending.current = true
    for (;;) {
      const next = latest.current.find(({ state }) => state === 'waiting')
      if (!next) break
      change(next.name, { state: 'sending', percent: 0 })
      const onProgress = (percent: number) => change(next.name, { percent })
      const sent = await sendPicture<{ photos: DraftPhoto[] }>(next.blob!, { path: PHOTO_PATH, csrf, onProgress })
      // Removed meanwhile: then from the server, too.
      const isWanted = latest.current.some(({ name }) => name === next.name)
      if (sent.isStored) {
        const known = new Set(latest.current.flatMap((photo) => (photo.stored ? [photo.stored.id] : [])))
        const mine = sent.answer.photos.find(({ id }) => !known.has(id))
        if (!isWanted) {
          if (mine) void send('DELETE', `${PHOTO_PATH}/id=${mine.id}`).catch(() => {})
        } else if (mine) change(next.name, { state: 'stored', percent: 100, stored: mine })
        // The same picture twice is one.
        else show(latest.current.filter(({ name }) => name !== next.name))
        void shelf.current.remove(next.name)
      } else if (isWanted)
        change(next.name, {
          state: 'failed',
          reason: sent.reason,
          isLineDead: sent.status === 0 || sent.status >= 500 || sent.status === 429,
          isUseless: [413, 415, 422].includes(sent.status),
        })
    }
    isSending.current = false
  }, [change, csrf, latest, shelf, show])
}

/** Pictures that a closed page had not uploaded, and those that waited for the connection. */
function useUnsent({
  list: { latest, show },
  shelf,
  work,
  retry,
  whenOpened,
}: Uploading & { work: () => Promise<void>; retry: () => void; whenOpened: () => Promise<Opened> }) {
  useEffect(() => {
    void whenOpened().then(async ({ isFresh, elsewhere }) => {
      if (isFresh) await shelf.current.clear()
      const left = await shelf.current.all()
      show(latest.current.filter(({ stored }) => !stored || (!isFresh && !elsewhere.includes(stored.id))))
      const room = left.slice(0, Math.max(0, MAX_PHOTOS - usable(latest.current).length))
      if (room.length === 0) return
      show([
        ...latest.current,
        ...room.map(({ name, picture }): FormPhoto => ({
          name,
          url: URL.createObjectURL(picture),
          state: 'waiting',
          percent: 0,
          reason: '',
          isLineDead: false,
          blob: picture,
        })),
      ])
      void work()
    })
    const again = () => latest.current.some(({ isLineDead, state }) => isLineDead && state === 'failed') && retry()
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [latest, retry, shelf, show, whenOpened, work])
}

/** Takes a picture off the form, this phone, and the server's draft. */
function removal({ list: { latest, show }, shelf, setNotice }: Uploading & { setNotice: (text: string) => void }) {
  return async (photo: FormPhoto) => {
    setNotice('')
    show(latest.current.filter(({ name }) => name !== photo.name))
    void shelf.current.remove(photo.name)
    if (!photo.stored) return
    const gone = await send('DELETE', `${PHOTO_PATH}/id=${photo.stored.id}`).catch(() => null)
    // A picture that is not deleted must not seem deleted here.
    if (!gone || (!gone.ok && gone.status !== 404)) {
      show([...latest.current, photo])
      setNotice(m.sell_photo_not_removed())
    }
  }
}

/** The pictures of the sell form, uploaded one after the other as they are taken. */
export function usePhotos({
  ownerId,
  csrf,
  stored,
  whenOpened,
}: {
  ownerId: number
  csrf: string
  stored: DraftPhoto[]
  whenOpened: () => Promise<Opened>
}) {
  const list = usePhotoList(stored)
  const { photos, latest, show, change } = list
  const [notice, setNotice] = useState('')
  const shelf = useRef(photoShelf(ownerId))
  const work = useUploads({ list, shelf, csrf })
  const add = useCallback(
    async (files: File[]) => {
      setNotice('')
      show(latest.current.filter(({ isUseless }) => !isUseless))
      for (const file of files) {
        if (usable(latest.current).length >= MAX_PHOTOS) {
          setNotice(m.problem_too_many_images())
          break
        }
        const name = newName()
        const url = URL.createObjectURL(file)
        show([...latest.current, { name, url, state: 'sending', percent: 0, reason: '', isLineDead: false }])
        const blob = await shrunk(file, DETAIL_WIDTH, usable(latest.current).length > 1 ? OTHER_BYTES : FIRST_BYTES)
        const isUnreadable = await isHeic(blob)
        change(name, isUnreadable ? { state: 'failed', reason: m.sell_photo_heic(), isUseless: true } : { blob, state: 'waiting' })
        if (isUnreadable) continue
        const isOnPhone = await shelf.current.put(name, blob)
        // Plain http has no store at all.
        if (!isOnPhone && globalThis.caches) setNotice(m.sell_photo_full())
        void work()
      }
    },
    [change, latest, show, work],
  )

  const retry = useCallback(
    (name?: string) => {
      show(
        latest.current.map((photo) =>
          photo.state === 'failed' && (!name || photo.name === name) ? { ...photo, state: 'waiting' } : photo,
        ),
      )
      void work()
    },
    [latest, show, work],
  )

  const remove = (photo: FormPhoto) => removal({ list, shelf, setNotice })(photo)
  useUnsent({ list, shelf, work, retry, whenOpened })

  /** For a fresh start. */
  const clear = useCallback(() => {
    show([])
    return shelf.current.clear()
  }, [show])

  return { photos, notice, add, retry, remove, clear }
}
export type Photos = ReturnType<typeof usePhotos>
