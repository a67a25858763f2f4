import { FileUnread, readFiles } from './read-file.ts'
import { readCsrf } from '#src/kit/http/post-json.ts'
import { m } from '#src/paraglide/messages.js'

/** Browser code: shrinks a picture on the phone, uploads it and reports the progress. */

/** Most pictures are shown with at most this longest side in pixels; more only wastes data. */
const LONGEST_SIDE = 1280
/** A slow connection sends a picture of this size in some seconds. */
const LIGHT_BYTES = 180_000
/** Longest side and quality per attempt. The first result below the light size is sent; otherwise the last one. */
const attempts = [
  [Infinity, 0.85],
  [Infinity, 0.7],
  [1600, 0.7],
  [LONGEST_SIDE, 0.65],
  [1024, 0.6],
] as const

export type Sent<T> = { isStored: true; answer: T } | { isStored: false; status: number; reason: string }

interface Sending {
  path: string
  /** The name of the picture's field. */
  field?: string
  /** The other fields. */
  fields?: Record<string, string>
  onProgress?: (percent: number) => void
}

/** `onProgress` receives 0 to 100. Status 0 means that nobody answered. */
export function sendPicture<T>(picture: Blob, { path, field = 'image', fields = {}, onProgress }: Sending): Promise<Sent<T>> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set(field, picture, 'picture')
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    // A connection may die silently, so the upload needs a time-out.
    request.timeout = GIVE_UP_AFTER_MS
    request.setRequestHeader('X-CSRFToken', readCsrf() ?? '')
    request.setRequestHeader('Accept-Language', document.documentElement.lang)
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(Math.round((100 * loaded) / total))
    const fail = () => resolve({ isStored: false, status: 0, reason: m.profile_picture_line() })
    request.onload = () => {
      if (request.status !== 200) return resolve({ isStored: false, status: request.status, reason: reasonIn(request.responseText) })
      try {
        resolve({ isStored: true, answer: JSON.parse(request.responseText) as T })
      } catch {
        fail()
      }
    }
    request.onerror = fail
    request.ontimeout = fail
    request.send(form)
  })
}
const GIVE_UP_AFTER_MS = 120_000

/**
 * Returns the file unchanged when this browser cannot decode it; the server then gives the reason. Converts WebP, and HEIC where the browser can
 * decode it, to JPEG.
 */
export async function shrunk(file: File, longestSide = LONGEST_SIDE, lightBytes = LIGHT_BYTES): Promise<Blob> {
  const bitmap = await createImageBitmap(file).catch(() => null)
  if (!bitmap) return file
  const isTaken = await isJpegOrPng(file)
  if (isTaken && Math.max(bitmap.width, bitmap.height) <= longestSide && file.size <= lightBytes) return file
  let small: Blob | null = null
  for (const [side, quality] of attempts) {
    small = await asJpeg(bitmap, Math.min(side, longestSide), quality)
    if (small && small.size <= lightBytes) break
  }
  return small && (!isTaken || small.size < file.size) ? small : file
}

/**
 * Reads and shrinks the files of an input when the person chooses them: an upload of 8 MB takes minutes on rural data.
 * Leaves out those that cannot be read, also a HEIC that this browser cannot decode, and returns why. Null when the
 * person has meanwhile chosen others.
 */
export async function shrinkChosen(input: Pick<HTMLInputElement, 'files'>): Promise<string[] | null> {
  const chosen = [...(input.files ?? [])]
  const read = await readFiles(chosen)
  const readable = read.filter((file) => file instanceof File)
  const all = await Promise.all(readable.map((file) => shrunk(file)))
  const areHeic = await Promise.all(all.map(isHeic))
  const small = all.filter((_, n) => !areHeic[n])
  const isSame = chosen.length === input.files?.length && chosen.every((file, n) => file === input.files?.[n])
  if (!isSame) return null
  const files = new DataTransfer()
  for (const [n, file] of small.entries())
    files.items.add(file instanceof File ? file : new File([file], `picture-${n + 1}.jpg`, { type: file.type }))
  input.files = files.files
  const unread = read.flatMap((file) => (file instanceof FileUnread ? [file.message] : []))
  return areHeic.includes(true) ? [...unread, m.sell_photo_heic()] : unread
}

async function asJpeg(bitmap: ImageBitmap, longestSide: number, quality: number): Promise<Blob | null> {
  const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(bitmap.width * scale)
  canvas.height = Math.round(bitmap.height * scale)
  const drawing = canvas.getContext('2d')!
  // JPEG has no transparency, and an empty canvas turns black. The server gives white, too.
  drawing.fillStyle = '#fff'
  drawing.fillRect(0, 0, canvas.width, canvas.height)
  drawing.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
}

/** By its first bytes: chat apps give a WebP the name and the type of a JPEG. */
async function isJpegOrPng(picture: Blob): Promise<boolean> {
  const [a, b, c] = new Uint8Array(await picture.slice(0, 3).arrayBuffer())
  return (a === 0xff && b === 0xd8 && c === 0xff) || (a === 0x89 && b === 0x50 && c === 0x4e)
}

/** Recognizes the format of Apple's cameras by its first bytes. Most other browsers and the server cannot decode it. */
export async function isHeic(picture: Blob): Promise<boolean> {
  const start = new TextDecoder('latin1').decode(await picture.slice(4, 12).arrayBuffer())
  return /^ftyp(hei|hev|mif1|msf1)/.test(start)
}

function reasonIn(text: string): string {
  try {
    const { detail, fields } = JSON.parse(text) as { detail: string; fields?: { message: string }[] }
    return fields?.[0]?.message ?? detail
  } catch {
    return m.profile_picture_line()
  }
}
