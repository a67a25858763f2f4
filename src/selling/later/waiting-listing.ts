import { askWorker } from '#src/kit/device/ask-worker.ts'
import { OWN_ON_DEVICE } from '#src/kit/device/own-on-device.ts'
import { sendLater, type LaterAct, type Stored } from '#src/kit/device/send-later.ts'
import { m } from '#src/paraglide/messages.js'
import type { Typed } from '#src/selling/form/draft-fields.ts'

/** In the browser: a listing that waits on this phone for a line, in the service worker's outbox (decision 0070). */

/** Where a picture of it is: in the server's draft, or its place among those that come with it (waiting.server.ts). */
type PlacedPhoto = { stored: number } | { at: number }

interface ListingAct extends LaterAct {
  n: number
  state: 'waiting' | 'refused' | 'sent'
  body: { typed: Typed; photos: PlacedPhoto[] }
  reason?: string
  errors?: Record<string, string>
}

/** What the form finds on this phone when it opens. */
export interface Opened {
  /** What stands in it waits already, or has been sent: the form is for another animal. */
  isFresh: boolean
  /** Pictures in the server's draft that belong to listings that wait. */
  elsewhere: number[]
  /** One that the market refused, and that the seller comes to correct. */
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

/** `photos` in the order in which they are shown. Null where no worker takes it, or a picture is not made small yet. */
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
  const stored = await sendLater({
    kind: 'listing',
    method: 'POST',
    path: '/api/v1/waiting-listing',
    body: { typed, photos: placed },
    parts,
    correctAt: `${location.pathname}?waiting=`,
    words: `${[species, typed.name].filter(Boolean).join(' · ')}, ${m.offline_act_photos({ count: photos.length })}`,
    locale: document.documentElement.lang,
  })
  if (stored === 'stored') {
    noteDone(ownerId, typed.key ?? '')
    dispatchEvent(new Event('acts-changed'))
  }
  return stored
}

const discardWaiting = (n: number) => askWorker({ ask: 'discard', n })

/** After the form has taken it over. */
export async function forgetCorrected({ n }: ListingAct): Promise<void> {
  await discardWaiting(n)
  dispatchEvent(new Event('acts-changed'))
}

const MOST_DONE = 50
const doneName = (ownerId: number) => `${OWN_ON_DEVICE}sell-done-${ownerId}`

function readDone(ownerId: number): string[] {
  try {
    const keys: unknown = JSON.parse(localStorage.getItem(doneName(ownerId)) ?? '[]')
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : []
  } catch {
    return []
  }
}

/** A copy of the form on this phone may still hold what was sent: by its key it is known. */
const isDone = (ownerId: number, key: string) => readDone(ownerId).includes(key)

export function noteDone(ownerId: number, key: string): void {
  try {
    localStorage.setItem(doneName(ownerId), JSON.stringify([...readDone(ownerId), key].slice(-MOST_DONE)))
  } catch {
    // A full phone: the outbox itself says what waits.
  }
}

/** The fields of a change that the market refused, and that the seller comes to correct; from here on the form has it. */
export async function takeRefusedChange(): Promise<[string, string][] | null> {
  const wanted = Number(new URLSearchParams(location.search).get('waiting'))
  if (!wanted) return null
  const acts = (await askWorker<{ n: number; kind: string; state: string; fields?: [string, string][] }[]>({ ask: 'acts' })) ?? []
  const act = acts.find(({ n, kind, state }) => n === wanted && kind === 'edit' && state === 'refused')
  if (!act?.fields) return null
  await discardWaiting(act.n)
  return act.fields
}
