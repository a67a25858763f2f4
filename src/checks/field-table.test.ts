import { pgTable, smallint } from 'drizzle-orm/pg-core'
import { getTableColumns } from 'drizzle-orm'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { PgDialect } from 'drizzle-orm/pg-core'
import { inLocale } from '#src/kit/http/page-locale.server.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { animalFacts } from '#src/listings/animal-facts.server.ts'
import { factChecks, factColumns } from '#src/listings/fields/field-columns.ts'
import { factRowShape, factSelect } from '#src/listings/fields/field-select.server.ts'
import { DECIMAL_DIGITS, fieldTable, noFacts, type Field, type FieldTable } from '#src/listings/fields/field-table.ts'
import { answeredFacts, factsOnWire } from '#src/listings/fields/field-wire.server.ts'
import { typedFacts } from '#src/listings/fields/shown-facts.ts'
import { checkListing, readTyped } from '#src/listings/write/listing-input.ts'
import { categories } from '#src/listings/reference/reference-data.ts'
import type { Product } from '#src/listings/queries.server.ts'
import { draftFieldsOf, draftTyped } from '#src/selling/unsent/draft-fields.ts'
import { productBody, typedChange, typedOf, variantBody, withWireName } from '#src/selling/listing/listing-wire.ts'
import { previewedFacts } from '#src/selling/paste/proposed-words.ts'
import { QuestionSteps } from '#src/selling/form/question-steps.tsx'
import { importColumns } from '#src/selling/import/columns.ts'
import { listingLines } from '#src/selling/own/own-listings-file.server.ts'
import { formLookups } from '#src/selling/lookups.server.ts'
import { comparedFacts } from '#src/storefront/compare/compared-facts.server.ts'
import { wireBody } from '#tools/test-kit/test-sale.ts'

/** Two made-up facts, a choice and a number, that exist only in a copy of the table. */
const everywhere = ['page', 'preview', 'compare', 'verification', 'csv'] as const
const copy = {
  ...fieldTable,
  temper: {
    kind: 'choice',
    column: 'temper',
    choices: { calm: { label: () => 'Calm as a lamb', picture: 'M1 2h3' }, lively: { label: () => 'Lively', picture: 'M4 5h6' } },
    asked: { of: [1] },
    refusal: 'field_listing_color',
    wire: { name: 'temper_code', sent: 'Cattle only.', answered: 'How it behaves.' },
    question: { step: 'more', label: () => 'How does it behave?' },
    label: () => 'Temper',
    shownOn: everywhere,
  },
  tailCm: {
    kind: 'whole',
    column: 'tail_cm',
    min: 5,
    max: 160,
    asked: { of: [1], sex: 0 },
    refusal: 'field_listing_count',
    wire: { name: 'tail_length_cm', sent: '5 to 160.' },
    question: { step: 'more', control: 'stepper', label: () => 'Length of the tail' },
    label: () => 'Tail',
    text: (cm: number) => `${cm} cm`,
    shownOn: everywhere,
  },
} as const satisfies FieldTable

const cow: Record<string, string> = {
  categoryId: '1',
  breedId: '101',
  ageId: '7',
  genderId: '0',
  colorId: '6',
  name: 'Cow',
  description: 'Calm',
  stock: '1',
  weightKg: '320',
  originalPrice: '85000',
}
const said = { temper: 'calm', tailCm: '90' }
const known = { temper: 'calm', tailCm: 90 }
const facts = { ...noFacts, ...known }
const product = {
  id: 1,
  categoryId: 1,
  breedId: 101,
  ageId: 7,
  genderId: 0,
  colorId: 6,
  weightKg: 320,
  stock: 1,
  hasTag: false,
  originalPrice: rupees(85_000),
  ...facts,
} as unknown as Product
const options = { today: '2026-11-21', table: copy }
const textsOf = (shown: { name: string; label: string; text: string }[]) =>
  shown.filter(({ name }) => name in said).map(({ label, text }) => `${label}: ${text}`)

