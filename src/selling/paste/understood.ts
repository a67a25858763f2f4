import type { Typed } from '#src/selling/unsent/draft-fields.ts'

/** The message names several animals, of which the first was read; or its author wants to buy. */
export const hints = ['several', 'wanted', 'lot'] as const
export type Hint = (typeof hints)[number]

/** Draft field that records which answers came from a message: value and words by field. */
export const UNDERSTOOD = 'understood'

export const understoodText = (values: Typed, words: Record<string, string>): string =>
  JSON.stringify(Object.fromEntries(Object.entries(words).map(([field, each]) => [field, [values[field] ?? '', each.slice(0, 60)]])))

/** The words that an answer came from; null when it did not come from a message or was changed since. */
export function wordsBehind(typed: Typed, field: string): string | null {
  const stored = typed[UNDERSTOOD]
  if (!stored) return null
  try {
    const [value, words] = (JSON.parse(stored) as Record<string, [string, string]>)[field] ?? []
    return words && value === typed[field] ? words : null
  } catch {
    return null
  }
}
