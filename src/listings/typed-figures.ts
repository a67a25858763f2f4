/** Typed or sent fields: name to text. A missing field equals an empty one. */
export type TypedListing = Readonly<Record<string, string | undefined>>

/** Normalizes figures: accepts Tamil digits, blanks, the commas of 85,000 and a rupee sign. */
export const plainFigures = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[௦-௯]/g, (digit) => String(digit.charCodeAt(0) - 0x0be6))
    .replace(/[\s,₹]/g, '')