describe('a fact that exists only in the field table is', () => {
  test('asked by the form for its animals', () => {
    const formOf = (id: number) =>
      inLocale('en', () =>
        renderToStaticMarkup(
          createElement(QuestionSteps, {
            category: categories.find((category) => category.id === id)!,
            lookups: formLookups('en'),
            settings: { profitMarginPercent: 5, recommendedOfferPercent: 0 },
            today: options.today,
            table: copy,
          }),
        ),
      )
    const form = formOf(1)
    for (const text of ['name="temper"', 'How does it behave?', 'value="calm"', 'Calm as a lamb', 'd="M1 2h3"'])
      expect(form).toContain(text)
    for (const text of ['name="tailCm"', 'Length of the tail']) expect(form).toContain(text)
    expect(formOf(2)).not.toMatch(/name="(temper|tailCm)"/)
  })

  test('a column of the table for imports', () => {
    expect(importColumns(copy).filter(({ field }) => field in said)).toMatchObject([
      { field: 'temper', options: [{ id: 'calm', en: 'Calm as a lamb' }, { id: 'lively' }] },
      { field: 'tailCm' },
    ])
  })

  test('stored by a draft', () => {
    expect(draftTyped(Object.entries({ ...said, color: 'x' }), draftFieldsOf(copy))).toEqual(said)
  })

  test('validated: its limits, its codes, and the animals it applies to', () => {
    const checked = (changes: object, isStrict = false) =>
      checkListing(readTyped({ ...cow, ...said, ...changes }, copy), { ...options, isStrict })
    expect(checked({}).facts).toMatchObject(known)
    expect(checked({ tailCm: '௯௦' }).facts).toMatchObject(known)
    expect(checked({ temper: 'wild', tailCm: '161' }).problems).toEqual([
      { field: 'temper', message: 'field_listing_color' },
      { field: 'tailCm', message: 'field_listing_count' },
    ])
    const bull = { genderId: '1' }
    expect(checked(bull).facts).toMatchObject({ temper: 'calm', tailCm: null })
    expect(checked(bull, true).problems).toEqual([{ field: 'tailCm', message: 'field_listing_not_asked' }])
  })

  test('prefilled in the edit form, so that a change of the price keeps it', () => {
    expect(typedFacts(facts, copy)).toEqual(said)
  })

  test('in the preview, on the page and on the admin’s desk', () => {
    const shown = ['Temper: Calm as a lamb', 'Tail: 90 cm']
    const typed = { ...said, tailCm: '௯௦' }
    expect(inLocale('en', () => textsOf(previewedFacts(typed, { categoryId: 1, genderId: 0 }, copy)))).toEqual(shown)
    expect(inLocale('en', () => textsOf(previewedFacts(typed, { categoryId: 2, genderId: 0 }, copy)))).toEqual([])
    for (const place of ['page', 'verification'] as const) expect(textsOf(animalFacts(product, place, 'en', copy)), place).toEqual(shown)
  })

  test('a column of the file for a spreadsheet', () => {
    const ox = { ...product, id: 2, genderId: 1, temper: 'lively', tailCm: null } as Product
    const [head, ...lines] = listingLines([ox, product], { locale: 'en' }, copy)
    expect(head).toMatch(/,Temper,Tail\r\n$/)
    expect(lines.map((line) => line.split(',').slice(-2).join())).toEqual(['Lively,\r\n', 'Calm as a lamb,90 cm\r\n'])
  })

  test('compared', () => {
    const other = { ...product, temper: 'lively', tailCm: null } as Product
    expect(comparedFacts([product, other], 'en', copy).filter(({ name }) => name in said)).toEqual([
      { name: 'temper', label: 'Temper', texts: ['Calm as a lamb', 'Lively'], differs: true },
      { name: 'tailCm', label: 'Tail', texts: ['90 cm', null], differs: true },
    ])
  })

  test('read from the API by its wire name, and returned', () => {
    const sent = { temper_code: 'calm', tail_length_cm: 90 }
    const body = { ...productBody.parse(wireBody(1, 1)), product_variant: [variantBody(copy).parse(sent)] }
    expect(typedOf(body, copy)).toMatchObject(said)
    expect(typedChange(cow, { product_variant: [sent] } as never, copy)).toEqual({ ...cow, ...said })
    expect(withWireName({ field: 'tailCm', message: '' }, copy).field).toBe('product_variant.0.tail_length_cm')
    expect(factsOnWire(product, copy)).toMatchObject(sent)
    expect(answeredFacts(copy).temper_code.safeParse('wild').success).toBe(false)
  })

  test('a column with its CHECK, and read from its row', () => {
    const columns = getTableColumns(pgTable('listings', { genderId: smallint('gender_id'), ...factColumns(copy) }))
    expect([columns.temper.name, columns.temper.getSQLType(), columns.tailCm.name, columns.tailCm.getSQLType()]).toEqual([
      'temper',
      'text',
      'tail_cm',
      'smallint',
    ])
    const checks = factChecks(copy).map(({ name, condition }) => `${name}: ${new PgDialect().sqlToQuery(condition).sql}`)
    expect(checks).toContain(`listings_temper: "listings"."temper" in ('calm', 'lively')`)
    expect(checks).toContain(
      'listings_tail_cm: "listings"."tail_cm" between 5 and 160 and ("listings"."tail_cm" is null or "listings"."gender_id" = 0)',
    )
    expect(new PgDialect().sqlToQuery(factSelect(copy)).sql).toContain('l.temper as "temper", l.tail_cm as "tailCm"')
    const row = z.object(factRowShape(copy))
    expect(row.parse({ ...noFacts, ...known })).toEqual(facts)
    expect(row.safeParse({ ...noFacts, ...known, temper: 'wild' }).success).toBe(false)
  })
})

describe('each entry of the table', () => {
  const entries = Object.entries(fieldTable as FieldTable)
  test.each(entries)('%s can be stored within its limits, and is shown somewhere', (name, field: Field) => {
    if (field.kind === 'choice') expect(Object.keys(field.choices).filter((code) => !/^[a-z]+$/.test(code))).toEqual([])
    else expect(field.max).toBeLessThan(field.kind === 'decimal' ? 10 ** (String(field.max).length + DECIMAL_DIGITS) : 32_768)
    const isPart = field.kind !== 'choice' && field.question.control === 'part'
    expect(field.shownOn.length > 0, name).toBe(!isPart)
  })

  test('has a unique column and wire name', () => {
    for (const names of [entries.map(([, { column }]) => column), entries.map(([, { wire }]) => wire.name)])
      expect(new Set(names).size).toBe(entries.length)
  })
})
