import { readCsrf } from '#src/kit/http/post-json.ts'
import type { ClipKind } from '#src/kit/media/clips/clip-limits.ts'
import type { ShownClip } from '#src/listings/clips/clip-wire.server.ts'
import { m } from '#src/paraglide/messages.js'

/** In the browser: brings a clip to the server over a line that may break, and says how far it has come. */

/** What a break may cost. */
const PART_BYTES = 256 * 1024
const RETRY_AFTER_MS = [0, 1000, 3000, 8000, 20_000, 60_000]

export class ClipNotSent extends Error {
  /** Whether the same may go through at another time. */
  readonly isLineDead: boolean

  constructor(reason: string, isLineDead: boolean) {
    super(reason)
    this.isLineDead = isLineDead
  }
}

export interface ClipToSend {
  blob: Blob
  kind: ClipKind
  still: Blob | null
  /** The form in which it waits. */
  form: string
}

/** Answers all clips of the form. Throws ClipNotSent. `onProgress` hears 0 to 100. */
export async function sendClip({ blob, kind, still, form }: ClipToSend, onProgress: (percent: number) => void): Promise<ShownClip[]> {
  const { Upload } = await import('tus-js-client')
  if (!readCsrf()) await fetch('/api/v1/csrf').catch(() => {})
  const at = await new Promise<string>((resolve, reject) => {
    const upload = new Upload(blob, {
      endpoint: `${location.origin}/api/v1/clip-upload`,
      chunkSize: PART_BYTES,
      retryDelays: RETRY_AFTER_MS,
      storeFingerprintForResuming: false,
      onBeforeRequest: (request) => request.setHeader('X-CSRFToken', readCsrf() ?? ''),
      onProgress: (sent, total) => onProgress(Math.round((100 * sent) / total)),
      onSuccess: () => resolve(upload.url!),
      onError: (error) => reject(refusalOf('originalResponse' in error ? (error.originalResponse?.getBody() ?? '') : '')),
    })
    upload.start()
  })
  const body = new FormData()
  body.set('kind', kind)
  body.set('upload', at.slice(at.lastIndexOf('=') + 1))
  if (still) body.set('still', still, 'still.jpg')
  const headers = { 'X-CSRFToken': readCsrf() ?? '', 'Accept-Language': document.documentElement.lang }
  const response = await fetch(`/api/v1/listing-draft/clip?form=${encodeURIComponent(form)}`, { method: 'POST', headers, body }).catch(
    () => {
      throw refusalOf('')
    },
  )
  if (!response.ok) throw refusalOf(await response.text())
  return ((await response.json()) as { clips: ShownClip[] }).clips
}

function refusalOf(text: string): ClipNotSent {
  try {
    const { status, detail, fields } = JSON.parse(text) as { status: number; detail: string; fields?: { message: string }[] }
    return new ClipNotSent(fields?.[0]?.message ?? detail, status >= 500 || status === 429)
  } catch {
    return new ClipNotSent(m.profile_picture_line(), true)
  }
}
