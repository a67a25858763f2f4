import { askWorker } from '#src/kit/device/ask-worker.ts'
import { sendLater, type LaterAct, type LaterUpload, type Stored } from '#src/kit/device/send-later.ts'
import { readCsrf } from '#src/kit/http/post-json.ts'
import type { ClipKind } from '#src/kit/media/clips/clip-limits.ts'
import { sizeText } from '#src/listings/clips/clip-text.ts'

/** Browser side of a clip that waits offline in the service worker's outbox (decision 0109). */

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
export async function nameClips(form: string, name: string): Promise<void> {
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
  await askWorker({ ask: 'send', csrf: readCsrf() })
  changed()
}

/** The form was emptied. One message, because the page may be about to go. */
export const discardClips = (form: string) => void askWorker({ ask: 'discardFollowers', name: form })
