import { readCsrf } from '#src/kit/http/post-json.ts'
import type { ClipKind } from '#src/kit/media/clips/clip-limits.ts'
import type { ShownClip } from '#src/listings/clips/clip-wire.server.ts'
import { m } from '#src/paraglide/messages.js'

/** Sends a clip from the browser in parts, retries after connection errors, and reports progress. */

/** Bytes to repeat after a lost connection, at most. */
const PART_BYTES = 256 * 1024
const RETRY_AFTER_MS = [0, 1000, 3000, 8000, 20_000, 60_000]

export class ClipNotSent extends Error {
  /** True for connection errors, after which a retry may succeed. */
  readonly isLineDead: boolean
  /** The id of the upload that has begun. */
  readonly upload: string | undefined
  /** This browser cannot read the sound; the person may send the clip without it. */
  readonly canMute: boolean

  constructor(reason: string, isLineDead: boolean, upload?: string, canMute = false) {
    super(reason)
    this.isLineDead = isLineDead
    this.canMute = canMute
    this.upload = upload
  }
}

interface ClipToSend {
  blob: Blob
  kind: ClipKind
  still: Blob | null
  form: string
}

/** Sends the bytes in parts and returns the upload's id. Throws ClipNotSent. Calls `onProgress` with 0 to 100. */
export async function sendBytes(blob: Blob, onProgress: (percent: number) => void): Promise<string> {
  // Offline the retries would only keep the clip from waiting on the phone.
  if (!navigator.onLine) throw lineDead()
  const { Upload } = await import('tus-js-client').catch(() => {
    throw lineDead()
  })
  if (!readCsrf()) await fetch('/api/v1/csrf').catch(() => {})
  return new Promise<string>((resolve, reject) => {
    const upload = new Upload(blob, {
      endpoint: `${location.origin}/api/v1/clip-upload`,
      chunkSize: PART_BYTES,
      retryDelays: RETRY_AFTER_MS,
      storeFingerprintForResuming: false,
      onBeforeRequest: (request) => request.setHeader('X-CSRFToken', readCsrf() ?? ''),
      onProgress: (sent, total) => onProgress(Math.round((100 * sent) / total)),
      onSuccess: () => resolve(idIn(upload.url)!),
      onError: (error) => reject(refusalOf('originalResponse' in error ? (error.originalResponse?.getBody() ?? '') : '', idIn(upload.url))),
    })
    upload.start()
  })
}

const idIn = (url: string | null) => url?.slice(url.lastIndexOf('=') + 1)

/** Returns all clips of the form. Throws ClipNotSent. Calls `onProgress` with 0 to 100. */
export async function sendClip({ blob, kind, still, form }: ClipToSend, onProgress: (percent: number) => void): Promise<ShownClip[]> {
  const uploadId = await sendBytes(blob, onProgress)
  const body = new FormData()
  body.set('kind', kind)
  body.set('upload', uploadId)
  if (still) body.set('still', still, 'still.jpg')
  const headers = { 'X-CSRFToken': readCsrf() ?? '', 'Accept-Language': document.documentElement.lang }
  const response = await fetch(`/api/v1/listing-draft/clip?form=${encodeURIComponent(form)}`, { method: 'POST', headers, body }).catch(
    () => {
      throw lineDead(uploadId)
    },
  )
  if (!response.ok) throw refusalOf(await response.text(), uploadId)
  return ((await response.json()) as { clips: ShownClip[] }).clips
}

const lineDead = (upload?: string) => new ClipNotSent(m.profile_picture_line(), true, upload)

function refusalOf(text: string, upload: string | undefined): ClipNotSent {
  try {
    const { status, detail, fields } = JSON.parse(text) as { status: number; detail: string; fields?: { message: string }[] }
    return new ClipNotSent(fields?.[0]?.message ?? detail, status >= 500 || status === 429, upload)
  } catch {
    return lineDead(upload)
  }
}
