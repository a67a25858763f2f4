import { sql } from 'drizzle-orm'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { rowsIn } from './market-state.ts'

/**
 * The whole phone numbers of other people that a text contains. The numbers are read from every table, so a new page, call or table is covered
 * by the tests that walk the market.
 */
export interface OthersNumbers {
  /** Names of the places from which the numbers come, as `orders.delivery`; sorted, each once. */
  in(text: string, viewer: Pick<Viewer, 'id'> | null): string[]
}

interface Known {
  /** The ten digits. */
  digits: string
  place: string
  /** The person whose number it is; null when it is nobody's account. */
  owner: number | null
}

const writtenTexts = [
  ['70', 'listings', 'description'],
  ['71', 'seller_reviews', 'comment'],
  ['72', 'seller_reviews', 'answer'],
  ['73', 'enquiries', 'description'],
  ['74', 'vet_checks', 'comments'],
  ['75', 'threads', 'content'],
  ['76', 'replies', 'content'],
  ['77', 'listings', 'name'],
  ['78', 'listings', 'name_en'],
  ['79', 'listings', 'description_en'],
  ['88', 'listing_clips', 'caption'],
] as const

/** Columns that hold a number without being its source: logs, queues and counters repeat what the rows below say. */
const repeats = ['outbox', 'limit_counts', 'failure_ladders', 'otps', 'pending_registrations', 'idempotency', 'settings', 'pincodes']

/**
 * Gives each address, order and enquiry a number of its own, so that a number in a text names its source. Streets and the texts that people
 * write hold such a number, too.
 */
export async function giveOwnNumbers(ctx: Ctx): Promise<void> {
  const own = (prefix: string) => sql.raw(`'+91${prefix}' || lpad(id::text, 8, '0')`)
  await ctx.db.execute(sql`update addresses set phone = ${own('81')}, address_1 = ${own('85')}`)
  await ctx.db.execute(sql`update enquiries set contact = ${own('84')}`)
  for (const [prefix, table, column] of writtenTexts)
    await ctx.db.execute(
      sql`update ${sql.identifier(table)} set ${sql.identifier(column)} = ${sql.identifier(column)} || ' ' || ${own(prefix)}`,
    )
  await ctx.db.execute(sql`update orders set
    delivery = delivery || jsonb_build_object('phone', ${own('82')}, 'address1', ${own('86')}),
    pickup = pickup || jsonb_build_object('phone', ${own('83')}, 'address1', ${own('87')})`)
}

export async function readNumbers(ctx: Ctx): Promise<OthersNumbers> {
  const columns = await rowsIn<{ table: string; column: string }>(
    ctx,
    sql`select c.table_name as "table", c.column_name as "column" from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type in ('text', 'character varying', 'jsonb', 'json') order by 1, 2`,
  )
  const known: Known[] = []
  for (const { table, column } of columns) {
    if (repeats.includes(table)) continue
    const rows = await rowsIn<{ row: Record<string, unknown>; digits: string }>(
      ctx,
      sql.raw(`select to_jsonb(t) as row, (regexp_matches(t."${column}"::text, '\\+91([6-9]\\d{9})', 'g'))[1] as digits from "${table}" t`),
    )
    for (const { row, digits } of rows) known.push({ digits, place: `${table}.${column}`, owner: ownerOf(table, column, row) })
  }
  return {
    in(text, viewer) {
      const plain = text.replaceAll(/\s|&nbsp;|\\u00a0/g, '')
      const own = new Set(known.filter(({ owner }) => owner !== null && owner === viewer?.id).map(({ digits }) => digits))
      return [...new Set(known.filter(({ digits }) => !own.has(digits) && plain.includes(digits)).map(({ place }) => place))].toSorted()
    },
  }
}

function ownerOf(table: string, column: string, row: Record<string, unknown>): number | null {
  const id =
    table === 'users'
      ? row.id
      : table === 'listings'
        ? row.seller_id
        : table === 'orders'
          ? row[column === 'pickup' ? 'seller_id' : 'buyer_id']
          : (row.user_id ?? row.poster_id ?? row.author_id ?? row.reviewer_id ?? row.owner_id ?? row.vet_id)
  return typeof id === 'number' ? id : null
}
