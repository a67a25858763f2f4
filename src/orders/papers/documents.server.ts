import { and, eq } from 'drizzle-orm'
import { can } from '#src/accounts/policy.ts'
import { users } from '#src/accounts/tables.ts'
import { purchases } from '#src/reviews/tables.ts'
import { issueInvoice } from '#src/invoices/commands.server.ts'
import { getInvoice, type Invoice } from '#src/invoices/queries.server.ts'
import type { InvoiceKind } from '#src/invoices/rules.ts'
import { saleMoney } from '#src/invoices/sale-money.ts'
import type { Party, Snapshot } from '#src/invoices/tables.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { decimalOf, type Money } from '#src/kit/time-money/money.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { isCalledOff } from '../process.server.ts'
import type { Payment } from '../rules.ts'
import { orders, type PlaceSnapshot } from '../tables.ts'

export type Order = typeof orders.$inferSelect

/**
 * Issues both documents of a delivered order, and records that this buyer has bought from this seller. Call it last in the transaction that
 * sets status 6, because it locks the counters until the end. The fixed order of the two counters prevents deadlocks.
 */
export async function issueDocuments(ctx: Ctx, order: Order): Promise<void> {
  const { id: orderId, buyerId, sellerId } = order
  await ctx.db.insert(purchases).values({ sellerId, buyerId }).onConflictDoNothing()
  const seller = await sellerName(ctx, order)
  await issueInvoice(ctx, { kind: 'receipt', orderId, ownerId: buyerId, snapshot: snapshotOf(order, 'receipt', seller) })
  await issueInvoice(ctx, { kind: 'commission', orderId, ownerId: sellerId, snapshot: snapshotOf(order, 'commission', seller) })
}

/** A document of an order. Without a number it is a draft. */
export type OrderDocument = Omit<Invoice, 'id'> & { id: number | null }

/** The viewer's document of an order. Before the delivery admins get a draft without a number. A called-off order has none. */
export async function getDocument(ctx: Ctx, orderId: number, kind?: InvoiceKind): Promise<OrderDocument> {
  if (!can(ctx.viewer, 'operate')) return getInvoice(ctx, orderId, kind)
  const document = await getInvoice(ctx, orderId, kind).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'NOT_FOUND') return draftOf(ctx, orderId, kind ?? 'commission')
    throw error
  })
  await audit(ctx, 'sensitive_read', `order:${orderId}`, { what: document.kind })
  return document
}

/**
 * The payment as recorded now for an issued receipt; the receipt shows what was known when it was issued. Null: none is recorded
 * (decisions.md §7.1). Undefined: the document is no issued receipt.
 */
export async function paymentOf(ctx: Ctx, { kind, number, orderId }: OrderDocument): Promise<Payment | null | undefined> {
  if (kind !== 'receipt' || number === null) return undefined
  const [order] = await ctx.db
    .select({ method: orders.paymentMethod, amount: orders.amountPaid })
    .from(orders)
    .where(eq(orders.id, orderId))
  return order?.method && order.amount !== null ? { method: order.method, amount: order.amount } : null
}

/** Cash that the seller took from the buyer and holds, of a settled commission invoice. */
export async function heldOf(ctx: Ctx, { settlement, orderId }: OrderDocument): Promise<Money> {
  if (!settlement) return 0n
  const [order] = await ctx.db
    .select({ held: orders.amountPaid })
    .from(orders)
    .where(and(eq(orders.id, orderId), eq(orders.paymentMethod, 'cash'), eq(orders.bearerId, orders.sellerId)))
  return order?.held ?? 0n
}

/** For admins, before the delivery. NOT_FOUND for everybody else, and for a called-off order. */
async function draftOf(ctx: Ctx, orderId: number, kind: InvoiceKind): Promise<OrderDocument> {
  if (!can(ctx.viewer, 'operate')) throw notFound()
  const [order] = await ctx.db.select().from(orders).where(eq(orders.id, orderId))
  if (!order || isCalledOff(order.status)) throw notFound()
  const snapshot = snapshotOf(order, kind, await sellerName(ctx, order))
  return { id: null, kind, number: null, orderId, issuedAt: ctx.now, settledAt: null, settlement: null, snapshot }
}

async function sellerName(ctx: Ctx, { sellerId }: Order): Promise<string> {
  const [seller] = await ctx.db.select({ name: users.name }).from(users).where(eq(users.id, sellerId))
  return seller?.name ?? ''
}

/**
 * Each party sees its own address in full. The buyer sees the seller's place without the street, which only the seller, the seller's vet
 * and admins may know. The seller sees nothing of the buyer. Sandhai bears the discount, so only the receipt shows it; only the seller's
 * document shows the commission.
 */
function snapshotOf(order: Order, kind: InvoiceKind, seller: string): Snapshot {
  const { animal, count, unitPrice, discount, pickup, delivery, paymentMethod, amountPaid } = order
  const { total, commission, payable } = saleMoney(order)
  const isCommission = kind === 'commission'
  return {
    orderNo: order.orderNo,
    deliveredOn: order.deliveredOn,
    seller: {
      name: seller,
      ...(animal.ownerName && { onBehalfOf: animal.ownerName }),
      address: isCommission ? addressOf(pickup) : [placeOf(pickup)],
    },
    buyer: isCommission ? null : partyOf(delivery),
    lines: [{ code: animal.code, name: animal.name, nameEn: animal.nameEn, count, unitPrice: decimalOf(unitPrice) }],
    total: decimalOf(total),
    discount: isCommission ? '0' : decimalOf(discount),
    payable: decimalOf(isCommission ? commission : payable),
    commissionPercent: isCommission ? order.commissionPercent : null,
    paid: isCommission || !paymentMethod || amountPaid === null ? null : { method: paymentMethod, amount: decimalOf(amountPaid) },
  }
}

const partyOf = (place: PlaceSnapshot): Party => ({ name: place.name, address: addressOf(place) })
const addressOf = (place: PlaceSnapshot) => [place.address1, place.address2, placeOf(place)].filter((row) => row.trim() !== '')
/** Shows a name once when taluk and district are equal. */
const placeOf = ({ taluk, district, state, pincode }: PlaceSnapshot) =>
  `${[...new Set([taluk, district, state].filter((part) => part !== ''))].join(', ')} ${pincode}`
