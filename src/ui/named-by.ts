/**
 * `aria-labelledby` for a button of one row among many: it combines the row's name with words ("Save …") that occur once in the page. In English the
 * words come before the name, in Tamil after it.
 */
export const namedBy = (nameId: string, wordsId: string, say: (inputs: { name: string }) => string): string =>
  say({ name: '*' }).startsWith('*') ? `${nameId} ${wordsId}` : `${wordsId} ${nameId}`
