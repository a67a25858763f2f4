import { and, eq, inArray } from 'drizzle-orm'
import { users } from '#src/accounts/tables.ts'
import { devicesOf, SMS_NAME, smsTo, type Receiver } from '#src/accounts/notifications/receivers.server.ts'
import { readContact } from '#src/kit/messages/contact-board.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { formatDay } from '#src/kit/time-money/dates.ts'
import { localized, type Locale } from '#src/kit/text/locale.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { queueMessage, queueMessages, type NewMessage } from '#src/kit/messages/outbox.server.ts'
import { shorten } from '#src/kit/http/seo.ts'
import { restOf } from '#src/invoices/rules.ts'
import { listings } from '#src/listings/tables.ts'
import { m } from '#src/paraglide/messages.js'
import { isForSale } from './for-sale.ts'
import { DELIVERED, isCalledOff, NOT_AVAILABLE, ON_THE_WAY, stepTo } from './process.server.ts'
import { payableOf } from './rules.ts'
import type { orders } from './tables.ts'

/**
 * SMS to buyer, seller and bearer, each in their language, about an order and each of its steps. Call these inside the transaction that
 * changes the order. No message contains the other side's name, number or place.
 */
type NotifiedOrder = Pick<
  typeof orders.$inferSelect,
  'id' | 'orderNo' | 'buyerId' | 'sellerId' | 'count' | 'unitPrice' | 'discount' | 'animal' | 'deliverOn' | 'deliverWindow'
>

type StepOrder = NotifiedOrder & Pick<typeof orders.$inferSelect, 'listingId' | 'bearerId' | 'amountPaid'>

/** An SMS lists up to this many order numbers; above that it gives their count. */
const SMS_NUMBERS = 3

type Side = 'buyer' | 'seller'

/** Notifies the buyer once about the orders of one confirmation, and each seller once about theirs. `people`: the receivers. */
export async function notifyOfOrder(ctx: Ctx, placed: NotifiedOrder[], people: Map<number, Receiver>): Promise<void> {
  const [first] = placed
  if (!first) return
  const messages: NewMessage[] = []
  const buyer = people.get(first.buyerId)
  if (buyer) {
    const { locale } = buyer
    const amount = formatRupees(placed.reduce((sum, order) => sum + payableOf(order), 0n))
    const variables = { number: numbersOf(placed, locale), amount, link: linkFor(ctx, 'buyer', locale, first.id) }
    messages.push(smsTo(buyer, 'order-placed-buyer', variables, m.sms_order_placed_buyer(variables, { locale })))
  }
  for (const [sellerId, ordered] of Map.groupBy(placed, ({ sellerId }) => sellerId)) {
    const seller = people.get(sellerId)
    if (!seller) continue
    const { locale } = seller
    const variables = {
      name: itemsOf(ordered, locale),
      number: numbersOf(ordered, locale),
      link: linkFor(ctx, 'seller', locale, ordered[0]!.id),
    }
    messages.push(smsTo(seller, 'order-placed-seller', variables, m.sms_order_placed_seller(variables, { locale })))
  }
  await queueMessages(ctx, messages)
}

/**
 * Notifies both sides, including the person who took the step, so that they have it in writing. Also notifies the bearer when the step
 * concerns them.
 */
export async function notifyOfStep(ctx: Ctx, order: StepOrder, from: number, to: number): Promise<void> {
  const step = stepTo(to)
  if (!step || from === to) return
  const people = await peopleOf(ctx, [order.buyerId, order.sellerId])
  const sale = isCalledOff(to) ? await saleText(ctx, order.listingId, to) : null
  const rest = order.amountPaid === null ? 0n : restOf(payableOf(order), order.amountPaid)
  const isShort = to === DELIVERED && rest > 0n
  for (const side of ['buyer', 'seller'] as const) {
    const person = people.get(side === 'buyer' ? order.buyerId : order.sellerId)
    if (!person) continue
    const { locale } = person
    const variables = {
      ...variablesOf(ctx, order, side, locale, to),
      sale: sale?.({}, { locale }) ?? '',
      paid: formatRupees(order.amountPaid ?? 0n),
      rest: formatRupees(rest),
    }
    if (side === 'buyer' && isShort)
      await send(ctx, person, 'order-delivered-open-buyer', variables, m.sms_order_delivered_open_buyer(variables, { locale }))
    else await send(ctx, person, `order-${step.name}-${side}`, variables, step.sms[side](variables, { locale }))
  }
  if (order.bearerId === null) return
  if (step.sms.bearer === 'leaves') await notifyBearer(ctx, order, order.bearerId, to)
  else if (step.sms.bearer === 'off' && order.bearerId !== order.sellerId) await notifyFormerBearer(ctx, order, order.bearerId)
}

/** The listing's state, now that the stock is back. */
async function saleText(ctx: Ctx, listingId: number, to: number) {
  const [listing] = await ctx.db
    .select({ state: listings.state, isSold: listings.isSold, stock: listings.stock, touchedAt: listings.touchedAt })
    .from(listings)
    .where(eq(listings.id, listingId))
  return saleTextOf(to, listing !== undefined && isForSale(listing, ctx.now))
}

/** Text for the seller of an order that ended without a sale. A seller who reported no stock is asked to correct the stock. */
export function saleTextOf(status: number, isAgain: boolean): typeof m.order_sale_on {
  if (!isAgain) return m.order_sale_off
  return status === NOT_AVAILABLE ? m.order_sale_check : m.order_sale_on
}

