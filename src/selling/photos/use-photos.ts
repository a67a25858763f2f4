import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { send } from '#src/kit/http/post-json.ts'
import { DETAIL_WIDTH } from '#src/kit/media/media-url.ts'
import { FileUnread, readFiles } from '#src/kit/device/read-file.ts'
import { isHeic, sendPicture, shrunk } from '#src/kit/device/send-picture.ts'
import { m } from '#src/paraglide/messages.js'
import { MAX_PHOTOS } from '#src/listings/fields/listing-questions.ts'
import type { DraftPhoto } from '#src/selling/unsent/drafts.server.ts'
import type { Typed } from '#src/selling/unsent/draft-fields.ts'
import type { Opened } from '#src/selling/unsent/queue.ts'
import { goneRefs, listedRef, readRef } from '#src/selling/unsent/photo-refs.ts'
import { photoStore } from '#src/selling/unsent/store.ts'
import type { ListingPhoto } from './photos.server.ts'
import { useFileList, useRetryOnline } from './use-file-list.ts'

/** A photo of the form: the edited listing has it, the server's draft has it, or it is on its way there. */
export interface FormPhoto {
  name: string
  /** Once the server has it (photo-refs.ts). */
  ref?: string
  /** The address of its preview. */
  url: string
  state: 'waiting' | 'sending' | 'stored' | 'failed'
  percent: number
  /** The reason why it failed. */
  reason: string
  /** No answer: retried automatically when back online. */
  isLineDead: boolean
  /** The file itself was refused: a retry would be refused again. It is no photo of the listing, and goes when another is added. */
  isUseless?: boolean
  stored?: DraftPhoto
  blob?: Blob
}

/** The seller removed it and can bring it back. */
export const isGone = ({ ref }: FormPhoto, { gonePhotos }: Typed): boolean => ref !== undefined && goneRefs(gonePhotos).includes(ref)

/** The edited listing does not have it yet. */
export const isNew = ({ ref }: FormPhoto): boolean => ref === undefined || !readRef(ref)!.isListed

/** The photos that the listing will have. */
export const usable = (photos: FormPhoto[], typed: Typed): FormPhoto[] =>
  photos.filter((photo) => !photo.isUseless && !isGone(photo, typed))

/** The main photo first; without one, the first. Removed photos come last. */
export const mainFirst = (photos: FormPhoto[], typed: Typed): FormPhoto[] => {
  const place = (photo: FormPhoto) => (isGone(photo, typed) ? 2 : photo.ref !== undefined && photo.ref === typed.mainPhoto ? 0 : 1)
  return photos.toSorted((a, b) => place(a) - place(b))
}

/** All three together stay below 600 KB: a listing is sent over lines that are paid by the megabyte. The first is the one to zoom into. */
const FIRST_BYTES = 240_000
const OTHER_BYTES = 130_000

const PHOTO_PATH = '/api/v1/listing-draft/photo'
const pathFor = (listingId: number | undefined) => (listingId === undefined ? PHOTO_PATH : `${PHOTO_PATH}?listing=${listingId}`)
let count = 0
/** Sorts as they came. */
const newName = () => `${Date.now().toString(36)}-${String(count++).padStart(4, '0')}`

const started = { percent: 0, reason: '', isLineDead: false }
const arrived = { ...started, state: 'stored' as const, percent: 100 }

const fromServer = (photo: DraftPhoto): FormPhoto => ({
  ...arrived,
  name: `stored-${photo.id}`,
  ref: String(photo.id),
  url: `/media/${photo.key}-320.jpg`,
  stored: photo,
})

const fromListing = ({ id, key }: ListingPhoto): FormPhoto => ({
  ...arrived,
  name: listedRef(id),
  ref: listedRef(id),
  url: `/media/${key}-320.jpg`,
})

const uselessPhoto = (reason: string): FormPhoto => ({ ...started, name: newName(), url: '', state: 'failed', reason, isUseless: true })

interface Uploading {
  list: ReturnType<typeof useFileList<FormPhoto>>
  store: RefObject<ReturnType<typeof photoStore>>
}

/** One at a time: a slow connection shared by three completes none of them. */
function useUploads({ list: { latest, change, drop, has }, store, path }: Uploading & { path: string }) {
  const isSending = useRef(false)
  return useCallback(async () => {
    if (isSending.current) return
    isSending.current = true
    for (;;) {
      const next = latest.current.find(({ state }) => state === 'waiting')
      if (!next) break
      change(next.name, { state: 'sending', percent: 0 })
      const onProgress = (percent: number) => change(next.name, { percent })
      const sent = await sendPicture<{ photos: DraftPhoto[] }>(next.blob!, { path, onProgress })
      // Removed meanwhile: then from the server, too.
      const isWanted = has(next.name)
      if (sent.isStored) {
        const known = new Set(latest.current.flatMap((photo) => (photo.stored ? [photo.stored.id] : [])))
        const mine = sent.answer.photos.find(({ id }) => !known.has(id))
        if (!isWanted) {
          if (mine) void send('DELETE', `${PHOTO_PATH}/id=${mine.id}`).catch(() => {})
        } else if (mine) change(next.name, { state: 'stored', percent: 100, stored: mine, ref: String(mine.id) })
        // The same picture twice is one.
        else drop(next.name)
        void store.current.remove(next.name)
      } else if (isWanted)
        change(next.name, {
          state: 'failed',
          reason: sent.reason,
          isLineDead: sent.status === 0 || sent.status >= 500 || sent.status === 429,
          isUseless: [413, 415, 422].includes(sent.status),
        })
    }
    isSending.current = false
  }, [change, drop, has, latest, path, store])
}

