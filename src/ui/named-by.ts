/**
 * `aria-labelledby` of what is pressed for one row of many: the row says its name, and the words around it ("Save …") stand once in the page.
 * In English they stand before the name, in Tamil behind it.
 */
export const namedBy = (nameId: string, wordsId: string, say: (inputs: { name: string }) => string): string =>
  say({ name: '*' }).startsWith('*') ? `${nameId} ${wordsId}` : `${wordsId} ${nameId}`
