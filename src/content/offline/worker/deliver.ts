import type { Deliver, Delivery, Waiting } from '#src/content/offline/outbox/outbox.ts'
import { NOBODY, OWNER_HEADER } from '#src/content/offline/names.ts'
import { readToken } from './owner.ts'

const AGAIN: Delivery = { kind: 'again' }
const LOGIN: Delivery = { kind: 'login' }

/** Sends one act as its page would have done, with a token of now: the worker's own look, or what the page that asks has seen. */
export const deliverWith =
  (pageToken: string | undefined): Deliver =>
  async (act, note) => {
    try {
      const csrf = await freshToken(act.owner, pageToken)
      if (csrf === null) return LOGIN
      const now = await sendParts(act, csrf, note)
      if ('kind' in now) return now
      const response = await fetch(act.path, { method: act.method, ...(act.fields ? asForm(act, csrf) : asCall(act, csrf)) })
      const delivery = await readDelivery(act, response)
      if (delivery.kind !== 'refused' || !delivery.errors?.waiting || now.fresh) return delivery
      // The market has forgotten what it had: it is sent once more, from the first.
      await note({ ...act, parts: act.parts!.map((part) => ({ ...part, isSent: false })) })
      return AGAIN
    } catch {
      return AGAIN
    }
  }

/** Sends what a call needs first; says whether all of it went just now. */
async function sendParts(act: Waiting, csrf: string, note: (act: Waiting) => Promise<void>): Promise<Delivery | { fresh: boolean }> {
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
    await note({ ...act, parts: [...parts] })
  }
  return { fresh }
}

/** Null when nobody can say it, or when somebody else is logged in, or nobody. */
async function freshToken(owner: string, pageToken: string | undefined): Promise<string | null> {
  const response = await fetch('/api/v1/csrf', { cache: 'no-store' })
  if ((response.headers.get(OWNER_HEADER) ?? NOBODY) !== owner) return null
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

/** A form that was taken leads to another page; where to does not matter here. */
const asForm = ({ fields }: Waiting, csrf: string): RequestInit => ({
  body: new URLSearchParams([...fields!.filter(([name]) => name !== 'csrf'), ['csrf', csrf]]),
  redirect: 'manual',
})

async function readDelivery(act: Waiting, response: Response): Promise<Delivery> {
  const { status, type, ok } = response
  if (ok || type === 'opaqueredirect') return { kind: 'sent' }
  if (status === 401) return LOGIN
  if (status === 408 || status === 429 || status >= 500) return AGAIN
  const text = await response.text()
  if (act.fields) return { kind: 'refused', reason: alertIn(text) }
  const { code, detail, fields } = JSON.parse(text) as { code?: string; detail?: string; fields?: { field: string; message: string }[] }
  if (code === 'CSRF_REJECTED') return AGAIN
  const errors = fields && Object.fromEntries(fields.map(({ field, message }) => [field, message]))
  return { kind: 'refused', reason: fields?.[0]?.message ?? detail ?? '', ...(errors && { errors }) }
}

/** What the page says of a refused form. */
const alertIn = (html: string) =>
  (/role="alert"[^>]*>([\s\S]*?)<\/(?:p|div)>/.exec(html)?.[1] ?? '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .trim()
