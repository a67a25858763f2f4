import { z } from 'zod'
import { personName, phoneNumber } from '#src/accounts/schemas.ts'
import { TICKET_TOPICS } from './tables.ts'

export type TicketTopic = (typeof TICKET_TOPICS)[number]

/** What one writes to support: a page of a letter. */
export const MAX_TICKET = 2000
/** Far more than that in any script: what is longer is not looked at. */
const MAX_RAW = 10_000
/** What the admin writes at the end; the person gets it whole by SMS. */
export const MAX_NOTE = 300

/** Some lines of text, as they are kept: NFC, no control characters but line ends. */
const lines = (max: number, blank: `field_${string}`, long: `field_${string}`) =>
  z
    .string(blank)
    .max(MAX_RAW, { error: long, abort: true })
    .overwrite((text) => text.replace(/\r\n?/g, '\n').replaceAll('\t', ' ').normalize('NFC').trim())
    .refine((text) => text.isWellFormed() && !/[^\P{Cc}\n]/u.test(text), { error: 'field_wrong', abort: true })
    .refine((text) => text !== '', { error: blank, abort: true })
    .refine((text) => [...text].length <= max, long)

export const ticketInput = z.object({
  name: personName,
  phone: phoneNumber,
  topic: z.enum(TICKET_TOPICS, 'field_ticket_topic'),
  content: lines(MAX_TICKET, 'field_ticket_blank', 'field_ticket_long'),
  /** Of this form, drawn once: sent twice it is one ticket. */
  key: z.uuid(),
})
export type TicketInput = z.infer<typeof ticketInput>

export const ticketNote = z.object({ note: lines(MAX_NOTE, 'field_note_blank', 'field_ticket_note_long') })

const NUMBER_DIGITS = 6

/** `SU-000123`: what one is told on the telephone. */
export const ticketNumber = (id: number): string => `SU-${String(id).padStart(NUMBER_DIGITS, '0')}`
/** As an address shows it; null for anything else. */
export const readTicketNumber = (text: string | null): string | null => (text && /^SU-\d{6,15}$/.test(text) ? text : null)
