import { z } from '@hono/zod-openapi'
import { answer, idInPath, call, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { toRupeeNumber } from '#src/kit/time-money/money.ts'
import { CGST_PERCENT, IGST_PERCENT, moneyIn, settledBy, settlementMethods } from '#src/invoices/rules.ts'
import { getDocument, paymentOf, type OrderDocument } from './documents.server.ts'
import { paymentMethods, type Payment } from '../rules.ts'

const document = z
  .strictObject({
    invoicenumber: z.string().openapi({ description: 'The number. Empty on a draft.' }),
    invoice_date: z.iso.date(),
    order_no: z.string(),
    totalprice: z.number().openapi({ description: 'The price of all items before any discount, in rupees.' }),
    discountedamount: z.number(),
    payable: z.number().openapi({ description: 'Rupees: the commission on the seller’s copy, the payable amount on the buyer’s.' }),
    payment_method: z
      .enum(paymentMethods)
      .nullable()
      .optional()
      .openapi({ description: "On the buyer's copy only. Null until it is recorded." }),
    amount_paid: z.number().nullable().optional().openapi({ description: "On the buyer's copy only. Null until it is recorded." }),
    profitpercent: z.int().optional().openapi({ description: "On the seller's copy only." }),
    commission: z.number().optional().openapi({ description: "On the seller's copy only." }),
    issettled: z.boolean().optional().openapi({ description: "On the seller's copy only." }),
    settlement: z
      .strictObject({ amount: z.number(), method: z.enum(settlementMethods), reference: z.string(), day: z.iso.date() })
      .nullable()
      .optional()
      .openapi({
        description: "On the seller's copy only: the payment to the seller. Negative if they collected the price and paid the commission.",
      }),
    igst: z.number(),
    cgst: z.number(),
    items: z.array(z.strictObject({ uniqueidentifier: z.string(), name: z.string(), items_count: z.int(), price_per_item: z.number() })),
  })
  .openapi('SaleInvoice')

export function addInvoiceCalls(api: Api): void {
  call(api, 'GET /saleinvoice/orderid={orderId}', {
    tags: ['Orders'],
    summary: 'Retrieve the invoice or receipt of an order',
    description: [
      'Sellers get the commission invoice; buyers get the receipt, which has no commission; admins get',
      'the invoice. The document is issued at delivery and never changes. Before that, admins get a',
      'draft without a number, and the others NOT_FOUND. NOT_FOUND is always returned to other people.',
    ].join(' '),
    request: {
      params: z.object({
        orderId: idInPath(),
      }),
    },
    responses: { 200: answer('The document.', document), ...refusals('VALIDATION', 'NOT_FOUND') },
    run: async (c) => {
      const { ctx } = c.var
      const document = await getDocument(ctx, c.req.valid('param').orderId)
      return sendPersonal(c, onTheWire(document, await paymentOf(ctx, document), ctx.locale))
    },
  })
}

const rupeesIn = (text: string) => toRupeeNumber(moneyIn(text))

function onTheWire(
  { kind, number, issuedAt, settledAt, settlement, snapshot }: OrderDocument,
  payment: Payment | null | undefined,
  locale: Locale,
): z.infer<typeof document> {
  return {
    invoicenumber: number ?? '',
    invoice_date: indianDay(issuedAt),
    order_no: snapshot.orderNo,
    totalprice: rupeesIn(snapshot.total),
    discountedamount: rupeesIn(snapshot.discount),
    payable: rupeesIn(snapshot.payable),
    ...(payment !== undefined && { payment_method: payment?.method ?? null, amount_paid: payment ? toRupeeNumber(payment.amount) : null }),
    ...(kind === 'commission' && {
      profitpercent: snapshot.commissionPercent ?? 0,
      commission: rupeesIn(snapshot.payable),
      issettled: settledAt !== null,
      settlement: settlement && {
        amount: toRupeeNumber(settledBy(settlement)),
        method: settlement.method,
        reference: settlement.reference,
        day: settlement.paidOn,
      },
    }),
    igst: IGST_PERCENT,
    cgst: CGST_PERCENT,
    items: snapshot.lines.map((line) => ({
      uniqueidentifier: line.code,
      name: (locale === 'en' && line.nameEn) || line.name,
      items_count: line.count,
      price_per_item: rupeesIn(line.unitPrice),
    })),
  }
}
