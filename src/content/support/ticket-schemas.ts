import { z } from 'zod'
import { personName, phoneNumber } from '#src/accounts/schemas.ts'
import { paragraphs } from '#src/kit/text/text.ts'
import { TICKET_TOPICS } from '#src/content/tables.ts'

export type TicketTopic = (typeof TICKET_TOPICS)[number]

/** Maximum length of a ticket in characters: about a page. */
const MAX_TICKET = 2000
/** Maximum length of the admin's closing note; the person gets all of it by SMS. */
export const MAX_NOTE = 300

export const ticketInput = z.object({
  name: personName,
  phone: phoneNumber,
  topic: z.enum(TICKET_TOPICS, 'field_ticket_topic'),
  content: paragraphs(MAX_TICKET, 'field_ticket_long', 'field_ticket_blank'),
  /** Idempotency key of one rendered form: two submits open one ticket. */
  key: z.uuid(),
})
export type TicketInput = z.infer<typeof ticketInput>

export const ticketNote = z.object({ note: paragraphs(MAX_NOTE, 'field_ticket_note_long', 'field_note_blank') })

const NUMBER_DIGITS = 6

/** `SU-000123`: the number to say on the phone. */
export const ticketNumber = (id: number): string => `SU-${String(id).padStart(NUMBER_DIGITS, '0')}`
/** Reads a ticket number from an address; null for anything else. */
export const readTicketNumber = (text: string | null): string | null => (text && /^SU-\d{6,15}$/.test(text) ? text : null)
