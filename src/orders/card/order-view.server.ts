import { namesPlace, placeName } from '#src/addresses/places.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { daysBefore, formatDay, formatMoment, indianDay } from '#src/kit/time-money/dates.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { fieldRupees, formatRupees } from '#src/kit/time-money/money.ts'
import { restOf } from '#src/invoices/rules.ts'
import { settlementText } from '#src/invoices/settlement-text.ts'
import { isAnimalType } from '#src/listings/fields/listing-questions.ts'
import { listedFor, lookups } from '#src/listings/reference/lookups.server.ts'
import { m } from '#src/paraglide/messages.js'
import { lastPlanDay, planOf } from '#src/orders/steps/handover.server.ts'
import { shownWhenOf } from '../order-messages.server.ts'
import { animalName } from '../order-names.ts'
import type { Order, OrderStep, Party } from '../queries.server.ts'
import { stepsFor } from '../policy.ts'
import { CANCELLED, DELIVERED, HANDOVER_TRIES, hasEffect, isCalledOff, isTerminal, isUnrecorded, ON_THE_WAY } from '../process.server.ts'
import { nextTexts, partTexts, statusLook, statusName, stepTo, wayTo, type OrderStatus } from '../process.server.ts'
import type { PlaceSnapshot } from '../tables.ts'

/** The order as its page shows it, as text in the viewer's language. `days`: the usual days until delivery. */
export function shownOrder(ctx: Ctx, order: Order, days?: { from: number; to: number }) {
  const { locale } = ctx
  const opts = { locale }
  const steps = stepsFor(ctx.viewer, order)
  return {
    id: order.id,
    orderNo: order.orderNo,
    status: order.status,
    statusName: statusName(order.status, locale),
    look: statusLook(order.status),
    isOver: isTerminal(order.status),
    listingId: order.listingId,
    name: animalName(order.animal, locale),
    code: order.animal.code,
    isAnimal: isAnimalType(lookups.category(order.animal.categoryId).typeId),
    photoKey: order.animal.photoKey,
    count: order.count,
    unitPrice: formatRupees(order.unitPrice),
    originalPrice: order.originalPrice > order.unitPrice ? formatRupees(order.originalPrice) : null,
    discount: order.discount > 0n ? formatRupees(order.discount) : null,
    payable: formatRupees(order.payable),
    sellerName: listedFor(order.sellerName || m.profile_deleted_user({}, opts), order.animal.ownerName, locale),
    placed: formatDay(order.createdAt, locale),
    deliveredOn: order.deliveredOn && formatDay(new Date(order.deliveredOn), locale),
    when: order.deliverOn === null ? null : shownWhenOf(order, locale),
    usually: order.deliverOn === null && !isTerminal(order.status) && days ? usualText(ctx, order.createdAt, days) : null,
    delivery: shownPlace(order.delivery, locale),
    pickup: order.pickup && shownPlace(order.pickup, locale),
    paid: paymentText(order, ctx),
    isPaymentOpen: isUnrecorded(order),
    reason: order.endReason,
    photoOfRefusal: order.photoKey,
    next: nextTexts[order.status]?.buyer?.({}, opts) ?? null,
    /** An admin also sees drafts of the papers. */
    hasPaper: order.part === 'admin' ? !isCalledOff(order.status) : order.receipt !== null,
    isStalled: order.isStalled,
    mayCancel: steps.includes(CANCELLED),
    /** For the buyer of a delivered order. */
    after: order.part === 'buyer' && order.status === DELIVERED ? { sellerId: order.sellerName ? order.sellerId : null } : null,
    /** The bearer, so that the buyer recognises them. */
    broughtBy:
      order.part === 'buyer' ? order.listedBearer && { name: order.listedBearer.name, pictureKey: order.listedBearer.pictureKey } : null,
    isAtDoor: order.part === 'buyer' && order.status === ON_THE_WAY,
    steps: order.steps.map((step) => shownStep(ctx, step, order)),
    toCome: statusesToCome(order, locale),
    desk: order.part === 'admin' ? shownDesk(ctx, order, steps) : null,
  }
}

const statusesToCome = ({ status }: Order, locale: Locale): string[] =>
  isTerminal(status) ? [] : wayTo(DELIVERED).flatMap((id) => (id > status ? [statusName(id, locale)] : []))

/** The usual delivery time, until the office has planned a day. Null when that time is over. */
function usualText({ now, locale }: Ctx, placedAt: Date, days: { from: number; to: number }): string | null {
  const first = daysBefore(placedAt, -days.from)
  const last = daysBefore(placedAt, -days.to)
  if (indianDay(last) < indianDay(now)) return null
  const [from, day] = [first, last].map((each) => formatDay(each, locale).replace(/-\d{4}$/, '')) as [string, string]
  return days.from === days.to ? m.order_usually_one({ day }, { locale }) : m.order_usually({ from, to: day }, { locale })
}

