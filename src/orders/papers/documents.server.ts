import { eq } from 'drizzle-orm'
import { can } from '#src/accounts/rules.ts'
import { purchases, users } from '#src/accounts/tables.ts'
import { issueInvoice } from '#src/invoices/commands.server.ts'
import { getInvoice, type Invoice } from '#src/invoices/queries.server.ts'
import { commissionOf, type InvoiceKind, type Party, type Snapshot } from '#src/invoices/rules.ts'
import { audit } from '#src/kit/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { decimalOf } from '#src/kit/money.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { isCalledOff } from './rules.ts'
import { orders, type PlaceSnapshot } from './tables.ts'

export type Order = typeof orders.$inferSelect

/** What the papers of an order are made of. */
type PaperOrder = Pick<
  Order,
  | 'id'
  | 'orderNo'
  | 'buyerId'
  | 'sellerId'
  | 'count'
  | 'unitPrice'
  | 'discount'
  | 'commissionPercent'
  | 'animal'
  | 'pickup'
  | 'delivery'
  | 'deliveredOn'
  | 'paymentMethod'
  | 'amountPaid'
>

/**
 * Both documents of a delivered order, and the note that this buyer has bought of this seller. In the transaction that sets 6, and
 * last in it: the numbers' rows are locked until it ends. Always in this order, so that two deliveries never wait for each other.
 */
export async function issueDocuments(ctx: Ctx, order: PaperOrder): Promise<void> {
  const { id: orderId, buyerId, sellerId } = order
  await ctx.db.insert(purchases).values({ sellerId, buyerId }).onConflictDoNothing()
  const seller = await sellerName(ctx, order)
  await issueInvoice(ctx, { kind: 'receipt', orderId, ownerId: buyerId, snapshot: snapshotOf(order, 'receipt', seller) })
  await issueInvoice(ctx, { kind: 'commission', orderId, ownerId: sellerId, snapshot: snapshotOf(order, 'commission', seller) })
}

/** A document of an order; without a number it is a draft. */
export type OrderDocument = Omit<Invoice, 'id'> & { id: number | null }

/**
 * The viewer's document of an order. An admin also sees what it will be before the delivery: the same paper without a number. Of an
 * order that was called off there is none.
 */
export async function getDocument(ctx: Ctx, orderId: number, kind?: InvoiceKind): Promise<OrderDocument> {
  if (!can(ctx.viewer, 'operate')) return getInvoice(ctx, orderId, kind)
  const document = await getInvoice(ctx, orderId, kind).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'NOT_FOUND') return draftOf(ctx, orderId, kind ?? 'commission')
    throw error
  })
  await audit(ctx, 'sensitive_read', `order:${orderId}`, { what: document.kind })
  return document
}

/** For admins, before the delivery. NOT_FOUND for everybody else, and for an order that was called off. */
async function draftOf(ctx: Ctx, orderId: number, kind: InvoiceKind): Promise<OrderDocument> {
  if (!can(ctx.viewer, 'operate')) throw notFound()
  const [order] = await ctx.db.select().from(orders).where(eq(orders.id, orderId))
  if (!order || isCalledOff(order.status)) throw notFound()
  const snapshot = snapshotOf(order, kind, await sellerName(ctx, order))
  return { id: null, kind, number: null, orderId, issuedAt: ctx.now, settledAt: null, snapshot }
}

async function sellerName(ctx: Ctx, { sellerId }: PaperOrder): Promise<string> {
  const [seller] = await ctx.db.select({ name: users.name }).from(users).where(eq(users.id, sellerId))
  return seller?.name ?? ''
}

/**
 * Each party reads its own address in full. Of the other the buyer reads the place without its street, which only the seller, his vet
 * and admins know, and the seller nothing: who bought is between the buyer and us. Sandhai bears the discount, so it stands on the
 * receipt only, and the commission on the seller's only.
 */
function snapshotOf(order: PaperOrder, kind: InvoiceKind, seller: string): Snapshot {
  const { animal, count, unitPrice, discount, pickup, delivery, paymentMethod, amountPaid } = order
  const total = unitPrice * BigInt(count)
  const isCommission = kind === 'commission'
  const payable = isCommission ? commissionOf(total, order.commissionPercent) : total - discount
  return {
    orderNo: order.orderNo,
    deliveredOn: order.deliveredOn,
    seller: { name: seller, address: isCommission ? addressOf(pickup) : [placeOf(pickup)] },
    buyer: isCommission ? null : partyOf(delivery),
    lines: [{ code: animal.code, name: animal.name, nameEn: animal.nameEn, count, unitPrice: decimalOf(unitPrice) }],
    total: decimalOf(total),
    discount: isCommission ? '0' : decimalOf(discount),
    payable: decimalOf(payable),
    commissionPercent: isCommission ? order.commissionPercent : null,
    paid: isCommission || !paymentMethod || amountPaid === null ? null : { method: paymentMethod, amount: decimalOf(amountPaid) },
  }
}

const partyOf = (place: PlaceSnapshot): Party => ({ name: place.name, address: addressOf(place) })
const addressOf = (place: PlaceSnapshot) => [place.address1, place.address2, placeOf(place)].filter((row) => row.trim() !== '')
/** A taluk and district of one name are said once. */
const placeOf = ({ taluk, district, state, pincode }: PlaceSnapshot) =>
  `${[...new Set([taluk, district, state].filter((part) => part !== ''))].join(', ')} ${pincode}`
