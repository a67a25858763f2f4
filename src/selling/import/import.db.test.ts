import { eq, inArray } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { listings } from '#src/listings/tables.ts'
import { listNamedPhotos } from '#src/selling/own/own-listings.server.ts'
import { addPhotos } from '#src/selling/photos/photos.server.ts'
import { ownerConsents } from '#src/selling/tables.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { openMediaStore } from '#src/kit/media/media-store.server.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { temporaryFolder } from '#tools/test-kit/temporary-folder.ts'
import { picture } from '#tools/test-kit/test-sale.ts'
import { columns } from './columns.ts'
import { countFresh, importListings } from './import.server.ts'
import { importTemplate, MAX_IMPORT_BYTES, readImport, textOfFile } from './read-import.server.ts'

let market: TestMarket
shareMarket((opened) => (market = opened))

const heads = 'Category,Breed,Gender,Age,Colour,Name,Description,Quantity,Weight,Asking price,Offer price'
const cow = 'Cattle,Kangayam,Female,4-5 years,Brown,Kangayam cow,Calm,1,320,85000,'
const inEnglish = (table: string, ctx = market.ctx) => readImport({ ...ctx, locale: 'en' }, table)
const messageOf = (table: string): string => {
  try {
    inEnglish(table)
    return 'taken'
  } catch (error) {
    return (error as { fields?: { message: string }[] }).fields?.[0]?.message ?? String(error)
  }
}

describe('an import table', () => {
  test.each(['ta', 'en'] as const)('the template in %s is valid', async (locale) => {
    const agent = { ...market.as(await makeUser(market.ctx, { typeId: 4 })), locale }
    const { rows, unknown } = readImport(agent, importTemplate(agent))
    expect(unknown).toEqual([])
    expect(rows).toMatchObject([
      { number: 2, problems: [], facts: { categoryId: 1, breedId: 101, genderId: 0, originalPrice: 850_000_000n } },
    ])
  })

  test('is read with commas, semicolons or tabs, a byte order mark, quoted line breaks and Tamil digits', () => {
    const facts = { stock: 1, weightKg: 320, originalPrice: 850_000_000n, offerPrice: null }
    for (const mark of [',', ';', '\t']) {
      const table = `\uFEFF${heads}\r\n${cow.replace('85000', '௮௫௦௦௦')}\r\n\r\n`.replaceAll(',', mark)
      expect(inEnglish(table).rows).toMatchObject([{ number: 2, facts, problems: [] }])
    }
    expect(inEnglish(`${heads}\n${cow.replace('Calm', '"Calm,\nno ""tricks"""')}`).rows[0]!.facts?.description).toBe('Calm,\nno "tricks"')
  })

  test('accepts every optional fact of the form', () => {
    const more = `${heads},Adult teeth,Horns,Heart girth (cm),Body length (cm)`
    const { rows, unknown } = inEnglish(`${more}\n${cow},2,Upwards,150,130`)
    expect(unknown).toEqual([])
    expect(rows[0]).toMatchObject({ problems: [], facts: { teethPairs: 2, hornShape: 'up', girthCm: 150, lengthCm: 130 } })
    const tamil = columns.map(({ label }) => label({}, { locale: 'ta' }))
    expect(new Set(tamil).size).toBe(tamil.length)
    expect(inEnglish(`${more}\n${cow},2,Sideways,150,130`).rows[0]!.problems).toMatchObject([{ column: 'Horns' }])
  })

  test('names each invalid cell in words, and accepts the other rows', () => {
    const wrong = cow.replace('85000', '60000-65000').replace('Kangayam,', 'Kangeyamm,')
    const { rows } = inEnglish(`${heads}\n${cow}\n${wrong}\n${cow}`)
    expect(rows.map(({ facts }) => facts !== null)).toEqual([true, false, true])
    expect(rows[1]).toMatchObject({ number: 3, problems: [{ column: 'Breed' }, { column: 'Asking price' }] })
    for (const { text } of rows[1]!.problems) expect(text).not.toMatch(/^field_/)
  })

  test("reads an agent's owners with fees in rupees and in percent, and names their invalid cells", async () => {
    const agent = market.as(await makeUser(market.ctx, { typeId: 4 }))
    const table = [
      `${heads},Name of the owner,Phone number of the owner,What you take for one,Photo (name of the file)`,
      `${cow},Mani,98765 43210,500,cow 1.JPG`,
      `${cow},Mani,9876543210,5%,`,
      `${cow},,,,`,
      `${cow},Mani,12345,60%,`,
    ].join('\n')
    const { rows, unknown } = inEnglish(table, agent)
    expect(unknown).toEqual([])
    const owner = { name: 'Mani', phone: '+919876543210' }
    expect(rows.slice(0, 3)).toMatchObject([
      { owner: { ...owner, fee: { rupees: 5_000_000n } }, photo: 'cow 1.JPG', problems: [] },
      { owner: { ...owner, fee: { percent: 5 } }, photo: '', problems: [] },
      { owner: null, problems: [] },
    ])
    expect(rows[3]).toMatchObject({ facts: null, problems: [{ column: 'Phone number of the owner' }, { column: 'What you take for one' }] })
    expect(inEnglish(table).unknown).toEqual(['Name of the owner', 'Phone number of the owner', 'What you take for one'])
  })

  test('refuses what the form refuses: an offer above the price, and species that may not be sold', () => {
    const { rows } = inEnglish(`${heads}\n${cow}90000\n${cow.replace('Calm', 'with a spotted deer')}`)
    expect(rows[0]!.problems).toMatchObject([{ column: 'Offer price' }])
    expect(rows[1]!.problems).toMatchObject([{ column: 'Description' }])
  })

  test.each([
    ['', 'field_import_heads'],
    ['Name,Price\nCow,1', 'field_import_heads'],
    [heads, 'field_import_empty'],
    [`${heads}\n${`${cow}\n`.repeat(201)}`, 'field_import_rows'],
    [`${heads}\n\0`, 'field_import_text'],
  ])('refuses text that is no table: %j', (table, message) => expect(messageOf(table)).toBe(message))

  test('may begin with the line that tells Excel the separator', () => {
    expect(inEnglish(`sep=;\n${`${heads}\n${cow}`.replaceAll(',', ';')}`).rows).toHaveLength(1)
  })

  test('names unknown columns, and keeps formulas as text', () => {
    const { rows, unknown } = inEnglish(`${heads},Buyer\n${cow.replace('Calm', '=1+1')},Ravi`)
    expect(unknown).toEqual(['Buyer'])
    expect(rows[0]!.facts?.description).toBe('=1+1')
  })

  test('must be a text file of limited size', async () => {
    const file = (bytes: Uint8Array<ArrayBuffer>) => new File([bytes], 'animals.csv')
    expect(await textOfFile(file(new TextEncoder().encode('பெயர்')))).toBe('பெயர்')
    const utf16 = (isBig: boolean) => {
      const bytes = Buffer.from('\uFEFFபெயர்', 'utf16le')
      return new Uint8Array(isBig ? bytes.swap16() : bytes)
    }
    for (const isBig of [false, true]) expect(await textOfFile(file(utf16(isBig)))).toBe('பெயர்')
    expect(await refusalOf(textOfFile(file(new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0xff]))))).toBe('VALIDATION')
    expect(await refusalOf(textOfFile(file(new Uint8Array(MAX_IMPORT_BYTES + 1))))).toBe('VALIDATION')
    expect(await refusalOf(textOfFile('typed'))).toBe('VALIDATION')
  })
})

