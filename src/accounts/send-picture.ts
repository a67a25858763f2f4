import type { Locale } from '#src/kit/locale.ts'
import { languageTags } from '#src/kit/locale.ts'
import { m } from '#src/paraglide/messages.js'

/** The longest side that is ever shown; more only costs a slow line. */
const LONGEST_SIDE = 1280
const QUALITY = 0.85

type Sent = { isStored: true } | { isStored: false; reason: string }

/** Sends one's picture, made small on the phone itself where that can be done, and says how far it has come (0 to 100). */
export async function sendPicture(
  file: File,
  { csrf, locale, onProgress }: { csrf: string; locale: Locale; onProgress: (percent: number) => void },
): Promise<Sent> {
  const form = new FormData()
  form.set('image', await shrunk(file), 'picture')
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', '/api/v1/userprofileimage')
    request.setRequestHeader('X-CSRFToken', csrf)
    request.setRequestHeader('Accept-Language', languageTags[locale])
    request.upload.onprogress = ({ loaded, total }) => onProgress(Math.round((100 * loaded) / total))
    request.onload = () =>
      resolve(request.status === 200 ? { isStored: true } : { isStored: false, reason: reasonIn(request.responseText) })
    request.onerror = () => resolve({ isStored: false, reason: m.profile_picture_line() })
    request.send(form)
  })
}

/** What is no picture for this browser goes as it is: the server says why it is none. */
async function shrunk(file: File): Promise<Blob> {
  try {
    const bitmap = await createImageBitmap(file)
    const scale = LONGEST_SIDE / Math.max(bitmap.width, bitmap.height)
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
