import type { Vault } from '#src/kit/vault.server.ts'
import { DAY_WORDS, type PaperWord } from './day-words.ts'

const FIRST_NUMBER = 10
const NUMBERS = 90

/**
 * The word of an Indian calendar day for one listing. Nobody can predict the next day's word or reuse a photo for another listing. All processes
 * compute the same word, even during a change of PEPPER.
 */
export function dayWord(vault: Vault, listingId: number, day: string): PaperWord {
  const mac = vault.macAsOf(new Date(`${day}T00:00:00+05:30`), 'day-word', String(listingId), day)
  return { word: mac.readUInt32BE(0) % DAY_WORDS.length, number: FIRST_NUMBER + (mac.readUInt32BE(4) % NUMBERS) }
}
