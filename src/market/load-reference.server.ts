import { createHash } from 'node:crypto'
import { getTableColumns, eq, inArray, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { readPincodes } from '#src/addresses/places.server.ts'
import { addressTypes, pincodes } from '#src/addresses/tables.ts'
import type { Db } from '#src/kit/db/db.ts'
import * as people from '#src/accounts/reference-data.ts'
import { loadedData, userTitles, userTypes } from '#src/accounts/tables.ts'
import { EnvError } from '#src/kit/base/env.server.ts'
import * as trade from '#src/listings/reference/reference-data.ts'
import * as tables from '#src/listings/tables.ts'

/** Delivery is open here from the first day; afterwards an admin changes single codes. */
const DELIVERED_STATE = 'Tamil Nadu'
/** Serializes two processes that start together. */
const LOAD_LOCK = 7_263_425

/**
 * Loads the fixed lists and PIN codes, which foreign keys refer to, into the database. An unchanged start compares one hash and returns.
 * Sets what admins may change (deliverability) for new codes only.
 */
export async function loadReferenceData(db: Db): Promise<void> {
  const pins = readPincodes()
  const lists: [PgTable, object[]][] = [
    [userTypes, people.userTypes],
    [userTitles, people.userTitles],
    [addressTypes, people.addressTypes],
    [tables.categoryTypes, trade.categoryTypes],
    [tables.categories, trade.categories],
    [tables.breeds, trade.breeds],
    [tables.vaccines, trade.vaccines],
    [tables.livestockAges, trade.livestockAges],
    [tables.colors, trade.colors],
    [tables.genders, trade.genders],
    [tables.feedTypes, trade.feedTypes],
  ]
  const hash = createHash('sha256')
    .update(JSON.stringify([lists.map(([, rows]) => rows), pins]))
    .digest('hex')
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = '60s'`)
    await tx.execute(sql`set local lock_timeout = '60s'`)
    await tx.execute(sql`select pg_advisory_xact_lock(${LOAD_LOCK})`)
    const [loaded] = await tx.select().from(loadedData).where(eq(loadedData.name, 'reference'))
    if (loaded?.hash === hash) return
    for (const [table, rows] of lists) await replaceRows(tx, table, rows)
    await tx.delete(tables.vaccineCategories)
    await tx
      .insert(tables.vaccineCategories)
      .values(trade.vaccines.flatMap((v) => v.categoryIds.map((categoryId) => ({ vaccineId: v.id, categoryId }))))
    await tx.execute(sql`
      insert into ${pincodes} (pincode, taluk, district, state, lat, lon, is_deliverable)
      select pincode, taluk, district, state, (point->>'lat')::float8, (point->>'lon')::float8, state = ${DELIVERED_STATE}
      from json_to_recordset(${JSON.stringify(pins)}::json) as r(pincode text, taluk text, district text, state text, point json)
      on conflict (pincode) do update set
        taluk = excluded.taluk, district = excluded.district, state = excluded.state, lat = excluded.lat, lon = excluded.lon`)
    await tx
      .insert(loadedData)
      .values({ name: 'reference', hash, rows: pins.length })
      .onConflictDoUpdate({ target: loadedData.name, set: { hash, rows: pins.length } })
  })
}

/** Opens delivery for the configured codes; they stay open until an admin closes them. Throws for an unknown PIN code. */
export async function openExemptPincodes(db: Db, exempt: string[]): Promise<void> {
  if (exempt.length === 0) return
  const opened = await db.update(pincodes).set({ isDeliverable: true }).where(inArray(pincodes.pincode, exempt)).returning()
  const unknown = exempt.filter((pin) => !opened.some(({ pincode }) => pincode === pin))
  if (unknown.length > 0) throw new EnvError([`PINCODE_EXEMPT: ${unknown.join(', ')} is no PIN code we know.`])
}

/** Adds and renames rows but never removes any: listings may refer to them. */
async function replaceRows(db: Db, table: PgTable, rows: object[]): Promise<void> {
  const { id, ...others } = getTableColumns(table)
  const columns = Object.entries(others).filter(([key]) => rows[0] !== undefined && key in rows[0])
  await db
    .insert(table)
    .values(rows)
    .onConflictDoUpdate({
      target: id!,
      set: Object.fromEntries(columns.map(([key, column]) => [key, sql.raw(`excluded."${column.name}"`)])),
    })
}
