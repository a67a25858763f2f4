import { m } from '#src/paraglide/messages.js'
import type { ReportReason } from './reports-schemas.ts'

/** In display order. */
export const reasonTexts: Record<ReportReason, () => string> = {
  fraud: m.report_reason_fraud,
  sold: m.report_reason_sold,
  wrong: m.report_reason_wrong,
  photos: m.report_reason_photos,
  forbidden: m.report_reason_forbidden,
  cruelty: m.report_reason_cruelty,
  other: m.report_reason_other,
}
