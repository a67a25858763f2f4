import { inArray, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { describe, expect, test } from 'vitest'
import { listings } from '#src/listings/tables.ts'
import { quickly } from './quick-sql.server.ts'

const dialect = new PgDialect()
const byDrizzle = (statement: ReturnType<typeof sql>) => {
  const { sql: text, params } = dialect.sqlToQuery(statement)
  return { sql: text, params }
}

const isLive = (stock: number) => sql`l.stock > ${stock} and l.state = ${'passed'}`
const statements = {
  'a text without values': sql`select 1`,
  'values of each kind, null and nothing': sql`select ${1}, ${'அ'}, ${null}, ${undefined}, ${true}, ${20n}, ${new Date(0)}, ${new Uint8Array([1])}`,
  'statements in statements, in the order of their values': sql`select ${1} from l where ${isLive(2)} and ${sql.join([isLive(3), sql.raw('x')], sql` or `)} limit ${4}`,
  'an empty statement within': sql`select 1 ${sql``} ${sql.empty()}`,
  'a table and its columns': sql`select ${listings.id} from ${listings} where ${inArray(listings.id, [1, 2])}`,
  'a list': sql`select ${[1, 2]}`,
  'a name': sql`select ${sql.identifier('order')}`,
  'values written into the text': sql`select ${sql`${1}`.inlineParams()}`,
  'a value with an encoder of its own': sql`select ${sql.param('x', { mapToDriverValue: (value: string) => `${value}!` })}`,
}

describe("a quick statement equals Drizzle's", () => {
  test.each(Object.entries(statements))('%s', (_, statement) => {
    const expected = byDrizzle(statement)
    expect(byDrizzle(quickly(statement))).toEqual(expected)
    // Also when another statement embeds it.
    expect(byDrizzle(sql`explain ${quickly(statement)} ${5}`)).toEqual(byDrizzle(sql`explain ${statement} ${5}`))
  })

  test('our code builds our own statements, and Drizzle builds all others', () => {
    const isOurs = Object.entries(statements).map(([name, statement]) => [name, quickly(statement) !== statement])
    expect(isOurs.filter(([, ours]) => ours).map(([name]) => name)).toEqual(Object.keys(statements).slice(0, 4))
  })
})
