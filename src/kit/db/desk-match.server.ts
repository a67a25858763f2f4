import { sql, type SQL } from 'drizzle-orm'
import { plainDigits } from '../text/plain-text.ts'
import { readPhone } from '../text/readers.ts'
import { anywhere } from '../text/text.ts'

/** Closed rows older than so many later ones are found by number and phone only. */
const SEARCHED = 10_000

/** True for the latest rows of a table, whose words are searched. */
export const isRecent = (id: SQL, table: SQL): SQL => sql`${id} > (select max(id) - ${SEARCHED}::int from ${table})`

interface Searched {
  /** The letters before a number: `enq` of ENQ-00007. */
  prefix?: string
  number: (id: number) => SQL
  phone: (phone: string) => SQL
  words: SQL[]
  /** The rows whose words are searched. */
  among?: SQL
}

/**
 * The condition for what an admin typed into the search of a desk: a number, a phone number, or words. Only a whole phone number is
 * found, because its parts would reveal the digits that desks mask.
 */
export function deskMatch(typed: string, { prefix = '', number, phone, words, among = sql`true` }: Searched): SQL {
  if (typed === '') return sql`true`
  const text = plainDigits(typed)
  const whole = readPhone(text)
  if (whole !== null) return phone(whole)
  const id = new RegExp(`^(?:#|${prefix}-?)?0*([1-9]\\d{0,14})$`, 'i').exec(text)?.[1]
  if (id !== undefined) return number(Number(id))
  return sql`(${among} and concat_ws(' ', ${sql.join(words, sql`, `)}) ilike all (${sql.param(typed.split(' ').map(anywhere))}::text[]))`
}
