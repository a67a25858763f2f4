import { Problem } from '#src/kit/problem.ts'

/** What somebody who knows the market, or only its name, would try first. */
const ours = ['sandhai', 'sandai', 'சந்தை', 'tamilnadu', 'vivasayi', 'vivasaayi', 'farmer', 'livestock', 'password', 'maadu', 'jallikattu']
/** How many letters or digits around one of those words make it a password of its own. */
const ENOUGH_OF_ONES_OWN = 6

let common: Promise<Set<string>> | undefined
/** Some 49,000, loaded when the first person chooses a password. */
const commonPasswords = () =>
  (common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set((dictionary['passwords-common'] as string[]).map((word) => word.toLowerCase())),
  ))

/** VALIDATION when others would guess it: one of the common ones, the person's own number or name, a word of this market. */
export async function ensureUncommon(password: string, person: { phone: string; name?: string }, field = 'password'): Promise<void> {
  const plain = password.normalize('NFC').toLowerCase()
  const digits = plain.replace(/\D/g, '')
  const local = person.phone.slice(-10)
  const name = person.name?.toLowerCase().trim() ?? ''
  const isGuessable =
    (await commonPasswords()).has(plain) ||
    new Set(plain).size < 3 ||
    (digits.includes(local) && plain.length - local.length < ENOUGH_OF_ONES_OWN) ||
    (name.length >= 4 && plain.includes(name) && plain.length - name.length < ENOUGH_OF_ONES_OWN) ||
    ours.some((word) => plain.includes(word) && plain.length - word.length < ENOUGH_OF_ONES_OWN)
  if (isGuessable) throw new Problem('VALIDATION', { fields: [{ field, message: 'field_password_common' }] })
}
