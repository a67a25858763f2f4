import type { Ctx } from '#src/kit/context.ts'
import { formatDay } from '#src/kit/dates.ts'
import { formatRupees } from '#src/kit/money.ts'
import { animalName } from '#src/orders/order-names.ts'
import type { OrderedLine } from '#src/orders/ordered-lines.server.ts'
import { PLACED, statusName, type OrderStatus } from '#src/orders/rules.ts'
import { m } from '#src/paraglide/messages.js'

/** What was ordered of a seller, as his page says it. */
export function shownLine(ctx: Ctx, line: OrderedLine) {
  const { locale } = ctx
  return {
    id: line.id,
    orderNo: line.orderNo,
    status: line.status,
    statusName: statusName(line.status, locale),
    listingId: line.listingId,
    name: animalName(line.animal, locale),
    code: line.animal.code,
    photoKey: line.animal.photoKey,
    count: line.itemsCount,
    unitPrice: formatRupees(line.unitPrice),
    total: formatRupees(line.unitPrice * BigInt(line.itemsCount)),
    seller: line.seller,
    placed: formatDay(new Date(line.placedOn), locale),
    deliveredOn: line.deliveredOn && formatDay(new Date(line.deliveredOn), locale),
    next: nextTexts[line.status]?.({}, { locale }) ?? null,
    reason: line.endReason,
    photoOfRefusal: line.photoKey,
    isAsked: line.status === PLACED,
    /** Until it is fetched it may still turn out that he cannot give it. */
    mayEnd: line.status < 5,
    hasCommission: line.hasCommission,
  }
}
export type ShownLine = ReturnType<typeof shownLine>

const nextTexts: Partial<Record<OrderStatus, typeof m.own_order_next_1>> = {
  1: m.own_order_next_1,
  2: m.own_order_next_2,
  3: m.own_order_next_2,
  4: m.own_order_next_4,
  5: m.own_order_next_5,
  6: m.own_order_next_6,
  100: m.own_order_next_100,
  101: m.own_order_next_101,
  102: m.own_order_next_102,
}
