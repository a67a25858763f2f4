import { z } from '@hono/zod-openapi'
import { leftTo } from '#src/kit/text/text.ts'
import { can, requireLoggedIn } from '#src/accounts/policy.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { call, countInPath, refusals, sendPersonal, wholeInPath, type Api } from '#src/kit/http/api.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { commissionInvoicesOf, type Invoice } from '#src/invoices/queries.server.ts'
import { moneyIn } from '#src/invoices/rules.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { toRupeeNumber } from '#src/kit/time-money/money.ts'
import { encodeCursor } from '#src/kit/http/pagination.ts'
import { answerPage, cursorInQuery, cursorOf } from '#src/kit/http/paged-answers.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { listProductsById } from '#src/listings/queries.server.ts'
import { MAX_TOP } from '#src/listings/browse/schemas.ts'
import { productInFull, wholeProduct } from '#src/listings/calls/wire.server.ts'
import { listOrderedLines, type OrderedLine as Line } from '#src/orders/list/ordered-lines.server.ts'
import { statusName } from '#src/orders/process.server.ts'
import { listOwnIds } from './own-listings.server.ts'

const orderedLine = z
  .strictObject({
    id: z.int(),
    order_no: z.string(),
    items_count: z.int(),
    price_per_item: z.number().openapi({ description: 'The price of one in rupees, as ordered.' }),
    status: z.string(),
    statusId: z.int(),
    created_date: z.iso.date(),
    delivered_on: z.iso.date().nullable(),
    sale_invoice: z
      .strictObject({
        invoicenumber: z.string(),
        invoice_date: z.iso.date(),
        totalprice: z.number(),
        profitpercent: z.int(),
        commission: z.number(),
        issettled: z.boolean(),
      })
      .nullable()
      .openapi({ description: 'The commission invoice. Null before the delivery.' }),
    product: productInFull.openapi({ description: 'The listing at present.' }),
  })
  .openapi('OrderedLine', { description: 'A line of an order, without the buyer.' })

/** Row 30 of api.md. */
export function addOwnListingsCalls(api: Api): void {
  call(api, 'GET /sellerproducts/seller={seller}&type={type}&getitems={getitems}&top={top}', {
    tags: ['Selling'],
    summary: "List a seller's listings or ordered lines",
    description: [
      'Newest first, in every state. Sellers list their own; admins list those of any seller, or of all with `seller=0`. `instock`:',
      'listings that are not sold. `sold`: marked as sold, or no stock left. `ordered`: lines of orders with their status.',
    ].join(' '),
    request: {
      params: z.object({
        seller: wholeInPath(/^(0|[1-9]\d{0,14})$/, 'A whole number in plain digits.', { minimum: 0 }),
        type: leftTo('nobody', z.string().max(20).openapi({ description: 'Ignored.' })),
        getitems: z.enum(['instock', 'sold', 'ordered'], 'instock, sold or ordered'),
        top: countInPath(0, MAX_TOP).openapi({ description: `The number of items. 0 means ${MAX_TOP}.` }),
      }),
      query: z.strictObject({ cursor: cursorInQuery }),
    },
    responses: {
      200: answerPage('The listings, or the lines of orders.', z.union([z.array(productInFull), z.array(orderedLine)])),
      ...refusals('VALIDATION', 'NOT_FOUND'),
    },
    run: async (c) => {
      const { ctx } = c.var
      const { seller, getitems, top } = c.req.valid('param')
      const { cursor } = c.req.valid('query')
      const sellerId = seller === 0 && can(ctx.viewer, 'operate') ? null : seller
      if (sellerId === 0) throw notFound()
      const list = `own.${seller}.${getitems}`
      const after = cursorOf(list, cursor, /^id$/)
      if (getitems === 'ordered') {
        const { lines, nextAfterId } = await orderedLines(ctx, sellerId, { afterId: after?.id ?? null, top: top || MAX_TOP })
        if (nextAfterId !== null) c.header('X-Next-Cursor', encodeCursor(list, { value: 'id', id: nextAfterId }))
        return sendPersonal(c, lines)
      }
      const tab = getitems === 'sold' ? 'soldout' : 'instock'
      const { ids, next } = await listOwnIds(ctx, { sellerId, tab, top: top || MAX_TOP, afterId: after?.id ?? null })
      if (next !== null) c.header('X-Next-Cursor', encodeCursor(list, { value: 'id', id: next }))
      return sendPersonal(c, await wholeById(ctx, ids))
    },
  })
}

/** Order lines with their animals and commission invoices; null: of all sellers. An admin's read of another person's lines is audited. */
async function orderedLines(ctx: Ctx, sellerId: number | null, place: { afterId: number | null; top: number }) {
  if (sellerId !== requireLoggedIn(ctx).id && can(ctx.viewer, 'operate'))
    await audit(ctx, 'sensitive_read', sellerId === null ? 'orders:all' : `user:${sellerId}`, { what: 'ordered' })
  const { lines, nextAfterId } = await listOrderedLines(ctx, sellerId, place)
  const listed = await wholeById(ctx, [...new Set(lines.map(({ listingId }) => listingId))])
  const papers = await commissionInvoicesOf(
    ctx,
    lines.map(({ id }) => id),
  )
  const products = new Map(listed.map((product) => [product.id, product]))
  return {
    lines: lines.flatMap((line) => {
      const product = products.get(line.listingId)
      return product ? [lineOnWire(ctx, line, product, papers.get(line.id))] : []
    }),
    nextAfterId,
  }
}

const invoiceOnWire = ({ number, issuedAt, settledAt, snapshot }: Omit<Invoice, 'settlement'>) => ({
  invoicenumber: number!,
  invoice_date: indianDay(issuedAt),
  totalprice: toRupeeNumber(moneyIn(snapshot.total)),
  profitpercent: snapshot.commissionPercent ?? 0,
  commission: toRupeeNumber(moneyIn(snapshot.payable)),
  issettled: settledAt !== null,
})

const lineOnWire = (
  ctx: Ctx,
  line: Line,
  product: z.infer<typeof productInFull>,
  invoice: Omit<Invoice, 'settlement'> | undefined,
): z.infer<typeof orderedLine> => ({
  id: line.id,
  order_no: line.orderNo,
  items_count: line.itemsCount,
  price_per_item: toRupeeNumber(line.unitPrice),
  status: statusName(line.status, ctx.locale),
  statusId: line.status,
  created_date: line.placedOn,
  delivered_on: line.deliveredOn,
  sale_invoice: invoice ? invoiceOnWire(invoice) : null,
  product,
})

/** In the order of `ids`. For the seller or an admin. */
async function wholeById(ctx: Ctx, ids: number[]): Promise<z.infer<typeof productInFull>[]> {
  const products = new Map((await listProductsById(ctx, [...new Set(ids)])).map((product) => [product.id, product]))
  return ids.flatMap((id) => {
    const product = products.get(id)
    if (!product) return []
    return [wholeProduct(ctx, product, true)]
  })
}
