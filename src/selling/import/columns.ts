import { fieldTable, type FieldTable } from '#src/listings/fields/field-table.ts'
import { breeds, categories, colors, genders, livestockAges } from '#src/listings/reference/reference-data.ts'
import { m } from '#src/paraglide/messages.js'
import type { Locale } from '#src/kit/text/locale.ts'

type Text = (inputs?: object, options?: { locale?: Locale }) => string
interface Named {
  id: number | string
  en: string
  ta: string
}

/** A column of an import table: its heading in both languages, and the allowed values of a choice. */
interface Column {
  /** Field of the sell form. */
  field: string
  label: Text
  isRequired?: true
  options?: readonly Named[]
  /** Value in the template. */
  example: (locale: Locale) => string
}

const oneOf = (field: string, label: Text, options: readonly Named[], example: number): Column => ({
  field,
  label,
  options,
  example: (locale) => options.find(({ id }) => id === example)![locale],
})

const text = (field: string, label: Text, example: Text): Column => ({ field, label, example: (locale) => example({}, { locale }) })
const figure = (field: string, label: Text, example: string): Column => ({ field, label, example: () => example })
const required = (column: Column): Column => ({ ...column, isRequired: true })
const blank = () => ''

/** Species have two names each. */
const species = categories.flatMap(({ id, en, ta, shortEn, shortTa }) => [
  { id, en: shortEn, ta: shortTa },
  { id, en, ta },
])

/** All optional facts of the field table. */
export const importColumns = (table: FieldTable): Column[] =>
  Object.entries(table).map(([field, fact]) => {
    const column = figure(field, fact.head ?? fact.label, '')
    if (fact.kind !== 'choice') return column
    const inBoth = (label: Text) => ({ en: label({}, { locale: 'en' }), ta: label({}, { locale: 'ta' }) })
    return { ...column, options: Object.entries(fact.choices).map(([id, { label }]) => ({ id, ...inBoth(label) })) }
  })

export const columns: readonly Column[] = [
  required(oneOf('categoryId', m.product_category, species, 1)),
  oneOf('breedId', m.product_breed, breeds, 101),
  oneOf('genderId', m.product_gender, genders, 0),
  oneOf('ageId', m.product_age, livestockAges, 7),
  oneOf('colorId', m.product_color, colors, 3),
  required(text('name', m.sell_name, m.import_example_name)),
  required(text('description', m.product_description, m.import_example_description)),
  required(figure('stock', m.sell_stock, '1')),
  required(figure('weightKg', m.product_weight, '320')),
  required(figure('originalPrice', m.sell_original_price, '85000')),
  figure('offerPrice', m.sell_offer_price, ''),
  ...importColumns(fieldTable),
  { field: 'photo', label: m.import_photo, example: blank },
]

/** For agents: whose animal it is. A fee is in rupees, or in percent with the sign. */
export const ownerColumns: readonly Column[] = [
  { field: 'ownerName', label: m.sell_owner_name, example: blank },
  { field: 'ownerPhone', label: m.sell_owner_phone, example: blank },
  { field: 'ownerFee', label: m.sell_owner_fee, example: blank },
]

/** Normalises spelling differences that people and spreadsheets introduce. */
const plain = (text: string) => text.normalize('NFC').trim().replace(/\s+/g, ' ').replace(/[?*]/g, '').toLowerCase()

/** Finds a column by its heading in either language. */
export const columnOf = (all: readonly Column[], head: string): Column | undefined =>
  all.find(({ field, label }) =>
    [field, label({}, { locale: 'en' }), label({}, { locale: 'ta' })].some((name) => plain(name) === plain(head)),
  )

/**
 * The value as the form would send it: the id of a choice named in either language; anything else unchanged, for the form's validation to
 * refuse.
 */
export function valueIn({ options }: Column, cell: string): string {
  const found = options?.find(({ en, ta }) => [en, ta].some((name) => plain(name) === plain(cell)))
  return found ? String(found.id) : cell.trim()
}
