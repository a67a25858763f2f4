import type { Reading } from '#src/listings/paste/reading.server.ts'

const phrases = (...each: string[]): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{M}])(?:${each.join('|').replaceAll(' ', String.raw`\s+`)})(?![\p{L}\p{M}])`, 'giu')

/** Words for the reader. `apart` of the sentence splits க்கு from its word. */
const ME = '(en|enn?akk?u|enn?oda|enga(l|lukku)?|namma|என்|என க்கு|என்னோட|என்னுடைய|எங்க|எங்கள்|எங்களு க்கு|நம்ம)'
const MY_TOWN = '(oo?ru?|area|vee(d|tt?)u|ஊர்|ஊரு|ஏரியா|வீட்டு)( க்கு|kk?u)?'
const BESIDE = 'pakk?ath(ula|ila?|u)|arugil|aruge|அருகில்|அருகே|அருகாமையில்|பக்கத்தில்|பக்கத்துல'

/** Words that always mean the reader's place: "near me", "in my area", "en pakkathil", "எனக்கு அருகில்". */
export const BY_ME = phrases(
  'nearest|closest|(near(by)?|around|close)( to)? (me|us|here|home|(my|our) (place|home|house|village|area|town|farm))',
  'in (my|our) (place|village|area|town)',
  `${ME} (${MY_TOWN} )?(${BESIDE}|pakkam|பக்கம்)`,
  `${ME} (oo?r(u?la|il)|area ?la|ஊரில்|ஊர்ல|ஊருல|ஏரியா(வில்|ல))`,
)
/** These mean a named place if the search has one, else the reader's. */
export const NEARBY = phrases(`near( )?by|close by|pakk?athu oo?ru?(la|il)?|பக்கத்து ஊர(ில்|்|ு)ல?|${BESIDE}`)

/** Takes these words and tells whether there were any. Leaves those directly behind a name. */
export function takePhrases(reading: Reading, words: RegExp, isName?: (at: number) => boolean): boolean {
  const spans = [...reading.text.matchAll(words)]
    .map(({ 0: found, index }) => ({ start: index, end: index + found.length }))
    .filter(({ start }) => {
      const at = reading.tokens.findIndex((token) => token.start === start)
      return reading.free(at) && !isName?.(at - 1)
    })
  reading.passOver(spans)
  return spans.length > 0
}
