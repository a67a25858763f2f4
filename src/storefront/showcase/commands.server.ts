import { eq } from 'drizzle-orm'
import { decidedBy, decidedInTrail, findLastDecision } from '#src/accounts/decided-meanwhile.server.ts'
import { requireCan } from '#src/accounts/policy.ts'
import { holdAdmin } from '#src/accounts/people/users.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { m } from '#src/paraglide/messages.js'
import { showcaseItems } from '../tables.ts'
import type { ShowcaseInput } from './schemas.ts'

/** Adds an item to the home page or the calendar. For admins. */
export async function addShowcaseItem(ctx: Ctx, input: ShowcaseInput): Promise<void> {
  requireCan(ctx, 'operate')
  await inTransaction(ctx, async (ctx) => {
    const { id: changedById } = await holdAdmin(ctx)
    const [added] = await ctx.db
      .insert(showcaseItems)
      .values({ ...input, changedById, changedAt: ctx.now })
      .returning({ id: showcaseItems.id })
    await audit(ctx, 'showcase_changed', `showcase:${added!.id}`, { act: 'added', kind: input.kind, title: input.titleEn })
  })
}

/**
 * Throws NOT_FOUND, or VERSION when somebody has changed the item since this version. The kind cannot change. The same admin may repeat it.
 */
export async function changeShowcaseItem(ctx: Ctx, { id, version }: { id: number; version: number }, input: ShowcaseInput): Promise<void> {
  requireCan(ctx, 'operate')
  await inTransaction(ctx, async (ctx) => {
    const { id: changedById } = await holdAdmin(ctx)
    const before = await lockItem(ctx, id)
    if (!before) return ensureRemovedBy(ctx, id, null)
    if (before.kind !== input.kind) throw notFound()
    const isSame = (Object.keys(input) as (keyof ShowcaseInput)[]).every((name) => before[name] === input[name])
    if (isSame && before.changedById === changedById && before.version === version + 1) return
    await ensureVersion(ctx, before, version)
    await ctx.db
      .update(showcaseItems)
      .set({ ...input, version: version + 1, changedById, changedAt: ctx.now })
      .where(eq(showcaseItems.id, id))
    const details = { act: 'changed', kind: input.kind, title: input.titleEn, before: before.titleEn, isShown: input.isShown }
    await audit(ctx, 'showcase_changed', `showcase:${id}`, details)
  })
}

/** Throws like `changeShowcaseItem`. */
export async function removeShowcaseItem(ctx: Ctx, { id, version }: { id: number; version: number }): Promise<void> {
  requireCan(ctx, 'operate')
  await inTransaction(ctx, async (ctx) => {
    const { id: adminId } = await holdAdmin(ctx)
    const item = await lockItem(ctx, id)
    if (!item) return ensureRemovedBy(ctx, id, adminId)
    const { kind, titleEn } = item
    await ensureVersion(ctx, item, version)
    await ctx.db.delete(showcaseItems).where(eq(showcaseItems.id, id))
    await audit(ctx, 'showcase_changed', `showcase:${id}`, { act: 'removed', kind, title: titleEn })
  })
}

type Item = typeof showcaseItems.$inferSelect

async function lockItem(ctx: Ctx, id: number): Promise<Item | undefined> {
  const [item] = await ctx.db.select().from(showcaseItems).where(eq(showcaseItems.id, id)).for('update')
  return item
}

async function ensureVersion(ctx: Ctx, item: Item, version: number): Promise<void> {
  if (item.version === version) return
  throw await decidedBy(ctx, {
    what: (locale) => m.trail_event_showcase_changed({}, { locale }),
    byId: item.changedById,
    at: item.changedAt,
  })
}

/** Succeeds for this admin's own removal. VERSION after another one's, NOT_FOUND without any. */
async function ensureRemovedBy(ctx: Ctx, id: number, adminId: number | null): Promise<void> {
  const last = await findLastDecision(ctx, `showcase:${id}`, ['showcase_changed'])
  if (last?.details.act !== 'removed') throw notFound()
  if (last.actorId === adminId) return
  throw await decidedInTrail(ctx, `showcase:${id}`, { showcase_changed: (_, locale) => m.showcase_removed({}, { locale }) })
}