describe('importing a table', () => {
  async function farm(): Promise<{ ctx: Ctx; id: number; pickupAddressId: number }> {
    const viewer = await makeUser(market.ctx, { typeId: 2 })
    return { ctx: market.as(viewer), id: viewer.id, pickupAddressId: await makeAddress(market.ctx, viewer.id) }
  }
  const rightRows = () => inEnglish(`${heads}\n${cow}\n${cow.replace('320', '350')}`).rows.map((row) => ({ ...row, facts: row.facts! }))

  test('makes a draft of each row, and nothing more when it is sent twice', async () => {
    const { ctx, id, pickupAddressId } = await farm()
    const asked = { key: 'a-form-key', pickupAddressId, rows: rightRows() }
    expect(await countFresh(ctx, asked.key, asked.rows)).toBe(2)
    const { ids } = await importListings(ctx, asked)
    expect(await countFresh(ctx, asked.key, asked.rows)).toBe(0)
    expect(await importListings(ctx, asked)).toEqual({ ids, refused: [] })
    const made = await ctx.db.select().from(listings).where(eq(listings.sellerId, id))
    expect(made.map(({ state, weightKg }) => [state, weightKg]).toSorted()).toEqual([
      ['draft', 320],
      ['draft', 350],
    ])
  })

  test('asks the owner of each row, and keeps the name of its photo until it has one', async () => {
    const agent = await makeUser(market.ctx, { typeId: 4 })
    const ctx = market.as(agent)
    const pickupAddressId = await makeAddress(market.ctx, agent.id)
    const owner = { name: 'Mani', phone: '+919876543211', fee: { percent: 5 } }
    const rows = rightRows().map((row) => ({ ...row, owner, photo: `${row.number}.jpg` }))
    const { ids } = await importListings(ctx, { key: 'with-owners', pickupAddressId, rows })
    const asked = await ctx.db.select().from(ownerConsents).where(inArray(ownerConsents.listingId, ids))
    expect(asked).toMatchObject([{ feePercent: 5 }, { feePercent: 5 }])
    expect(await listNamedPhotos(ctx, agent.id)).toEqual(ids.map((id, n) => ({ id, photoName: `${n + 2}.jpg` })))
    await addPhotos(ctx, await openMediaStore(temporaryFolder()), ids[0]!, [await picture(1)])
    expect(await listNamedPhotos(ctx, agent.id)).toMatchObject([{ id: ids[1] }])
  })

  test('an owner who gets nothing stops no other row, and the row is named', async () => {
    const agent = await makeUser(market.ctx, { typeId: 4 })
    const ctx = market.as(agent)
    const pickupAddressId = await makeAddress(market.ctx, agent.id)
    const [first, second] = rightRows()
    const owner = { name: 'Mani', phone: '+919876543212', fee: { rupees: 850_000_000n } }
    const { ids, refused } = await importListings(ctx, { key: 'one-refused', pickupAddressId, rows: [{ ...first!, owner }, second!] })
    expect(ids).toHaveLength(1)
    expect(refused).toEqual([{ number: 2, fields: [{ field: 'ownerFee', message: 'field_owner_nothing' }] }])
  })

  test('is for people who sell, with an address of their own', async () => {
    const mine = await farm()
    const other = await farm()
    const rows = rightRows()
    const asked = { key: 'another-key', pickupAddressId: other.pickupAddressId, rows }
    expect(await refusalOf(importListings(mine.ctx, asked))).toBe('VALIDATION')
    const buyer = market.as(await makeUser(market.ctx, { typeId: 1 }))
    expect(await refusalOf(importListings(buyer, asked))).toBe('ROLE_FORBIDDEN')
  })
})
