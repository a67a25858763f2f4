import type { Ctx } from '#src/kit/context.ts'
import { formatMoment } from '#src/kit/time-money/dates.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { toRupeeNumber } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { animalName } from '../order-names.ts'
import { shownPlace } from '#src/orders/card/order-view.server.ts'
import type { Order } from '../queries.server.ts'
import { statusName } from '../process.server.ts'

export const csvHead = (locale: Locale): string[] =>
  [
    m.order_csv_number,
    m.order_csv_placed,
    m.order_status,
    m.order_csv_item,
    m.order_csv_code,
    m.order_csv_count,
    m.order_csv_price,
    m.order_csv_discount,
    m.order_csv_payable,
    m.order_part_buyer,
    m.order_csv_buyer_phone,
    m.order_delivery_address,
    m.order_part_seller,
    m.order_csv_seller_number,
    m.order_csv_seller_phone,
    m.order_pickup_address,
    m.order_csv_day,
    m.order_csv_delivered,
    m.order_payment_method,
    m.order_amount_paid,
    m.order_csv_receipt,
    m.order_csv_reason,
  ].map((text) => text({}, { locale }))

const methods = { cash: m.order_cash, upi: m.order_upi }

export function orderCells(ctx: Ctx, order: Order): (string | number)[] {
  const { locale } = ctx
  const place = (of: Order['delivery'] | null) => (of ? [of.name, ...shownPlace(of, locale).lines, of.phone].join(', ') : '')
  return [
    order.orderNo,
    formatMoment(order.createdAt, locale),
    statusName(order.status, locale),
    animalName(order.animal, locale),
    order.animal.code,
    order.count,
    toRupeeNumber(order.unitPrice),
    toRupeeNumber(order.discount),
    toRupeeNumber(order.payable),
    order.buyer?.name ?? '',
    order.buyer?.phone ?? '',
    place(order.delivery),
    order.seller?.name ?? '',
    order.seller?.id ?? '',
    order.seller?.phone ?? '',
    place(order.pickup),
    order.deliverOn ?? '',
    order.deliveredOn ?? '',
    order.paymentMethod === null ? '' : methods[order.paymentMethod]({}, { locale }),
    order.amountPaid === null ? '' : toRupeeNumber(order.amountPaid),
    order.receipt?.number ?? '',
    order.endReason ?? '',
  ]
}
