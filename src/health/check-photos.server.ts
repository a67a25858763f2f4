import { and, desc, eq, gt } from 'drizzle-orm'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { withPictures, type StoredPicture } from '#src/kit/uploads/take-picture.server.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { vetCheckPhotos, vetChecks } from './tables.ts'
import { lockVet } from './animals.server.ts'
import { MOST_CHECK_PHOTOS } from './rules.ts'

export async function insertCheckPhotos(ctx: Ctx, checkId: number, position: number, pictures: StoredPicture[]): Promise<void> {
  if (pictures.length === 0) return
  await ctx.db.insert(vetCheckPhotos).values(pictures.map((picture, n) => ({ checkId, position: position + n, ...picture })))
}

/**
 * Adds a picture to this vet's last check within a day of it, so that it shows that visit. Throws NOT_FOUND without such a check and TOO_MANY_IMAGES
 * after the third picture.
 */
export async function addCheckPhoto(ctx: Ctx, media: MediaStore, listingId: number, bytes: Buffer): Promise<void> {
  await findRoom(ctx, listingId)
  await withPictures(ctx, media, [bytes], 'image', (pictures) =>
    inTransaction(ctx, async (ctx) => {
      await lockVet(ctx)
      const { checkId, position } = await findRoom(ctx, listingId)
      await insertCheckPhotos(ctx, checkId, position, pictures)
      await audit(ctx, 'vet_check_photo_added', `listing:${listingId}`)
    }),
  )
}

/** Called before the picture is decoded, and again in the transaction with the vet's row locked. */
async function findRoom(ctx: Ctx, listingId: number): Promise<{ checkId: number; position: number }> {
  const [check] = await ctx.db
    .select({ id: vetChecks.id })
    .from(vetChecks)
    .where(and(eq(vetChecks.listingId, listingId), eq(vetChecks.vetId, ctx.viewer!.id), gt(vetChecks.createdAt, daysBefore(ctx.now, 1))))
    .orderBy(desc(vetChecks.id))
    .limit(1)
  if (!check) throw notFound()
  const position = await ctx.db.$count(vetCheckPhotos, eq(vetCheckPhotos.checkId, check.id))
  if (position >= MOST_CHECK_PHOTOS) throw new Problem('TOO_MANY_IMAGES')
  return { checkId: check.id, position }
}
