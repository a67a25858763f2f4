import type { Paper } from './paper.ts'
import type { InvoiceKind } from './rules.ts'

/** A document as page, modal and PDF show it. */
export interface ShownDocument {
  orderId: number
  kind: InvoiceKind
  paper: Paper
  /** Shown beside an issued receipt that names no payment: that none is recorded, or what was recorded since. */
  payment: string | null
  /** An SVG; null on a draft. */
  qr: string | null
}
