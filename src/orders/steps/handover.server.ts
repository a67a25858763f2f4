import { firstRow } from '#src/kit/db/rows.server.ts'
import { timingSafeEqual } from 'node:crypto'
import { and, eq, lt, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { readPhone } from '#src/kit/text/readers.ts'
import { requireCan, requireLoggedIn } from '#src/accounts/policy.ts'
import { decidedBy, findLastDecision } from '#src/accounts/decided-meanwhile.server.ts'
import { isHere, users } from '#src/accounts/tables.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { indianDay, indianDayIn } from '#src/kit/time-money/dates.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import { withPictures } from '#src/kit/uploads/take-picture.server.ts'
import { m } from '#src/paraglide/messages.js'
import { notifyBearer, notifyFormerBearer, notifyOfDay, shownWhenOf } from '../order-messages.server.ts'
import { isTerminal, ON_THE_WAY, REFUSED } from '../process.server.ts'
import { bearers, orderPhotos, orders } from '../tables.ts'
import type { deliveryPlan } from './handover-schemas.server.ts'
import { takeStep, type StepInput } from './take-step.server.ts'

type Order = typeof orders.$inferSelect
type DeliveryPlan = z.infer<typeof deliveryPlan>

/** Tries per order: a worn tag is easy to misread. */
export const TAG_TRIES = 5

/** Latest day that an admin may promise, in days from today. */
export const PLAN_DAYS = 60

/** The plan as the form sends it back, so that a form with an older plan cannot overwrite what another admin has promised. */
export const planOf = ({ deliverOn, deliverWindow, bearerId, listedBearerId }: Plan): string =>
  [deliverOn ?? '', deliverWindow ?? '', bearerId ?? '', ...(listedBearerId === null ? [] : [listedBearerId])].join(' ')
type Plan = Pick<Order, 'deliverOn' | 'deliverWindow' | 'bearerId' | 'listedBearerId'>

/**
 * Sets the delivery day and the bearer, for admins; notifies everyone of what is new to them. ROLE_FORBIDDEN, NOT_FOUND, ORDER_TERMINAL;
 * VERSION when the plan has changed since the form was rendered, except by this plan of the same admin; VALIDATION for a past day or one too far ahead, for a bearer who has no
 * account and is not in the list, and for the buyer as bearer.
 */
export async function planDelivery(ctx: Ctx, id: number, plan: DeliveryPlan): Promise<void> {
  requireCan(ctx, 'operate')
  await inTransaction(ctx, async (ctx) => {
    // Lock people before orders, as an erasure does.
    const { listedId, phone } = await lockListedBearer(ctx, plan)
    const named = await lockBearer(ctx, phone)
    const [order] = await ctx.db.select().from(orders).where(eq(orders.id, id)).for('update')
    if (!order) throw notFound()
    if (isTerminal(order.status)) throw new Problem('ORDER_TERMINAL')
    const { deliverOn, deliverWindow } = plan
    const bearer = named === 'nobody' ? null : named
    const sent = { deliverOn, deliverWindow, bearerId: bearer, listedBearerId: listedId }
    if (planOf(order) !== plan.seen) return ensureOwnPlan(ctx, order, sent)
    const isNewDay = deliverOn !== order.deliverOn
    if (isNewDay && deliverOn !== null) ensureDay(ctx, deliverOn)
    if (named === order.buyerId || (named === 'nobody' && listedId === null))
      throw invalidField(plan.listedBearerId ? 'listedBearerId' : 'bearerPhone', 'field_order_bearer')
    // Another bearer has other digits, and tries of their own.
    const anew = listedId !== order.listedBearerId && order.status < ON_THE_WAY && { handoverTries: 0 }
    const [now] = await ctx.db
      .update(orders)
      .set({ ...sent, ...anew })
      .where(eq(orders.id, id))
      .returning()
    await audit(ctx, 'order_planned', `order:${id}`, { day: deliverOn, window: deliverWindow, bearer, listed: listedId })
    // The time of day has no meaning without a day.
    const isNews = isNewDay || (deliverOn !== null && deliverWindow !== order.deliverWindow)
    if (isNews) await notifyOfDay(ctx, now!)
    if (bearer !== null && (isNews || bearer !== order.bearerId)) await notifyBearer(ctx, now!, bearer)
    if (order.bearerId !== null && bearer !== order.bearerId) await notifyFormerBearer(ctx, now!, order.bearerId)
  })
}

/**
 * Succeeds for a form that arrives twice: this admin planned it so. VERSION otherwise. An erasure or the end of a bearer's work changes a
 * plan, too, and is nobody's decision.
 */
async function ensureOwnPlan(ctx: Ctx, order: Order, sent: Plan): Promise<void> {
  const last = await findLastDecision(ctx, `order:${order.id}`, ['order_planned'])
  const { day, window, bearer, listed } = last?.details ?? {}
  const planned = { deliverOn: day, deliverWindow: window, bearerId: bearer, listedBearerId: listed } as Plan
  if (!last || planOf(planned) !== planOf(order)) throw new Problem('VERSION')
  if (last.actorId === ctx.viewer?.id && planOf(sent) === planOf(order)) return
  throw await decidedBy(ctx, {
    what: (locale) => `${m.trail_event_order_planned({}, { locale })}: ${shownWhenOf(order, locale)}`,
    byId: last.actorId,
    at: last.at,
  })
}

function ensureDay(ctx: Ctx, day: string): void {
  if (day < indianDay(ctx.now)) throw invalidField('deliverOn', 'field_order_day')
  if (day > lastPlanDay(ctx.now)) throw invalidField('deliverOn', 'field_order_day_far')
}

/** The last Indian calendar day that an admin may promise. */
export const lastPlanDay = (now: Date): string => indianDayIn(now, PLAN_DAYS)

/** The bearer chosen from the list or found by the typed number, locked against deletion. VALIDATION for a deactivated bearer. */
async function lockListedBearer(
  ctx: Ctx,
  { listedBearerId, bearerPhone }: DeliveryPlan,
): Promise<{ listedId: number | null; phone: string }> {
  const typed = readPhone(bearerPhone)
  if (!listedBearerId && typed === null) return { listedId: null, phone: bearerPhone }
  const isChosen = listedBearerId ? eq(bearers.id, listedBearerId) : eq(bearers.phone, typed!)
  const [listed] = await ctx.db
    .select({ id: bearers.id, phone: bearers.phone })
    .from(bearers)
    .where(and(isChosen, eq(bearers.isActive, true)))
    .for('share')
  if (!listed && listedBearerId) throw invalidField('listedBearerId', 'field_order_bearer_listed')
  return { listedId: listed?.id ?? null, phone: listed?.phone ?? bearerPhone }
}

/** Locks the bearer's account against an erasure. Waits for a running erasure, and then does not find the bearer. */
async function lockBearer(ctx: Ctx, typed: string): Promise<number | null | 'nobody'> {
  if (typed.trim() === '') return null
  const phone = readPhone(typed)
  if (phone === null) return 'nobody'
  const [person] = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.phone, phone), isHere))
    .for('share')
  return person?.id ?? 'nobody'
}