/**
 * The delivery day was set, changed or removed: notifies the buyer, and the seller while they have the animal. A seller who is the bearer
 * gets the bearer's SMS instead.
 */
export async function notifyOfDay(ctx: Ctx, order: StepOrder & { status: number }): Promise<void> {
  const people = await peopleOf(ctx, [order.buyerId, order.sellerId])
  const isGone = order.deliverOn === null
  const buyer = people.get(order.buyerId)
  if (buyer) {
    const { locale } = buyer
    const variables = variablesOf(ctx, order, 'buyer', locale)
    const text = isGone ? m.sms_order_day_gone_buyer : m.sms_order_day_buyer
    await send(ctx, buyer, isGone ? 'order-day-gone-buyer' : 'order-day-buyer', variables, text(variables, { locale }))
  }
  const seller = people.get(order.sellerId)
  if (seller && order.status < ON_THE_WAY && order.bearerId !== order.sellerId) {
    const { locale } = seller
    const variables = variablesOf(ctx, order, 'seller', locale)
    const text = isGone ? m.sms_order_day_gone_seller : m.sms_order_day_seller
    await send(ctx, seller, isGone ? 'order-day-gone-seller' : 'order-day-seller', variables, text(variables, { locale }))
  }
}

/** Tells the bearer where to close the order with the buyer's four digits: when they are named, and when the animal leaves. */
export async function notifyBearer(ctx: Ctx, order: NotifiedOrder, bearerId: number, to?: number): Promise<void> {
  const bearer = (await peopleOf(ctx, [bearerId])).get(bearerId)
  if (!bearer) return
  const { locale } = bearer
  const link = ctx.publicOrigin + localized(`/orders/${order.id}/handover`, locale)
  const variables = { ...variablesOf(ctx, order, 'buyer', locale, to), link }
  const leaves = to === ON_THE_WAY
  const text = leaves ? m.sms_order_bearer_leaves : m.sms_order_bearer
  await send(ctx, bearer, leaves ? 'order-bearer-leaves' : 'order-bearer', variables, text(variables, { locale }))
}

/** Tells the former bearer that they no longer deliver the order. */
export async function notifyFormerBearer(ctx: Ctx, order: NotifiedOrder, bearerId: number): Promise<void> {
  const bearer = (await peopleOf(ctx, [bearerId])).get(bearerId)
  if (!bearer) return
  const { locale } = bearer
  const { phone } = await readContact(ctx.db)
  const variables = { name: itemsOf([order], locale), number: order.orderNo, phone }
  await send(ctx, bearer, 'order-bearer-off', variables, m.sms_order_bearer_off(variables, { locale }))
}

const variablesOf = (ctx: Ctx, order: NotifiedOrder, side: Side, locale: Locale, to?: number) => ({
  name: itemsOf([order], locale),
  number: order.orderNo,
  when: to === ON_THE_WAY && order.deliverOn === null ? m.order_day_soon({}, { locale }) : whenOf(order, locale),
  amount: formatRupees(payableOf(order)),
  link: linkFor(ctx, side, locale, order.id),
})

const windowTexts = { morning: m.order_window_morning, midday: m.order_window_midday, evening: m.order_window_evening }

/** `22-November-2026, morning`; without a day, the text that we will notify the reader. */
function whenOf({ deliverOn, deliverWindow }: Pick<NotifiedOrder, 'deliverOn' | 'deliverWindow'>, locale: Locale): string {
  if (deliverOn === null) return m.order_day_open({}, { locale })
  const day = formatDay(new Date(deliverOn), locale)
  return deliverWindow === null ? day : `${day}, ${windowTexts[deliverWindow]({}, { locale })}`
}

/** The same for pages, with a no-break form of the date and "4–8"; in an SMS such characters would cost more. */
export const shownWhenOf = (order: Parameters<typeof whenOf>[0], locale: Locale): string =>
  whenOf(order, locale).replaceAll(/[-–]/g, '\u2060$&\u2060')

async function peopleOf(ctx: Ctx, ids: number[]): Promise<Map<number, Receiver>> {
  const rows = await ctx.db
    .select({ id: users.id, phone: users.phone, locale: users.locale, devices: devicesOf() })
    .from(users)
    .where(and(inArray(users.id, [...new Set(ids)]), eq(users.isActive, true)))
  return new Map(rows.map((person) => [person.id, person]))
}

function itemsOf(of: NotifiedOrder[], locale: Locale): string {
  const [first, ...more] = of.map(({ animal, count }) => {
    const name = shorten((locale === 'en' ? animal.nameEn : null) ?? animal.name, SMS_NAME)
    return count === 1 ? name : `${name} × ${count}`
  })
  return more.length === 0 ? first! : `${first} +${more.length}`
}

function numbersOf(of: NotifiedOrder[], locale: Locale): string {
  const numbers = of.map(({ orderNo }) => orderNo)
  const rest = numbers.length - SMS_NUMBERS
  const shown = numbers.slice(0, SMS_NUMBERS).join(', ')
  return rest > 0 ? m.order_numbers_more({ numbers: shown, count: rest }, { locale }) : shown
}

const linkFor = (ctx: Ctx, side: Side, locale: Locale, id: number) =>
  ctx.publicOrigin + localized(side === 'buyer' ? `/orders#o${id}` : '/seller-product/?tab=1', locale)

const send = (ctx: Ctx, ...message: Parameters<typeof smsTo>) => queueMessage(ctx, smsTo(...message))
