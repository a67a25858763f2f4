import { randomInt } from 'node:crypto'
import { REFERRAL_CODE_LENGTH } from './schemas.ts'

/** Ten characters, without those that are easily confused (0 O, 1 I L). */
export function newReferralCode(): string {
  const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
  return Array.from({ length: REFERRAL_CODE_LENGTH }, () => alphabet[randomInt(alphabet.length)]).join('')
}
