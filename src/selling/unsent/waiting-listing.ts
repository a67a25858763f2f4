import { askWorker } from '#src/kit/device/ask-worker.ts'
import { OWN_ON_DEVICE } from '#src/kit/device/own-on-device.ts'
import { takeRefusedAct } from '#src/kit/device/refused-act.ts'
import { sendLater, type LaterAct, type Stored } from '#src/kit/device/send-later.ts'
import { m } from '#src/paraglide/messages.js'
import { nameClips } from './clips-on-phone.ts'
import type { Typed } from './draft-fields.ts'
import { storeValue, valueOnDevice } from '#src/kit/device/storage.ts'

/** Browser side of a listing that waits offline in the service worker's outbox (decision 0070). */

/**
 * The place of a picture: in the server's draft, or at a position among the pictures in the outbox
 * (waiting.server.ts).
 */
type PlacedPhoto = { stored: number } | { at: number }

interface ListingAct extends LaterAct {
  n: number
  state: 'waiting' | 'refused' | 'sent'
  body: { typed: Typed; photos: PlacedPhoto[] }
  reason?: string
  errors?: Record<string, string>
}

/** The form finds this in the outbox when it opens. */
export interface Opened {
  /** The form's content is in the outbox or was sent, so the form starts empty. */
  isFresh: boolean
  /** Ids of pictures in the server's draft that belong to waiting listings. */
  elsewhere: number[]
  /** A refused listing that the seller wants to correct. */
  toCorrect: ListingAct | null
}

export async function listWaiting(): Promise<ListingAct[]> {
  const acts = (await askWorker<ListingAct[]>({ ask: 'acts' })) ?? []
  return acts.filter(({ kind }) => kind === 'listing')
}

export async function openForm(key: string, ownerId: number): Promise<Opened> {
  const acts = await listWaiting()
  const wanted = Number(new URLSearchParams(location.search).get('waiting'))
  const toCorrect = acts.find(({ n, state }) => n === wanted && state !== 'sent') ?? null
  const others = acts.filter(({ n, state }) => state !== 'sent' && n !== toCorrect?.n)
  return {
    isFresh: isDone(ownerId, key) || acts.some(({ body }) => body.typed.key === key),
    elsewhere: others.flatMap(({ body }) => body.photos).flatMap((photo) => ('stored' in photo ? [photo.stored] : [])),
    toCorrect,
  }
}

interface FormPicture {
  name: string
  stored?: { id: number }
  blob?: Blob
}

/** Puts the listing into the outbox; `photos` in display order. Null when no worker runs, or a picture is not resized yet. */
export async function keepListing({
  typed,
  photos,
  species,
  ownerId,
}: {
  typed: Typed
  photos: readonly FormPicture[]
  species: string
  ownerId: number
}): Promise<Stored | null> {
  if (photos.some(({ stored, blob }) => !stored && !blob)) return null
  const unsent = photos.filter(({ stored }) => !stored)
  const parts = unsent.map(({ blob }, at) => ({
    path: `/api/v1/waiting-listing/photo?key=${encodeURIComponent(typed.key ?? '')}&at=${at}`,
    picture: blob!,
  }))
  const placed = photos.map((photo) => (photo.stored ? { stored: photo.stored.id } : { at: unsent.indexOf(photo) }))
  const animal = [species, typed.name].filter(Boolean).join(' · ')
  const stored = await sendLater({
    kind: 'listing',
    method: 'POST',
    path: '/api/v1/waiting-listing',
    // The form's clips follow it.
    ...(typed.key && { name: typed.key }),
    body: { typed, photos: placed },
    parts,
    correctAt: `${location.pathname}?waiting=`,
    words: `${animal}, ${m.offline_act_photos({ count: photos.length })}`,
    locale: document.documentElement.lang,
  })
  if (stored === 'stored') {
    noteDone(ownerId, typed.key ?? '')
    await nameClips(typed.key ?? '', animal)
    dispatchEvent(new Event('acts-changed'))
  }
  return stored
}

const discardWaiting = (n: number) => askWorker({ ask: 'discard', n })

/** Call it after the form has taken the listing over. */
export async function forgetCorrected({ n }: ListingAct): Promise<void> {
  await discardWaiting(n)
  dispatchEvent(new Event('acts-changed'))
}

const MOST_DONE = 50
const doneName = (ownerId: number) => `${OWN_ON_DEVICE}sell-done-${ownerId}`

function readDone(ownerId: number): string[] {
  const keys = valueOnDevice(doneName(ownerId))
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : []
}

/** Whether a listing with this key was submitted: a copy of the form on this phone may still hold it. */
const isDone = (ownerId: number, key: string) => readDone(ownerId).includes(key)

/** A full storage forgets it; the outbox itself still knows what waits. */
export function noteDone(ownerId: number, key: string): void {
  storeValue(doneName(ownerId), [...readDone(ownerId), key].slice(-MOST_DONE))
}

/** Takes a refused edit out of the outbox, for the form in which the seller corrects it. */
export async function takeRefusedChange(): Promise<{ fields: [string, string][]; photos: File[] } | null> {
  const act = await takeRefusedAct('edit')
  if (!act) return null
  const photos = (act.files ?? []).map(([, picture]) => new File([picture], 'photo.jpg', { type: picture.type || 'image/jpeg' }))
  return { fields: act.fields ?? [], photos }
}
