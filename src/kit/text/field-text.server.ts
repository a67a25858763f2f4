import * as messages from '#src/paraglide/messages.js'
import type { Locale } from './locale.ts'

type Text = (inputs: Record<string, never>, options: { locale: Locale }) => string
// A module has no index signature, but schemas give its keys at run time.
const texts = messages as unknown as Record<string, Text | undefined>

/**
 * The text of a schema's field error for people. A schema names the sentence by its message key (`field_phone_blank`). Any other text is a hint for
 * programmers; a form shows one general sentence instead. Server only: the look-up by name pulls in the messages of the whole site.
 */
export function fieldText(message: string, locale: Locale): string | null {
  return message.startsWith('field_') ? (texts[message]?.({}, { locale }) ?? null) : null
}
