/**
 * How the sell form and the edit form name a photo: `12` is photo 12 of the viewer's draft, `listed-7` photo 7 of the listing that is edited.
 */
const LISTED = 'listed-'

export const listedRef = (photoId: number): string => `${LISTED}${photoId}`

/** Null for a text that is no reference. */
export function readRef(text: unknown): { isListed: boolean; id: number } | null {
  const [, listed, id] = typeof text === 'string' ? (/^(listed-)?([1-9]\d{0,14})$/.exec(text) ?? []) : []
  return id === undefined ? null : { isListed: listed !== undefined, id: Number(id) }
}

/** The value of the field `gonePhotos`. */
export const goneRefs = (gonePhotos: string | undefined): string[] => (gonePhotos ?? '').split(' ').filter((ref) => readRef(ref) !== null)

export const withGone = (gonePhotos: string | undefined, ref: string): string =>
  [...goneRefs(gonePhotos).filter((each) => each !== ref), ref].join(' ')

export const withoutGone = (gonePhotos: string | undefined, ref: string): string =>
  goneRefs(gonePhotos)
    .filter((each) => each !== ref)
    .join(' ')

/** The references that a form names in its fields `photo`, each once and in their order, without the removed ones; the main photo first. */
export function photosOf(form: FormData): string[] {
  const gone = goneRefs(String(form.get('gonePhotos') ?? ''))
  const named = new Set(form.getAll('photo').filter((ref): ref is string => readRef(ref) !== null))
  const main = form.get('mainPhoto')
  return [...named].filter((ref) => !gone.includes(ref)).toSorted((a, b) => Number(b === main) - Number(a === main))
}

/** Returns the answers that a photo button without scripts changes; an empty object for any other act. */
export function photoAct(act: string, { gonePhotos }: { gonePhotos?: string }): { mainPhoto?: string; gonePhotos?: string } {
  const [, what, ref = ''] = /^(main|unphoto|rephoto):(.+)$/.exec(act) ?? []
  if (!what || readRef(ref) === null) return {}
  if (what === 'main') return { mainPhoto: ref }
  return { gonePhotos: what === 'unphoto' ? withGone(gonePhotos, ref) : withoutGone(gonePhotos, ref) }
}
