import type { Ctx } from '#src/kit/context.ts'
import { typesetPdf } from '#src/kit/text/typesetter.server.ts'
import { m } from '#src/paraglide/messages.js'
import type { Paper } from './paper.ts'

/**
 * The paper as a PDF whose text can be copied and searched, Tamil too. `qr` is an SVG (verify.server.ts). UNAVAILABLE where there is no
 * typesetter (kit/text/typesetter.server.ts).
 */
export function pdfOf(ctx: Ctx, paper: Paper, qr: string | null = null): Buffer {
  const say = { locale: ctx.locale }
  const data = {
    ...paper,
    lang: ctx.locale,
    brand: m.site_name({}, say),
    draft: m.invoice_draft({}, say),
    qr,
    scan: m.verify_scan({}, say),
    inWordsLabel: m.invoice_in_words({}, say),
    footer: ctx.publicOrigin.replace(/^https?:\/\//, ''),
  }
  return typesetPdf(ctx, { template: 'invoices/paper.typ', data })
}
