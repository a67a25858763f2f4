import { asc, eq, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { describe, expect, test } from 'vitest'
import { readPincodes } from '#src/addresses/places.server.ts'
import { addressTypes, pincodes } from '#src/addresses/tables.ts'
import * as people from '#src/accounts/reference-data.ts'
import { loadedData, userTitles, userTypes } from '#src/accounts/tables.ts'
import * as trade from '#src/listings/reference/reference-data.ts'
import * as tables from '#src/listings/tables.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { loadReferenceData, openExemptPincodes } from './load-reference.server.ts'

let market: TestMarket
shareMarket((opened) => (market = opened))

const byId = (a: { id: number }, b: { id: number }) => a.id - b.id
const forget = () => market.ctx.db.update(loadedData).set({ hash: 'an older release' }).where(eq(loadedData.name, 'reference'))

describe('after the first load the database holds', () => {
  test.each<[string, PgTable, { id: number }[], string[]]>([
    ['user types', userTypes, people.userTypes, ['id', 'en', 'ta']],
    ['titles', userTitles, people.userTitles, ['id', 'en', 'ta']],
    ['address types', addressTypes, people.addressTypes, ['id', 'en', 'ta']],
    ['category types', tables.categoryTypes, trade.categoryTypes, ['id', 'en', 'ta']],
    ['categories', tables.categories, trade.categories, ['id', 'typeId', 'en', 'ta', 'shortEn', 'shortTa', 'variantType']],
    ['breeds', tables.breeds, trade.breeds, ['id', 'categoryId', 'en', 'ta', 'shortName']],
    ['vaccines', tables.vaccines, trade.vaccines, ['id', 'code', 'en', 'ta']],
    ['ages', tables.livestockAges, trade.livestockAges, ['id', 'en', 'ta']],
    ['colours', tables.colors, trade.colors, ['id', 'en', 'ta']],
    ['genders', tables.genders, trade.genders, ['id', 'en', 'ta']],
    ['feed types', tables.feedTypes, trade.feedTypes, ['id', 'en', 'ta']],
  ])('%s with every column', async (_, table, constants, columns) => {
    const rows = (await market.ctx.db.select().from(table)) as unknown as { id: number }[]
    expect(rows.length).toBeGreaterThan(0)
    expect(Object.keys(rows[0]!).sort()).toEqual(columns.toSorted())
    const expected = constants.map((row) =>
      Object.fromEntries(columns.map((name) => [name, (row as unknown as Record<string, unknown>)[name]])),
    )
    expect(rows.toSorted(byId)).toEqual((expected as { id: number }[]).toSorted(byId))
  })

  test('which vaccine is for which animal', async () => {
    const rows = await market.ctx.db.select().from(tables.vaccineCategories)
    const pairs = rows.map((row) => `${row.vaccineId} ${row.categoryId}`).sort()
    expect(pairs).toEqual(trade.vaccines.flatMap(({ id, categoryIds }) => categoryIds.map((categoryId) => `${id} ${categoryId}`)).sort())
  })

  test('all PIN codes, deliverable in Tamil Nadu and nowhere else', async () => {
    const rows = await market.ctx.db.select().from(pincodes).orderBy(asc(pincodes.pincode))
    const expected = readPincodes().map(({ pincode, taluk, district, state, point }) => {
      return { pincode, taluk, district, state, lat: point?.lat ?? null, lon: point?.lon ?? null, isDeliverable: state === 'Tamil Nadu' }
    })
    expect(rows).toEqual(expected.toSorted((a, b) => a.pincode.localeCompare(b.pincode)))
    expect(rows.find(({ pincode }) => pincode === '605001')).toMatchObject({ state: 'Puducherry', isDeliverable: false })
  })
})

describe('a second load', () => {
  test('of the same data writes nothing and runs one statement', async () => {
    market.statements()
    await loadReferenceData(market.ctx.db)
    const statements = market.statements().filter((statement) => !/^(begin|commit|set local|select pg_advisory)/i.test(statement.trim()))
    expect(statements).toEqual([expect.stringMatching(/^select .*loaded_data/)])
  })

  test('of changed data updates a renamed breed and a moved PIN code, and keeps the admins’ decisions', async () => {
    const { db } = market.ctx
    await db.update(tables.breeds).set({ ta: 'பழைய பெயர்' }).where(eq(tables.breeds.id, trade.breeds[0]!.id))
    await db.update(pincodes).set({ isDeliverable: true, taluk: 'Elsewhere' }).where(eq(pincodes.pincode, '605001'))
    await db.update(pincodes).set({ isDeliverable: false }).where(eq(pincodes.pincode, '641001'))
    await db.delete(pincodes).where(eq(pincodes.pincode, '600001'))
    await forget()
    await loadReferenceData(db)

    const codes = await db
      .select()
      .from(pincodes)
      .where(sql`${pincodes.pincode} in ('605001', '641001', '600001')`)
    const of = (pincode: string) => codes.find((row) => row.pincode === pincode)
    expect(of('605001')).toMatchObject({ isDeliverable: true, taluk: readPincodes().find((row) => row.pincode === '605001')!.taluk })
    expect(of('641001')).toMatchObject({ isDeliverable: false })
    expect(of('600001')).toMatchObject({ isDeliverable: true })
    const [breed] = await db.select().from(tables.breeds).where(eq(tables.breeds.id, trade.breeds[0]!.id))
    expect(breed!.ta).toBe(trade.breeds[0]!.ta)
  })

  test('that fails midway leaves everything unchanged, and the next load completes', async () => {
    const { db } = market.ctx
    await db.update(tables.colors).set({ ta: 'மங்கல்' }).where(eq(tables.colors.id, trade.colors[0]!.id))
    await forget()
    await market.owner.execute(sql`alter table pincodes add constraint in_the_way check (pincode <> '641001') not valid`)
    await expect(loadReferenceData(db)).rejects.toThrow()
    expect(await db.select().from(tables.colors).where(eq(tables.colors.id, trade.colors[0]!.id))).toMatchObject([{ ta: 'மங்கல்' }])
    await market.owner.execute(sql`alter table pincodes drop constraint in_the_way`)
    await loadReferenceData(db)
    expect(await db.select().from(tables.colors).where(eq(tables.colors.id, trade.colors[0]!.id))).toMatchObject([
      { ta: trade.colors[0]!.ta },
    ])
  })

  test('opens delivery for configured PIN codes, and refuses unknown ones', async () => {
    const { db } = market.ctx
    const isOpen = async () => (await db.select().from(pincodes).where(eq(pincodes.pincode, '560001')))[0]!.isDeliverable
    expect(await isOpen()).toBe(false)
    await openExemptPincodes(db, [])
    expect(await isOpen()).toBe(false)
    await openExemptPincodes(db, ['560001'])
    expect(await isOpen()).toBe(true)
    await expect(openExemptPincodes(db, ['999999'])).rejects.toThrow('PINCODE_EXEMPT: 999999 is no PIN code we know.')
  })
})
