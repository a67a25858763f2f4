import { m } from '#src/paraglide/messages.js'
import type { TicketTopic } from './ticket-schemas.ts'

/** In the order of the form. */
export const topicTexts: Record<TicketTopic, () => string> = {
  order: m.ticket_topic_order,
  listing: m.ticket_topic_listing,
  account: m.ticket_topic_account,
  grievance: m.ticket_topic_grievance,
  privacy: m.ticket_topic_privacy,
  other: m.ticket_topic_other,
}

/** Marks a ticket whose author knows that their login has expired. */
export const AS_NOBODY = 'as_nobody'
