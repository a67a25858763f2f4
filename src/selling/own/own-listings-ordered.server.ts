import type { Ctx } from '#src/kit/context.ts'
import { formatDay } from '#src/kit/time-money/dates.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { animalFor } from '#src/orders/order-names.ts'
import { saleTextOf, shownWhenOf } from '#src/orders/order-messages.server.ts'
import type { OrderedLine } from '#src/orders/list/ordered-lines.server.ts'
import { CHECKED, CONFIRMED, DELIVERED, isCalledOff, isStep } from '#src/orders/process.server.ts'
import { nextTexts, NOT_AVAILABLE, ON_THE_WAY, statusLook, statusName } from '#src/orders/process.server.ts'
import { m } from '#src/paraglide/messages.js'

/** An ordered line as its seller's page shows it. */
export function shownLine(ctx: Ctx, line: OrderedLine) {
  const { locale } = ctx
  return {
    id: line.id,
    orderNo: line.orderNo,
    status: line.status,
    statusName: statusName(line.status, locale),
    look: statusLook(line.status),
    listingId: line.listingId,
    name: animalFor(line.animal, locale),
    code: line.animal.code,
    photoKey: line.animal.photoKey,
    count: line.itemsCount,
    unitPrice: formatRupees(line.unitPrice),
    total: formatRupees(line.unitPrice * BigInt(line.itemsCount)),
    youGet: isCalledOff(line.status) ? null : formatRupees(line.due),
    seller: line.seller,
    placed: formatDay(new Date(line.placedOn), locale),
    deliveredOn: line.deliveredOn && formatDay(new Date(line.deliveredOn), locale),
    next: nextText(line, locale),
    /** The planned day, until the animal has left. */
    goes: line.deliverOn !== null && line.status < ON_THE_WAY ? m.own_order_day({ when: shownWhenOf(line, locale) }, { locale }) : null,
    fetchedBy: line.fetchedBy,
    reason: line.endReason,
    photoOfRefusal: line.photoKey,
    isDelivered: line.status === DELIVERED,
    isAsked: isStep(line.status, CONFIRMED),
    /** Until it is fetched, the seller may still report that it is not available. */
    mayEnd: isStep(line.status, NOT_AVAILABLE),
    hasCommission: line.hasCommission,
  }
}
export type ShownLine = ReturnType<typeof shownLine>

/** The next step; for a called-off order also the state of the listing. */
function nextText({ status, deliverOn, isForSale }: OrderedLine, locale: Locale): string | null {
  // A planned day replaces the text "We will tell you the day".
  if (deliverOn !== null && (status === CONFIRMED || status === CHECKED)) return m.own_order_keep({}, { locale })
  const text = nextTexts[status]?.seller?.({}, { locale })
  const sale = isCalledOff(status) ? saleTextOf(status, isForSale)({}, { locale }) : undefined
  return [text, sale].filter((each) => each !== undefined).join(' ') || null
}
