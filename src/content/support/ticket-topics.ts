import { m } from '#src/paraglide/messages.js'
import type { TicketTopic } from './ticket-schemas.ts'

/** In the order in which they are offered. */
export const topicTexts: Record<TicketTopic, () => string> = {
  order: m.ticket_topic_order,
  listing: m.ticket_topic_listing,
  account: m.ticket_topic_account,
  grievance: m.ticket_topic_grievance,
  privacy: m.ticket_topic_privacy,
  other: m.ticket_topic_other,
}

/** Marks a letter whose writer knows that their login has expired. */
export const AS_NOBODY = 'as_nobody'
