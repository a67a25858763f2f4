import { m } from '#src/paraglide/messages.js'

/**
 * The reasons for which delivery is opened or stopped. The admin chooses a reason instead of writing, because the audit trail stores no free text
 * (kit/records/audit.server.ts).
 */
export const deliveryReasons = ['reachable', 'nobody', 'road', 'disease', 'mistake', 'other'] as const
export type DeliveryReason = (typeof deliveryReasons)[number]

export const deliveryReasonTexts: Record<DeliveryReason, () => string> = {
  reachable: m.places_reason_reachable,
  nobody: m.places_reason_nobody,
  road: m.places_reason_road,
  disease: m.places_reason_disease,
  mistake: m.places_reason_mistake,
  other: m.places_reason_other,
}
