import type { Ctx, Site, Visitor } from '#src/kit/context.ts'
import { Problem, type FieldProblem } from '#src/kit/base/problem.ts'
import { addDraftPhotos, draftPhotosOf } from '#src/selling/unsent/drafts.server.ts'

interface Sent {
  form: FormData
  site: Site
  visitor: Visitor
  /** The listing of the edit form; null in the sell form. */
  listingId?: number | null
}

/**
 * Puts the photos that travel with a form, as they do without scripts, into its draft. `ids`: the ids of those photos, also when an earlier
 * attempt has put them into the draft. A photo that is refused is a
 * problem of its field and stops nothing else. Counts as one upload for each photo.
 */
export async function keepSentPhotos(
  ctx: Ctx,
  { form, site, visitor, listingId = null }: Sent,
): Promise<{ ids: number[]; problem: FieldProblem | null }> {
  const files = form.getAll('image').filter((file): file is File => file instanceof File && file.size > 0)
  if (files.length === 0) return { ids: [], problem: null }
  const who = { userId: ctx.viewer!.id, address: visitor.address }
  await site.limits.takeAll(ctx.db, ['uploadMinute', ...files.map(() => 'uploadDay' as const)], who)
  try {
    const bytes = await Promise.all(files.map(async (file) => Buffer.from(await file.arrayBuffer())))
    await addDraftPhotos(ctx, site.media, bytes, listingId)
    return { ids: await draftPhotosOf(ctx, bytes, listingId), problem: null }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'TOO_MANY_IMAGES') return { ids: [], problem: { field: 'image', message: 'field_listing_photos' } }
    if (error.fields?.[0]) return { ids: [], problem: { field: 'image', message: error.fields[0].message } }
    throw error
  }
}
