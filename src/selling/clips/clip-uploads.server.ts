import { and, asc, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import { requireCan } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import { clipLimits } from '#src/kit/media/clips/clip-limits.ts'
import { newKey } from '#src/kit/media/media-store.server.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import { clipUploadParts, clipUploads } from '../tables.ts'

/** Resumable uploads: a clip arrives in parts, and a lost connection loses none of the received parts (decision 0081). */

export const MAX_UPLOAD_BYTES = clipLimits.video.bytes
/** Enough for two clips, a voice note and some restarts; above this number the oldest are deleted. */
const MOST_UNFINISHED = 6
const KEEP_HOURS = 24

const shown = { id: clipUploads.id, length: clipUploads.length, received: clipUploads.received }
const ownUpload = (ctx: Ctx, id: string) => and(eq(clipUploads.id, id), eq(clipUploads.ownerId, requireCan(ctx, 'sell').id))

export async function createUpload(ctx: Ctx, length: number): Promise<string> {
  const { id: ownerId } = requireCan(ctx, 'sell')
  if (length > MAX_UPLOAD_BYTES) throw new Problem('TOO_LARGE')
  const id = newKey()
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.insert(clipUploads).values({ id, ownerId, length, createdAt: ctx.now })
    const newest = ctx.db
      .select({ id: clipUploads.id })
      .from(clipUploads)
      .where(eq(clipUploads.ownerId, ownerId))
      .orderBy(desc(clipUploads.createdAt), desc(clipUploads.id))
      .offset(MOST_UNFINISHED)
    await ctx.db.delete(clipUploads).where(inArray(clipUploads.id, newest))
  })
  return id
}

/** NOT_FOUND for another person's upload, and for one that is finished or too old. */
export async function getUpload(ctx: Ctx, id: string) {
  const [upload] = await ctx.db.select(shown).from(clipUploads).where(ownUpload(ctx, id))
  if (!upload) throw notFound()
  return upload
}

/** Appends the bytes at `offset` and returns the new offset. VERSION when the upload has another offset, TOO_LARGE beyond its length. */
export async function appendPart(ctx: Ctx, id: string, { offset, data }: { offset: number; data: Buffer }): Promise<number> {
  return inTransaction(ctx, async (ctx) => {
    const [upload] = await ctx.db.select(shown).from(clipUploads).where(ownUpload(ctx, id)).for('update')
    if (!upload) throw notFound()
    if (offset !== upload.received) throw new Problem('VERSION')
    const received = offset + data.length
    if (received > upload.length) throw new Problem('TOO_LARGE')
    if (data.length === 0) return received
    await ctx.db.insert(clipUploadParts).values({ uploadId: id, start: offset, data })
    await ctx.db.update(clipUploads).set({ received }).where(eq(clipUploads.id, id))
    return received
  })
}

/** All bytes of a complete upload. NOT_FOUND as above, VALIDATION of `upload` while parts are missing. */
export async function readUpload(ctx: Ctx, id: string): Promise<Buffer> {
  const upload = await getUpload(ctx, id)
  if (upload.received < upload.length) throw invalidField('upload', 'field_clip_unfinished')
  const parts = await ctx.db
    .select({ data: clipUploadParts.data })
    .from(clipUploadParts)
    .where(eq(clipUploadParts.uploadId, id))
    .orderBy(asc(clipUploadParts.start))
  return Buffer.concat(parts.map(({ data }) => data))
}

export async function removeUpload(ctx: Ctx, id: string): Promise<void> {
  const gone = await ctx.db.delete(clipUploads).where(ownUpload(ctx, id)).returning({ id: clipUploads.id })
  if (gone.length === 0) throw notFound()
}

/** Deletes uploads that were not finished within a day. */
export async function sweepClipUploads(db: Db): Promise<void> {
  await db.delete(clipUploads).where(lt(clipUploads.createdAt, sql`now() - make_interval(hours => ${KEEP_HOURS})`))
}
