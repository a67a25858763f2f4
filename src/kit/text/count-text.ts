interface CountWords {
  one: () => string
  many: (words: { count: number }) => string
  more: (words: { count: string }) => string
}

/** The size of a list in the list's own words. The count stops at `upTo`. */
export function countText(count: number, upTo: number, words: CountWords): string {
  if (count === 1) return words.one()
  return count >= upTo ? words.more({ count: upTo.toLocaleString('en-IN') }) : words.many({ count })
}
