interface CountWords {
  one: () => string
  many: (words: { count: number }) => string
  more: (words: { count: string }) => string
}

/** How many there are, in a list's own words; nobody counts beyond `upTo`. */
export function countText(count: number, upTo: number, words: CountWords): string {
  if (count === 1) return words.one()
  return count >= upTo ? words.more({ count: upTo.toLocaleString('en-IN') }) : words.many({ count })
}
