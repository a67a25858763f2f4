import { LINK, type Deliver, type Delivery, type Note, type Waiting } from '#src/content/offline/outbox/outbox.ts'
import type { LaterUpload } from '#src/kit/device/send-later.ts'
import { FOR_OUTBOX, isFromMarket, NOBODY, OWNER_HEADER } from '#src/kit/http/market-answer.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { readToken } from './owner.ts'
import { findUpload, uploadFile } from './upload-file.ts'

const OFFLINE: Delivery = { kind: 'offline' }
const LOGIN: Delivery = { kind: 'login' }
const BUSY: Delivery = { kind: 'again', delay: { why: 'busy' } }
const FOREIGN: Delivery = { kind: 'again', delay: { why: 'foreign' } }

/** Sends one act as its page would have done, with a current token: the worker's own, or the asking page's. */
export const deliverWith =
  (pageToken: string | undefined): Deliver =>
  async (act, note) => {
    try {
      const csrf = await freshToken(act.owner, pageToken)
      if (typeof csrf !== 'string') return csrf
      const now = await sendParts(act, csrf, note)
      if ('kind' in now) return now
      if (act.upload) return await deliverUpload(act as Waiting & { upload: LaterUpload }, csrf, note)
      const response = await fetch(act.path, { method: act.method, ...(act.fields ? asForm(act, csrf) : asCall(act, csrf)) })
      const delivery = await readDelivery(act, response)
      if (delivery.kind !== 'refused' || !delivery.errors?.waiting || now.fresh) return delivery
      // The server no longer has the earlier parts: send everything again.
      await note({ parts: act.parts!.map((part) => ({ ...part, isSent: false })) })
      return BUSY
    } catch {
      return OFFLINE
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
  if (response.status !== 404 || !isFromMarket(response)) return readDelivery(act, response)
  // The listing is gone, or the upload is: the server deletes it after a day.
  const found = await findUpload(uploaded.id)
  if (!isFromMarket(found)) return notFinal(found)
  if (found.ok) return { kind: 'refused', reason: m.offline_act_no_listing({}, { locale: act.locale as Locale }) }
  if (found.status === 404) await noteId(undefined)
  return BUSY
}

/** LOGIN when the act needs its owner's login, and nobody or another person is logged in, or that is unknown. */
async function freshToken(owner: string, pageToken: string | undefined): Promise<string | Delivery> {
  const response = await fetch('/api/v1/csrf', { cache: 'no-store' })
  if (!response.ok || !isFromMarket(response)) return notFinal(response)
  if (owner !== LINK && (response.headers.get(OWNER_HEADER) ?? NOBODY) !== owner) return LOGIN
  return (await readToken()) ?? pageToken ?? LOGIN
}

const notFinal = (response: Response): Delivery => (response.status >= 500 || isFromMarket(response) ? BUSY : FOREIGN)

const asCall = ({ body, locale }: Waiting, csrf: string): RequestInit => ({
  headers: {
    'X-CSRFToken': csrf,
    'Accept-Language': locale,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  },
  ...(body !== undefined && { body: JSON.stringify(body) }),
})

function asForm({ fields, files }: Waiting, csrf: string): RequestInit {
  const request: RequestInit = { headers: { [FOR_OUTBOX]: '1' }, redirect: 'manual' }
  const typed: [string, string][] = [...fields!.filter(([name]) => name !== 'csrf'), ['csrf', csrf]]
  if (!files) return { ...request, body: new URLSearchParams(typed) }
  const body = new FormData()
  for (const [name, value] of typed) body.append(name, value)
  for (const [name, picture] of files) body.append(name, picture, 'picture')
  return { ...request, body }
}

/** Only an answer of the market itself says that the act was accepted or refused. */
async function readDelivery(act: Waiting, response: Response): Promise<Delivery> {
  const { status, ok } = response
  if (!isFromMarket(response) || status === 408 || status >= 500) return notFinal(response)
  if (ok) return { kind: 'sent' }
  // Somebody else logged in after the token was asked for: the refusal is not about the act.
  const isOfAnother = act.owner !== LINK && (response.headers.get(OWNER_HEADER) ?? act.owner) !== act.owner
  if (status === 401 || isOfAnother) return LOGIN
  const text = await response.text()
  const { code, reason, errors } = act.fields && !act.upload ? { reason: reasonIn(text) } : problemIn(text)
  if (code === 'CSRF_REJECTED') return BUSY
  if (status !== 429) return { kind: 'refused', reason, ...(errors && { errors }) }
  const seconds = Number(response.headers.get('Retry-After') ?? 60)
  return { kind: 'again', delay: { why: 'limit', reason, until: Date.now() + seconds * 1000 } }
}

function problemIn(text: string): { code?: string | undefined; reason: string; errors?: Record<string, string> | undefined } {
  const { code, detail, fields } = JSON.parse(text) as { code?: string; detail?: string; fields?: { field: string; message: string }[] }
  const errors = fields && Object.fromEntries(fields.map(({ field, message }) => [field, message]))
  return { code, reason: fields?.[0]?.message ?? detail ?? '', errors }
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
