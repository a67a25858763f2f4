import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { users } from '#src/accounts/tables.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'

/** Tables that name a person but are part of no export and no erasure, each with its reason. */
const exempt: Record<string, string> = {
  cashHandins: 'which admin counted the cash of a day',
  discountUses: 'counts what may be used once; the order that it belongs to is exported and loses its names',
  enquiryVerdicts: 'which admin decided about a public need',
  erasedPhones: 'written by the erasure itself: a keyed hash, deleted after two years (decisions.md §7.5)',
  invoices: 'the law has papers stored; invoices/queries.server.ts exports them',
  newsletterLetters: 'which admin wrote and sent a letter',
  orderGroups: 'one cart as it was ordered: its orders are exported and lose their names',
  purchases: 'that somebody bought from somebody, without a name; the orders behind it are exported',
  readyAnswers: 'which admin last changed what the desks answer often',
  runLinks: 'which admin sent a bearer the link of a day; deleted a month later',
  settlements: 'which admin settled a commission invoice',
  showcaseItems: 'which admin last changed a banner, a voice or a market day; a voice is removed at that desk',
  verifications: 'which admin decided about a public listing',
}

const tableFiles = import.meta.glob<Record<string, unknown>>('../**/tables.ts', { eager: true })
const tables = Object.values(tableFiles).flatMap((file) =>
  Object.entries(file).filter((entry): entry is [string, PgTable] => entry[1] instanceof PgTable),
)
const privacyFiles = import.meta.glob<string>('../**/privacy.server.ts', { eager: true, query: '?raw', import: 'default' })
const peopleIn = (table: PgTable) => getTableConfig(table).foreignKeys.filter((key) => key.reference().foreignTable === users)

test('every table that names a person is exported or erased by some privacy.server.ts', () => {
  const texts = Object.values(privacyFiles).join('\n')
  const missing = tables
    .filter(([name, table]) => peopleIn(table).length > 0 && !new RegExp(`\\b${name}\\b`).test(texts))
    .map(([name]) => name)
  expect(missing.toSorted()).toEqual(Object.keys(exempt).toSorted())
})

test('every privacy.server.ts takes part in the export and in the erasure', () => {
  const text = readFileSync(join(projectRoot, 'src/content/privacy/person-data.server.ts'), 'utf8')
  for (const path of Object.keys(privacyFiles)) expect(text).toContain(`#src/${path.slice(3)}'`)
})

test('every table appears once in the data classification', () => {
  const text = readFileSync(join(projectRoot, 'docs/security/data-classification.md'), 'utf8')
  const rows = text.split('\n').filter((line) => line.startsWith('| '))
  const named = rows.slice(2).flatMap((row) =>
    row
      .split('|')[1]!
      .split(',')
      .map((name) => name.trim()),
  )
  expect(named.toSorted()).toEqual(tables.map(([, table]) => getTableConfig(table).name).toSorted())
})
