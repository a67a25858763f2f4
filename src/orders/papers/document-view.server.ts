import { paidText, paperOf } from '#src/invoices/paper.ts'
import type { ShownDocument } from '#src/invoices/shown.ts'
import { checkUrl } from '#src/invoices/verify.server.ts'
import { qrPicture } from '#src/kit/paper/qr-picture.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { decimalOf } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { idIn } from '#src/kit/ids.ts'
import { getDocument, heldOf, paymentOf, type OrderDocument } from './documents.server.ts'

/** The document of an address (`/orders/7/invoice?of=receipt`), for page, modal and PDF. */
export async function shownDocument(ctx: Ctx, orderId: string | undefined, url: URL): Promise<ShownDocument> {
  const of = url.searchParams.get('of')
  const document = await getDocument(ctx, idIn(orderId), of === 'receipt' || of === 'commission' ? of : undefined)
  const { id, number, issuedAt, kind } = document
  const link = id === null || number === null ? null : checkUrl(ctx, { id, number, issuedAt })
  const paper = paperOf({ ...document, held: await heldOf(ctx, document) }, ctx.locale)
  return { orderId: document.orderId, kind, paper, payment: await paymentText(ctx, document), qr: link && qrPicture(link) }
}

async function paymentText(ctx: Ctx, document: OrderDocument): Promise<string | null> {
  const payment = await paymentOf(ctx, document)
  if (payment === undefined || document.snapshot.paid) return null
  const { locale } = ctx
  if (payment === null) return m.invoice_payment_open({}, { locale })
  const paid = paidText({ method: payment.method, amount: decimalOf(payment.amount) }, document.snapshot.payable, locale)
  return m.invoice_payment_later({ paid }, { locale })
}