/** Succeeds for the buyer of an order that is on the way: NOT_FOUND for others, ORDER_STEP before and after. */
async function ensureAtDoor(ctx: Ctx, id: number): Promise<void> {
  const viewer = requireLoggedIn(ctx)
  const [order] = await ctx.db.select({ buyerId: orders.buyerId, status: orders.status }).from(orders).where(eq(orders.id, id))
  if (order?.buyerId !== viewer.id) throw notFound()
  if (order.status !== ON_THE_WAY) throw new Problem(isTerminal(order.status) ? 'ORDER_TERMINAL' : 'ORDER_STEP')
}

/**
 * Compares the last six digits that the buyer reads from the ear with the recorded tag, which never leaves the server. Counts each try in a
 * separate statement before the comparison: HANDOVER_LOCKED after the fifth.
 */
export async function checkTag(ctx: Ctx, id: number, digits: string): Promise<boolean> {
  await ensureAtDoor(ctx, id)
  const [tried] = await ctx.db
    .update(orders)
    .set({ tagTries: sql`${orders.tagTries} + 1` })
    .where(and(eq(orders.id, id), lt(orders.tagTries, TAG_TRIES), sql`${orders.tagMatched} is not true`))
    .returning({ sealed: orders.tagSealed })
  if (!tried) {
    const [order] = await ctx.db.select({ tagMatched: orders.tagMatched }).from(orders).where(eq(orders.id, id))
    if (order?.tagMatched) return true
    throw new Problem('HANDOVER_LOCKED')
  }
  // Without a recorded tag there is nothing to compare with.
  if (!tried.sealed) throw notFound()
  const end = Buffer.from(ctx.vault.open('ear-tag', tried.sealed).slice(-digits.length))
  const typed = Buffer.from(digits)
  const isMatch = typed.length === end.length && timingSafeEqual(typed, end)
  await ctx.db
    .update(orders)
    .set({ tagMatched: isMatch })
    .where(and(eq(orders.id, id), sql`${orders.tagMatched} is not true`))
  await audit(ctx, 'order_tag_read', `order:${id}`, { matched: isMatch })
  return isMatch
}

/** The buyer accepts the animal. Returns the four digits for the bearer. */
export async function acceptAnimal(ctx: Ctx, id: number): Promise<string> {
  await ensureAtDoor(ctx, id)
  const order = firstRow(await ctx.db.select({ sealed: orders.handoverSealed }).from(orders).where(eq(orders.id, id)))
  await audit(ctx, 'order_accepted', `order:${id}`)
  return ctx.vault.open('handover', order.sealed)
}

/** The buyer refuses the animal with a reason and a picture. Either the order ends and both are stored, or nothing changes. */
export async function refuseAnimal(ctx: Ctx, media: MediaStore, id: number, { reason, photo }: { reason: string; photo: Buffer | null }) {
  await ensureAtDoor(ctx, id)
  await endWithPhoto(ctx, media, id, { to: REFUSED, reason }, photo)
}

/** As `takeStep`, and stores the picture that shows the reason. */
export const endWithPhoto = (ctx: Ctx, media: MediaStore, id: number, step: StepInput, photo: Buffer | null) =>
  withPictures(ctx, media, photo ? [photo] : [], 'photo', ([picture]) =>
    inTransaction(ctx, async (ctx) => {
      await takeStep(ctx, id, step)
      if (picture) await ctx.db.insert(orderPhotos).values({ orderId: id, position: 0, ...picture })
    }),
  )