/** Data for the admin's forms. */
function shownDesk(ctx: Ctx, order: Order, steps: OrderStatus[]) {
  const { locale } = ctx
  return {
    buyer: shownParty(order.buyer!, ctx),
    seller: shownParty(order.seller!, ctx),
    bearer: order.bearer && { ...shownParty(order.bearer, ctx), raw: order.bearer.phone },
    listedBearer: order.listedBearer,
    choices: [order.status, ...steps].map((id) => ({ id, name: statusName(id, locale) })),
    /** The status with which the form asks for the payment. */
    closing: steps.find((to) => hasEffect(to, 'day and payment are recorded')),
    ends: steps.flatMap((to) => {
      const text = stepTo(to)?.button
      return text ? [{ to, text: text({ number: order.orderNo }, { locale }) }] : []
    }),
    deliverOn: order.deliverOn ?? '',
    deliverWindow: order.deliverWindow ?? '',
    /** The plan that the form renders, and the range of days. */
    seen: planOf(order),
    today: indianDay(ctx.now),
    lastDay: lastPlanDay(ctx.now),
    /** The recorded settlement as a sentence; null before it is settled. */
    commission: order.commission && { settled: settledText(order.commission, locale) },
    payableRupees: fieldRupees(order.payable),
    isSellerGone: !order.seller!.isActive && !isTerminal(order.status),
    tag: tagText(order, ctx),
    isLocked: order.status === ON_THE_WAY && order.handoverTries >= HANDOVER_TRIES,
  }
}
export type ShownOrder = ReturnType<typeof shownOrder>

export function shownPlace({ name, phone, address1, address2, pincode, taluk, district, state }: PlaceSnapshot, locale: Locale) {
  const parts = [taluk, district, state].filter((part) => part !== '').map((part) => placeName(part, locale))
  // Show a name once when taluk and district are equal.
  const second = namesPlace(address2, taluk) ? '' : address2
  const lines = [address1, second, `${[...new Set(parts)].join(', ')} ${pincode}`].filter((line) => line.trim() !== '')
  return { name, phone, lines }
}
export type ShownPlace = ReturnType<typeof shownPlace>

const shownParty = ({ id, name, phone, isActive }: Party, { locale }: Ctx) => ({
  id,
  name: name || m.profile_deleted_user({}, { locale }),
  phone: name ? phone : '',
  isActive,
})

function shownStep(ctx: Ctx, { id, from, to, as, byId, byName, note, at }: OrderStep, { listedBearer }: Order) {
  const opts = { locale: ctx.locale }
  const part = partTexts[as]({}, opts)
  // Through their link, a bearer acts with the rights of the admin who made it.
  const isByLink = as === 'bearer' && listedBearer !== null
  const isMine = byId === ctx.viewer?.id && !isByLink
  const name = byName && isByLink ? listedBearer.name : byName
  return {
    id,
    text: stepText(from, to, ctx.locale),
    by: isMine ? m.order_part_you({}, opts) : name ? `${part} · ${name}` : part,
    at: formatMoment(at, ctx.locale).slice(0, -3),
    when: at.toISOString(),
    note,
  }
}

/** A step to the same status records the payment. */
function stepText(from: number, to: number, locale: Locale): string {
  if (from === to) return m.order_payment_recorded({}, { locale })
  return isCalledOff(from) ? m.order_step_undone({}, { locale }) : statusName(to, locale)
}

function paymentText({ status, paymentMethod, amountPaid, payable }: Order, { locale }: Ctx): string | null {
  if (isUnrecorded({ status, paymentMethod })) return m.order_payment_open({}, { locale })
  if (amountPaid === null) return null
  const [amount, opts] = [formatRupees(amountPaid), { locale }]
  const paid = paymentMethod === 'upi' ? m.order_paid_upi({ amount }, opts) : m.order_paid_cash({ amount }, opts)
  const rest = restOf(payable, amountPaid)
  return rest > 0n
    ? `${amountPaid === 0n ? m.invoice_paid_nothing({}, opts) : `${paid}.`} ${m.invoice_paid_rest({ rest: formatRupees(rest) }, opts)}`
    : paid
}

function settledText({ settledAt, settlement }: NonNullable<Order['commission']>, locale: Locale): string | null {
  if (settlement) return settlementText(settlement, locale)
  return settledAt && m.invoice_settled({ day: formatDay(settledAt, locale) }, { locale })
}

function tagText({ hasTag, tagMatched }: Order, { locale }: Ctx): string | null {
  if (!hasTag) return null
  if (tagMatched === null) return m.order_tag_unread({}, { locale })
  return tagMatched ? m.order_tag_matched({}, { locale }) : m.order_tag_differs({}, { locale })
}
