import type { Typed } from '../form/draft-fields.ts'

/** Field of the draft that says which answers came from a message: by field the value and the words. */
export const UNDERSTOOD = 'understood'

export const understoodText = (values: Typed, words: Record<string, string>): string =>
  JSON.stringify(Object.fromEntries(Object.entries(words).map(([field, each]) => [field, [values[field] ?? '', each.slice(0, 60)]])))

/** The words that an answer came from; null where nobody read it, or somebody has changed it since. */
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