/** Pictures that a closed page had not uploaded. */
function useUnsent({
  list: { latest, show },
  store,
  work,
  whenOpened,
  usableNow,
}: Uploading & { work: () => Promise<void>; whenOpened: () => Promise<Opened>; usableNow: () => FormPhoto[] }) {
  useEffect(() => {
    void whenOpened().then(async ({ isFresh, elsewhere }) => {
      if (isFresh) await store.current.clear()
      const left = await store.current.all()
      show(latest.current.filter(({ stored }) => !stored || (!isFresh && !elsewhere.includes(stored.id))))
      const room = left.slice(0, Math.max(0, MAX_PHOTOS - usableNow().length))
      if (room.length === 0) return
      show([
        ...latest.current,
        ...room.map(({ name, picture }): FormPhoto => ({
          ...started,
          name,
          url: URL.createObjectURL(picture),
          state: 'waiting',
          blob: picture,
        })),
      ])
      void work()
    })
  }, [latest, store, show, usableNow, whenOpened, work])
}

/** Takes a picture off the form, this phone, and the server's draft. */
function removal({ list: { latest, show, drop }, store, setNotice }: Uploading & { setNotice: (text: string) => void }) {
  return async (photo: FormPhoto) => {
    setNotice('')
    drop(photo.name)
    void store.current.remove(photo.name)
    if (!photo.stored) return
    const gone = await send('DELETE', `${PHOTO_PATH}/id=${photo.stored.id}`).catch(() => null)
    // A picture that is not deleted must not seem deleted here.
    if (!gone || (!gone.ok && gone.status !== 404)) {
      show([...latest.current, photo])
      setNotice(m.sell_photo_not_removed())
    }
  }
}

interface Adding extends Uploading {
  setNotice: (text: string) => void
  usableNow: () => FormPhoto[]
}

/** Shows the photo at once, then makes it smaller and stores it on the phone. Returns false when the browser cannot read it. */
async function addPhoto({ list: { latest, show, change }, store, setNotice, usableNow }: Adding, file: File): Promise<boolean> {
  const name = newName()
  const url = URL.createObjectURL(file)
  show([...latest.current, { ...started, name, url, state: 'sending' }])
  const blob = await shrunk(file, DETAIL_WIDTH, usableNow().length > 1 ? OTHER_BYTES : FIRST_BYTES)
  const isUnreadable = await isHeic(blob)
  change(name, isUnreadable ? { state: 'failed', reason: m.sell_photo_heic(), isUseless: true } : { blob, state: 'waiting' })
  if (isUnreadable) return false
  const isOnPhone = await store.current.put(name, blob)
  // Plain http has no store at all.
  if (!isOnPhone && globalThis.caches) setNotice(m.sell_photo_full())
  return true
}

interface PhotosOf {
  ownerId: number
  /** Set in the edit form: the listing, and the photos that it has. */
  listing?: { id: number; photos: ListingPhoto[] }
  /** Photos in the server's draft of this form. */
  stored: DraftPhoto[]
  whenOpened: () => Promise<Opened>
  /** The form's answers as they are now; rendered ones may be a moment behind. */
  typedNow: () => Typed
}

/** The photos of the sell form or the edit form. New ones are uploaded one after the other as they are taken. */
export function usePhotos({ ownerId, listing, stored, whenOpened, typedNow }: PhotosOf) {
  const list = useFileList(() => [...(listing?.photos ?? []).map(fromListing), ...stored.map(fromServer)])
  const { files: photos, latest, show } = list
  const [notice, setNotice] = useState('')
  const store = useRef(photoStore({ ownerId, listingId: listing?.id }))
  const work = useUploads({ list, store, path: pathFor(listing?.id) })
  const usableNow = useCallback(() => usable(latest.current, typedNow()), [latest, typedNow])
  const add = useCallback(
    async (files: File[]) => {
      setNotice('')
      // A new photo takes the place of a removed one: from now on only the listing's own photos can be brought back.
      const replaced = latest.current.filter((photo) => photo.isUseless || (photo.stored && isGone(photo, typedNow())))
      await Promise.all(replaced.map(removal({ list, store, setNotice })))
      for (const file of await readFiles(files.slice(0, 2 * MAX_PHOTOS))) {
        if (file instanceof FileUnread) show([...latest.current, uselessPhoto(file.message)])
        else if (usableNow().length >= MAX_PHOTOS) return setNotice(m.problem_too_many_images())
        else if (await addPhoto({ list, store, setNotice, usableNow }, file)) void work()
      }
    },
    // oxlint-disable-next-line react/exhaustive-deps -- `list` is new at each rendering; its parts are not
    [latest, show, typedNow, usableNow, work],
  )

  const retry = useCallback(
    (name?: string) => {
      show(
        latest.current.map((photo) =>
          photo.state === 'failed' && !photo.isUseless && (!name || photo.name === name) ? { ...photo, state: 'waiting' } : photo,
        ),
      )
      void work()
    },
    [latest, show, work],
  )

  const remove = (photo: FormPhoto) => removal({ list, store, setNotice })(photo)
  useUnsent({ list, store, work, whenOpened, usableNow })
  useRetryOnline(list, () => retry())

  /** For a fresh start. */
  const clear = useCallback(() => {
    show([])
    return store.current.clear()
  }, [show])

  return { photos, notice, add, retry, remove, clear }
}
export type Photos = ReturnType<typeof usePhotos>
