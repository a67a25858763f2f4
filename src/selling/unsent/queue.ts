import { askWorker } from '#src/kit/device/ask-worker.ts'
import { takeRefusedAct } from '#src/kit/device/refused-act.ts'
import { sendLater, type LaterAct, type LaterUpload, type Stored } from '#src/kit/device/send-later.ts'
import { readCsrf } from '#src/kit/http/post-json.ts'
import type { ClipKind } from '#src/kit/media/clips/clip-limits.ts'
import { sizeText } from '#src/listings/clips/clip-text.ts'
import { m } from '#src/paraglide/messages.js'
import type { Typed } from './draft-fields.ts'
import { isDone, noteDone } from './store.ts'

/* Browser code: listings, changes and clips that wait in the service worker's outbox (decisions 0070, 0108, 0109). */

/** A picture's place: in the draft on the server, or at its position among the waiting pictures. */
export type PlacedPhoto = { stored: number } | { at: number }

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
    changed()
  }
  return stored
}

/** Call it after the form has taken the listing over. */
export async function forgetCorrected({ n }: ListingAct): Promise<void> {
  await askWorker({ ask: 'discard', n })
  changed()
}

/** Takes a refused edit out of the outbox, for the form in which the seller corrects it. */
export async function takeRefusedChange(): Promise<{ fields: [string, string][]; photos: File[] } | null> {
  const act = await takeRefusedAct('edit')
  if (!act) return null
  const photos = (act.files ?? []).map(([, picture]) => new File([picture], 'photo.jpg', { type: picture.type || 'image/jpeg' }))
  return { fields: act.fields ?? [], photos }
}

export interface ClipAct extends LaterAct {
  n: number
  kind: ClipKind
  state: 'waiting' | 'refused' | 'sent'
  upload?: LaterUpload
  reason?: string
}

/** The form of a listing: its key, the animal's name, and for an edit form the listing's version that it shows. */
export interface ClipForm {
  form: string
  name?: string | undefined
  version?: string | undefined
}

const pathOf = (form: string) => `/api/v1/listing-draft/clip?form=${encodeURIComponent(form)}`
const wordsOf = (name: string | undefined, { size }: Blob) => [name, sizeText(size)].filter(Boolean).join(' · ')
const changed = () => dispatchEvent(new Event('acts-changed'))

/** The form's clips in the outbox, also those that were sent today. */
export async function listClipActs(form: string): Promise<ClipAct[]> {
  const acts = (await askWorker<ClipAct[]>({ ask: 'acts' })) ?? []
  return acts.filter(({ kind, follows }) => (kind === 'video' || kind === 'voice') && follows === form)
}

/** A re-encoded clip with its still. */
export interface SmallClip {
  blob: Blob
  still: Blob | null
}

export interface ClipForPhone extends SmallClip {
  kind: ClipKind
  /** The id of an upload that has begun. */
  upload: string | undefined
}

/** Puts a clip into the outbox. Null when no worker runs or nobody is known to be logged in. */
export async function putClipOnPhone(
  { form, name, version }: ClipForm,
  { kind, blob, still, upload }: ClipForPhone,
): Promise<Stored | null> {
  const stored = await sendLater({
    kind,
    method: 'POST',
    path: pathOf(form),
    follows: form,
    fields: [['kind', kind], ['caption', ''], ...(version ? [['version', version] satisfies [string, string]] : [])],
    ...(still && { files: [['still', still]] }),
    upload: { blob, ...(upload && { id: upload }) },
    words: wordsOf(name, blob),
    locale: document.documentElement.lang,
  })
  if (stored === 'stored') changed()
  return stored
}

export async function dropClipAct({ n }: ClipAct): Promise<void> {
  await askWorker({ ask: 'discard', n })
  changed()
}

export const captionIn = ({ fields }: ClipAct): string => fields?.find(([name]) => name === 'caption')?.[1] ?? ''

/** The caption travels with the clip, in case the form is sent before it. */
export const writeCaption = ({ n, fields }: ClipAct, caption: string) =>
  askWorker({ ask: 'revise', n, changes: { fields: fields?.map(([name, value]) => [name, name === 'caption' ? caption : value]) } })

/** The animal is often named after it was filmed. */
async function nameClips(form: string, name: string): Promise<void> {
  for (const { n, upload } of await listClipActs(form))
    if (upload) await askWorker({ ask: 'revise', n, changes: { words: wordsOf(name, upload.blob) } })
}

/** A refused listing goes on in the form under another key, and its clips with it. */
export async function moveClips(from: string, to: string): Promise<void> {
  for (const { n, state } of await listClipActs(from))
    if (state !== 'sent') await askWorker({ ask: 'revise', n, changes: { follows: to, path: pathOf(to) } })
}

/** For clips that could be sent now, although no page is opened and no connection comes back. */
export async function sendFromPhone(): Promise<void> {
  await askWorker({ ask: 'send', csrf: readCsrf() }, null)
  changed()
}

/** The form was emptied. One message, because the page may be about to go. */
export const discardClips = (form: string) => void askWorker({ ask: 'discardFollowers', name: form })
