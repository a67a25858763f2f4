import { SHARE_PATH } from '#src/content/offline/names.ts'
import { storeShared } from '#src/kit/device/shared-with-us.ts'
import { localeOfPath, localized } from '#src/kit/text/locale.ts'

/** The specification's maximum of photos per listing, and room for a whole chat message. */
const MOST_FILES = 10
const MOST_LETTERS = 4000

/**
 * Another app shares by posting a form. The worker stores it before the sell form opens, so a login in between or a stopped worker loses nothing.
 * The form says when something could not be kept: more than fits in a listing, or on the phone.
 */
export async function takeShared(request: Request): Promise<Response> {
  const form = await request.formData()
  const photos = form.getAll('photos').filter((each): each is File => typeof each !== 'string' && each.type.startsWith('image/'))
  const text = ['title', 'text', 'url']
    .map((field) => form.get(field))
    .filter((each): each is string => typeof each === 'string' && each.trim() !== '')
    .join('\n')
  const kept = { photos: photos.slice(0, MOST_FILES), text: text.slice(0, MOST_LETTERS) }
  const isWhole = await storeShared(kept).then(
    () => kept.photos.length === photos.length && kept.text === text,
    () => false,
  )
  const path = localized(SHARE_PATH.replace(/\/shared$/, ''), localeOfPath(new URL(request.url).pathname))
  return Response.redirect(new URL(isWhole ? path : `${path}?unkept`, request.url).href, 303)
}
