import { asc, eq } from 'drizzle-orm'
import { can } from '#src/accounts/rules.ts'
import type { Ctx } from '#src/kit/context.ts'
import { notFound } from '#src/kit/problem.ts'
import type { InvoiceKind, Snapshot } from './rules.ts'
import { invoices } from './tables.ts'

export interface Invoice {
  id: number
  kind: InvoiceKind
  /** Null on a draft: the same paper before anything was delivered, for admins to look at. */
  number: string | null
  orderId: number
  issuedAt: Date
  settledAt: Date | null
  snapshot: Snapshot
}

/**
 * The viewer's document of an order: the seller's of the commission, the buyer's receipt; an admin says which, else the commission.
 * Another's, and one that was not issued yet, are NOT_FOUND alike.
 */
export async function getInvoice(ctx: Ctx, orderId: number, kind?: InvoiceKind): Promise<Invoice> {
  const { viewer } = ctx
  if (!viewer) throw notFound()
  const rows = await ctx.db.select().from(invoices).where(eq(invoices.orderId, orderId))
  const mine = can(viewer, 'operate')
    ? rows.find((row) => row.kind === (kind ?? 'commission'))
    : rows.find((row) => row.ownerId === viewer.id && (!kind || row.kind === kind))
  if (!mine) throw notFound()
  return toInvoice(mine)
}

/** The documents of a person, oldest first. They are kept when the account is erased: the law wants them. */
export async function exportPerson(ctx: Ctx, userId: number): Promise<object> {
  const rows = await ctx.db.select().from(invoices).where(eq(invoices.ownerId, userId)).orderBy(asc(invoices.id))
  return { invoices: rows.map(toInvoice) }
}

export const forgetPerson = async (): Promise<string[]> => []

const toInvoice = ({ id, kind, number, orderId, issuedAt, settledAt, snapshot }: typeof invoices.$inferSelect): Invoice => ({
  id,
  kind,
  number,
  orderId,
  issuedAt,
  settledAt,
  snapshot: snapshot as unknown as Snapshot,
})
