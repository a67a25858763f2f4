/** As typed or sent: the name of a field to its text. A missing field is the same as an empty one. */
export type TypedListing = Readonly<Record<string, string | undefined>>

/** What people write in figures: Tamil digits, blanks, the commas of 85,000 and a rupee sign are forgiven. */
export const plainFigures = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[௦-௯]/g, (digit) => String(digit.charCodeAt(0) - 0x0be6))
    .replace(/[\s,₹]/g, '')
