import type { Paper } from './paper.ts'
import type { InvoiceKind } from './rules.ts'

/** A document as page, modal and PDF show it. */
export interface ShownDocument {
  orderId: number
  kind: InvoiceKind
  paper: Paper
  /** An SVG; null on a draft. */
  qr: string | null
}
