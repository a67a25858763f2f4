import type { Ctx } from '#src/kit/context.ts'
import { typesetPdf } from '#src/kit/paper/typesetter.server.ts'
import { m } from '#src/paraglide/messages.js'
import type { Paper } from './paper.ts'
import type { ShownDocument } from './shown.ts'

/**
 * The document as a PDF with selectable and searchable text, also in Tamil. `qr` is an SVG (verify.server.ts); `payment` is what the paper's page says beside it. UNAVAILABLE without a
 * typesetter (kit/paper/typesetter.server.ts).
 */
export function pdfOf(ctx: Ctx, paper: Paper, { qr = null, payment = null }: Partial<Pick<ShownDocument, 'qr' | 'payment'>> = {}): Buffer {
  const opts = { locale: ctx.locale }
  const data = {
    ...paper,
    lang: ctx.locale,
    brand: m.site_name({}, opts),
    draft: m.invoice_draft({}, opts),
    qr,
    payment,
    scan: m.verify_scan({}, opts),
    inWordsLabel: m.invoice_in_words({}, opts),
    footer: ctx.publicOrigin.replace(/^https?:\/\//, ''),
  }
  return typesetPdf(ctx, { template: 'invoices/paper.typ', data })
}
