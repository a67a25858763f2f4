/** Typed or sent fields: name to text. A missing field equals an empty one. */
export type TypedListing = Readonly<Record<string, string | undefined>>
