import { and, asc, desc, eq, gte, inArray, sql } from 'drizzle-orm'
import { decidedBy } from '#src/accounts/decided-meanwhile.server.ts'
import { requireCan } from '#src/accounts/policy.ts'
import { users } from '#src/accounts/tables.ts'
import { takeBackAct, undoably } from '#src/accounts/undo.server.ts'
import { holdAdmin } from '#src/accounts/people/users.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { sqlState } from '#src/kit/db/database-errors.server.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { listings } from '#src/listings/tables.ts'
import { m } from '#src/paraglide/messages.js'
import { partOf } from '../policy.ts'
import { statusName } from '../process.server.ts'
import { discountUses, orders, orderSteps } from '../tables.ts'
import { takeStep, type OrderRow, type StepInput } from './take-step.server.ts'

/** Ends an order without a sale at a desk, as `takeStep`: both sides hear of it once it cannot be undone any more. */
export const endOrder = (ctx: Ctx, id: number, input: StepInput) => undoably(ctx, (ctx) => takeStep(ctx, id, input))

/**
 * Undoes the admin's own `endOrder` within seconds: the order is in its earlier state, the animals and the discount are
 * its own again, and nobody gets a message. Trail and history have both steps. The same undo again succeeds.
 * ORDER_TERMINAL when it is too late or one side is erased; VERSION when another admin decided since, and when somebody
 * bought the animals or used the discount.
 */
export async function undoEnd(ctx: Ctx, id: number): Promise<void> {
  const { id: adminId } = requireCan(ctx, 'operate')
  await inTransaction(ctx, async (ctx) => {
    const isErased = await lockPeople(ctx, id, adminId)
    await holdAdmin(ctx)
    const [order] = await ctx.db.select().from(orders).where(eq(orders.id, id)).for('update')
    if (!order) throw notFound()
    if (isErased) throw refused('ORDER_TERMINAL', m.order_undo_erased)
    const { status } = order
    const act = await takeBackAct(ctx, {
      object: `order:${id}`,
      events: ['order_step', 'order_step_undone'],
      undone: 'order_step_undone',
      stale: ({ actorId, at }) => decidedBy(ctx, { what: (locale) => statusName(status, locale), byId: actorId, at }),
      late: refused('ORDER_TERMINAL', m.order_undo_late),
    })
    if (act === null) return
    const from = Number(act.from)
    const steps = ctx.db.select().from(orderSteps).where(eq(orderSteps.orderId, id))
    const [ended, before] = await steps.orderBy(desc(orderSteps.id)).limit(2)
    if (ended?.toStatus !== status || ended.fromStatus !== from) throw new Problem('VERSION')
    await takeAgain(ctx, order, Number(act.returned))
    await ctx.db
      .update(orders)
      .set({ status: from, endReason: null, changedAt: before?.at ?? order.createdAt })
      .where(eq(orders.id, id))
    const as = partOf(ctx.viewer, order) ?? 'admin'
    await ctx.db.insert(orderSteps).values({ orderId: id, fromStatus: status, toStatus: from, byId: adminId, as, at: ctx.now })
    await audit(ctx, 'order_step_undone', `order:${id}`, { from: status, to: from })
  })
}

const refused = (code: 'ORDER_TERMINAL' | 'VERSION', text: typeof m.order_undo_late) =>
  new Problem(code, { sentence: (locale) => text({}, { locale }) })

/**
 * Locks admin, buyer and seller in the order of their ids, before the rows that an erasure locks after them. So an
 * erasure finds the order open again, or is over. Returns whether one of them is erased.
 */
async function lockPeople(ctx: Ctx, id: number, adminId: number): Promise<boolean> {
  const [order] = await ctx.db.select().from(orders).where(eq(orders.id, id))
  if (!order) throw notFound()
  const named = inArray(users.id, [order.buyerId, order.sellerId, adminId])
  const people = await ctx.db.select().from(users).where(named).orderBy(asc(users.id)).for('share')
  return people.some(({ erasedAt }) => erasedAt !== null)
}

/** Takes what `giveBack` returned. */
async function takeAgain(ctx: Ctx, { id, listingId, changedAt }: OrderRow, count: number): Promise<void> {
  const taken = await ctx.db
    .update(listings)
    .set({ stock: sql`${listings.stock} - ${count}::integer`, version: sql`${listings.version} + 1` })
    .where(and(eq(listings.id, listingId), gte(listings.stock, count)))
    .returning({ id: listings.id })
  if (taken.length === 0) throw refused('VERSION', m.order_undo_stock)
  await ctx.db
    .update(discountUses)
    .set({ returnedAt: null })
    .where(and(eq(discountUses.orderId, id), eq(discountUses.returnedAt, changedAt)))
    .catch((error: unknown) => {
      throw sqlState(error) === '23505' ? refused('VERSION', m.order_undo_discount) : error
    })
}
