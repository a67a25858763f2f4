import { createRoute, z } from '@hono/zod-openapi'
import { answer, idInPath, legacy, refusals, sendPersonal, type Api } from '#src/kit/api.server.ts'
import { indianDay } from '#src/kit/dates.ts'
import type { Locale } from '#src/kit/locale.ts'
import { toRupeeNumber } from '#src/kit/money.ts'
import { CGST_PERCENT, IGST_PERCENT, moneyIn } from '#src/invoices/rules.ts'
import { getDocument, type OrderDocument } from './documents.server.ts'

const document = z
  .strictObject({
    invoicenumber: z.string().openapi({ description: 'Empty on a draft.' }),
    invoice_date: z.iso.date(),
    order_no: z.string(),
    totalprice: z.number().openapi({ description: 'Items at their unit price, in rupees.' }),
    discountedamount: z.number(),
    payable: z.number().openapi({ description: 'The commission on the seller’s copy, what was paid on the buyer’s.' }),
    profitpercent: z.int().optional().openapi({ description: "On the seller's copy only." }),
    commission: z.number().optional().openapi({ description: "On the seller's copy only." }),
    issettled: z.boolean().optional().openapi({ description: "On the seller's copy only." }),
    igst: z.number(),
    cgst: z.number(),
    items: z.array(z.strictObject({ uniqueidentifier: z.string(), name: z.string(), items_count: z.int(), price_per_item: z.number() })),
  })
  .openapi('SaleInvoice')

export function addInvoiceCalls(api: Api): void {
  legacy(
    api,
    createRoute({
      method: 'get',
      path: '/saleinvoice/orderid={orderId}',
      tags: ['Orders'],
      summary: 'The document of an order',
      description: [
        "The seller gets the commission invoice, the buyer the receipt, which names no commission; an admin sees the seller's.",
        'It is there once the order was delivered, and never changes. Before that, and for anybody else, it is a 404; an admin then gets',
        'the same as a draft, without a number.',
      ].join(' '),
      request: {
        params: z.object({
          orderId: idInPath(),
        }),
      },
      responses: { 200: answer('The document', document), ...refusals('VALIDATION', 'NOT_FOUND') },
    }),
    async (c) => sendPersonal(c, onTheWire(await getDocument(c.var.ctx, c.req.valid('param').orderId), c.var.ctx.locale)),
  )
}

const rupeesIn = (text: string) => toRupeeNumber(moneyIn(text))

function onTheWire({ kind, number, issuedAt, settledAt, snapshot }: OrderDocument, locale: Locale): z.infer<typeof document> {
  return {
    invoicenumber: number ?? '',
    invoice_date: indianDay(issuedAt),
    order_no: snapshot.orderNo,
    totalprice: rupeesIn(snapshot.total),
    discountedamount: rupeesIn(snapshot.discount),
    payable: rupeesIn(snapshot.payable),
    ...(kind === 'commission' && {
      profitpercent: snapshot.commissionPercent ?? 0,
      commission: rupeesIn(snapshot.payable),
      issettled: settledAt !== null,
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
