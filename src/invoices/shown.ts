import type { Paper } from './paper.ts'
import type { InvoiceKind } from './rules.ts'

export interface ShownDocument {
  orderId: number
  kind: InvoiceKind
  paper: Paper
  /** Shown beside an issued receipt without a payment: that none is recorded, or what was recorded later. */
  payment: string | null
  /** SVG; null on a draft. */
  qr: string | null
}
