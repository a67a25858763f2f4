import { m } from '#src/paraglide/messages.js'

/** In the browser: brings a picture to the server, made small on the phone itself, and says how far it has come. */

/** The longest side that is shown of most pictures; more only costs a slow line. */
const LONGEST_SIDE = 1280
const QUALITY = 0.85

export type Sent<T> = { isStored: true; answer: T } | { isStored: false; status: number; reason: string }

/** `onProgress` hears 0 to 100. Status 0: nobody answered. */
export function sendPicture<T>(
  picture: Blob,
  { path, csrf, onProgress }: { path: string; csrf: string; onProgress: (percent: number) => void },
): Promise<Sent<T>> {
  const form = new FormData()
  form.set('image', picture, 'picture')
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    // A connection may die silently: nobody should wait for ever.
    request.timeout = GIVE_UP_AFTER_MS
    request.setRequestHeader('X-CSRFToken', csrf)
    request.setRequestHeader('Accept-Language', document.documentElement.lang)
    request.upload.onprogress = ({ loaded, total }) => onProgress(Math.round((100 * loaded) / total))
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

/** What is no picture for this browser goes as it is: the server says why it is none. */
export async function shrunk(file: File, longestSide = LONGEST_SIDE): Promise<Blob> {
  try {
    const bitmap = await createImageBitmap(file)
    const scale = longestSide / Math.max(bitmap.width, bitmap.height)
    if (scale >= 1 || !/^image\/(jpeg|png)$/.test(file.type)) return file
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(bitmap.width * scale)
    canvas.height = Math.round(bitmap.height * scale)
    canvas.getContext('2d')!.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    const small = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY))
    return small && small.size < file.size ? small : file
  } catch {
    return file
  }
}

function reasonIn(text: string): string {
  try {
    const { detail, fields } = JSON.parse(text) as { detail: string; fields?: { message: string }[] }
    return fields?.[0]?.message ?? detail
  } catch {
    return m.profile_picture_line()
  }
}
