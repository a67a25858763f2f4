import * as messages from '#src/paraglide/messages.js'
import type { Locale } from './locale.ts'

type Text = (inputs: Record<string, never>, options: { locale: Locale }) => string
// A module has no index signature, and its keys are looked up by the names that schemas give.
const texts = messages as unknown as Record<string, Text | undefined>

/**
 * What a schema says of a field, for people. A schema names the sentence by its message key (`field_phone_blank`); what comes
 * from anywhere else is a hint for programmers, for which a form has one plain sentence. On the server only: looked up by
 * name, the messages of the whole site come along.
 */
export function fieldText(message: string, locale: Locale): string | null {
  return message.startsWith('field_') ? (texts[message]?.({}, { locale }) ?? null) : null
}
