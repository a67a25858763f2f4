import { LINK, type Deliver, type Delivery, type Note, type Waiting } from '#src/content/offline/outbox/outbox.ts'
import { NOBODY, OWNER_HEADER } from '#src/content/offline/names.ts'
import type { LaterUpload } from '#src/kit/device/send-later.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { readToken } from './owner.ts'
import { findUpload, uploadFile } from './upload-file.ts'

const AGAIN: Delivery = { kind: 'again' }
const LOGIN: Delivery = { kind: 'login' }

/** Sends one act as its page would have done, with a current token: the worker's own, or the asking page's. */
export const deliverWith =
  (pageToken: string | undefined): Deliver =>
  async (act, note) => {
    try {
      const csrf = await freshToken(act.owner, pageToken)
      if (csrf === null) return LOGIN
      const now = await sendParts(act, csrf, note)
      if ('kind' in now) return now
      if (act.upload) return await deliverUpload(act as Waiting & { upload: LaterUpload }, csrf, note)
      const response = await fetch(act.path, { method: act.method, ...(act.fields ? asForm(act, csrf) : asCall(act, csrf)) })
      const delivery = await readDelivery(act, response)
      if (delivery.kind !== 'refused' || !delivery.errors?.waiting || now.fresh) return delivery
      // The server no longer has the earlier parts: send everything again.
      await note({ parts: act.parts!.map((part) => ({ ...part, isSent: false })) })
      return AGAIN
    } catch {
      return AGAIN
    }
  }

/** Sends the parts that the act depends on. Returns a refusal, or whether all parts were sent just now. */
async function sendParts(act: Waiting, csrf: string, note: Note): Promise<Delivery | { fresh: boolean }> {
  const parts = [...(act.parts ?? [])]
  const fresh = parts.every(({ isSent }) => !isSent)
  for (const [n, part] of parts.entries()) {
    if (part.isSent) continue
    const body = new FormData()
    body.set('image', part.picture, 'picture')
    const headers = { 'X-CSRFToken': csrf, 'Accept-Language': act.locale }
    const delivery = await readDelivery(act, await fetch(part.path, { method: 'POST', headers, body }))
    if (delivery.kind !== 'sent') return delivery
    parts[n] = { ...part, isSent: true }
    await note({ parts: [...parts] })
  }
  return { fresh }
}

/** Uploads the file of the act, then calls with its fields. A lost answer costs nothing: the same upload is one clip. */
async function deliverUpload(act: Waiting & { upload: LaterUpload }, csrf: string, note: Note): Promise<Delivery> {
  const noteId = (id: string | undefined) => note({ upload: { blob: act.upload.blob, ...(id !== undefined && { id }) } })
  const uploaded = await uploadFile(act.upload, csrf, noteId)
  if (uploaded.refused) return readDelivery(act, uploaded.refused)
  const body = new FormData()
  // The caption may have been written during the upload.
  const { fields, files } = await note({})
  for (const [name, value] of fields ?? []) body.append(name, value)
  for (const [name, picture] of files ?? []) body.append(name, picture, 'picture')
  body.append('upload', uploaded.id)
  const response = await fetch(act.path, { method: 'POST', headers: { 'X-CSRFToken': csrf, 'Accept-Language': act.locale }, body })
  if (response.status !== 404) return readDelivery(act, response)
  // The listing is gone, or the upload is: the server deletes it after a day.
  const found = await findUpload(uploaded.id)
  if (found.ok) return { kind: 'refused', reason: m.offline_act_no_listing({}, { locale: act.locale as Locale }) }
  if (found.status === 404) await noteId(undefined)
  return AGAIN
}

/** Null when the act needs its owner's login, and nobody or another person is logged in, or that is unknown. */
async function freshToken(owner: string, pageToken: string | undefined): Promise<string | null> {
  const response = await fetch('/api/v1/csrf', { cache: 'no-store' })
  if (owner !== LINK && (response.headers.get(OWNER_HEADER) ?? NOBODY) !== owner) return null
  return (await readToken()) ?? pageToken ?? null
}

const asCall = ({ body, locale }: Waiting, csrf: string): RequestInit => ({
  headers: {
    'X-CSRFToken': csrf,
    'Accept-Language': locale,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  },
  ...(body !== undefined && { body: JSON.stringify(body) }),
})

/** An accepted form redirects; the target does not matter here. */
function asForm({ fields, files }: Waiting, csrf: string): RequestInit {
  const typed: [string, string][] = [...fields!.filter(([name]) => name !== 'csrf'), ['csrf', csrf]]
  if (!files) return { body: new URLSearchParams(typed), redirect: 'manual' }
  const body = new FormData()
  for (const [name, value] of typed) body.append(name, value)
  for (const [name, picture] of files) body.append(name, picture, 'picture')
  return { body, redirect: 'manual' }
}

async function readDelivery(act: Waiting, response: Response): Promise<Delivery> {
  const { status, type, ok } = response
  if (ok || type === 'opaqueredirect') return { kind: 'sent' }
  if (status === 401) return LOGIN
  if (status === 408 || status === 429 || status >= 500) return AGAIN
  const text = await response.text()
  if (act.fields && !act.upload) return { kind: 'refused', reason: reasonIn(text) }
  const { code, detail, fields } = JSON.parse(text) as { code?: string; detail?: string; fields?: { field: string; message: string }[] }
  if (code === 'CSRF_REJECTED') return AGAIN
  const errors = fields && Object.fromEntries(fields.map(({ field, message }) => [field, message]))
  return { kind: 'refused', reason: fields?.[0]?.message ?? detail ?? '', ...(errors && { errors }) }
}

/**
 * The reason why a form was refused, as its page says it: the form's failure, else the error of its first wrong
 * field, else the title of an error page.
 */
const reasonIn = (html: string) =>
  textOf(/role="alert"[^>]*>([\s\S]*?)<\/(?:p|div)>/.exec(html)) ||
  textOf(/id="[\w-]+-error"[^>]*>([\s\S]*?)<\/p>/.exec(html)) ||
  textOf(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html))

const textOf = (found: RegExpExecArray | null) =>
  (found?.[1] ?? '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .trim()
