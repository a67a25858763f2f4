/**
 * The state of a listing that an admin saw before a verdict, as text for a form: its version and its last verdict. A verdict does not change
 * the version, because the seller's open forms stay valid.
 */
export const seenMark = ({ version, lastVerdictId }: { version: number; lastVerdictId: number | null }): string =>
  `${version}.${lastVerdictId ?? 0}`

export const isSeenMark = (text: string): boolean => /^\d{1,9}\.\d{1,15}$/.test(text)
