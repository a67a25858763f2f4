import { sql, type SQL } from 'drizzle-orm'
import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { PREGNANT, quoted } from '#src/listings/reference/vocabulary.server.ts'
import { traitNames, traits, type ChosenTraits, type TraitName, type TraitValue } from './traits.ts'

type Text = (inputs: object, options: { locale: Locale }) => string

interface Value {
  label: Text
  /** The SQL condition on listing `l`. */
  where: SQL
  /** A key of the index `listings_keys` that covers at least these rows (listing-keys.server.ts); null when another index serves it. */
  key: number | null
}

interface Trait<N extends TraitName> {
  label: Text
  values: { [V in TraitValue<N>]: Value }
}

/** Age ids increase with age (reference-data.ts). */
const aged = (from: number, to: number) => sql`l.age_id between ${sql.raw(`${from} and ${to}`)}`
/** 0 kg means "not weighed". */
const weighs = (from: number, to: number | null) =>
  to === null
    ? sql`l.weight_kg >= ${sql.raw(`${from}`)}`
    : sql`(l.weight_kg > 0 and l.weight_kg >= ${sql.raw(`${from}`)} and l.weight_kg < ${sql.raw(`${to}`)})`
const gives = (litres: number) => sql`l.milk_litres_per_day >= ${sql.raw(`${litres}`)}`

const years =
  (value: string): Text =>
  (_, options) =>
    m.list_age_years({ years: value }, options)
const calving = (number: string): Value => ({
  label: (_, options) => m.product_key_lactation({ number }, options),
  where: sql`l.lactation = ${sql.raw(number)}`,
  key: null,
})
const kilograms =
  (value: string): Text =>
  (_, options) =>
    m.list_weight_kg({ kg: value }, options)
const litres =
  (value: number): Text =>
  (_, options) =>
    m.list_milk_litres({ litres: value }, options)

const lactation: Trait<'lactation'> = {
  label: m.product_lactation,
  values: {
    '1': calving('1'),
    '2': calving('2'),
    '3': calving('3'),
    '4-': { label: m.list_lactation_late, where: sql`l.lactation >= 4`, key: null },
  },
}

/** `isVetPassed` depends on the day. */
export const traitTable = (isVetPassed: SQL): { [N in TraitName]: Trait<N> } => ({
  sex: {
    label: m.list_sex,
    values: {
      female: { label: m.list_sex_female, where: sql`l.gender_id in (0, 3)`, key: 1 },
      male: { label: m.list_sex_male, where: sql`l.gender_id in (1, 2, 3)`, key: 2 },
    },
  },
  age: {
    label: m.list_age,
    values: {
      '0-1': { label: m.list_age_young, where: aged(1, 4), key: 11 },
      '1-3': { label: years('1-3'), where: aged(5, 6), key: 12 },
      '3-5': { label: years('3-5'), where: aged(7, 8), key: 13 },
      '5-': { label: m.list_age_old, where: aged(9, 11), key: 14 },
    },
  },
  milk: {
    label: m.list_milk,
    values: {
      any: { label: m.list_milk_any, where: sql`l.milk_litres_per_day > 0`, key: 21 },
      '5': { label: litres(5), where: gives(5), key: 22 },
      '10': { label: litres(10), where: gives(10), key: 23 },
      '15': { label: litres(15), where: gives(15), key: 24 },
    },
  },
  pregnant: {
    label: m.list_pregnant,
    values: {
      '1': {
        label: m.list_pregnant,
        where: sql`l.search_keys @@ ${sql.raw(`'${quoted(PREGNANT).replaceAll("'", "''")}'`)}::tsquery`,
        key: null,
      },
    },
  },
  lactation,
  weight: {
    label: m.list_weight,
    values: {
      '0-10': { label: m.list_weight_light, where: weighs(0, 10), key: 31 },
      '10-30': { label: kilograms('10-30'), where: weighs(10, 30), key: 32 },
      '30-100': { label: kilograms('30-100'), where: weighs(30, 100), key: 33 },
      '100-300': { label: kilograms('100-300'), where: weighs(100, 300), key: 34 },
      '300-': { label: m.list_weight_heavy, where: weighs(300, null), key: 35 },
    },
  },
  verified: {
    label: m.card_verified_seller,
    values: { '1': { label: m.card_verified_seller, where: sql`l.seller_verified`, key: 41 } },
  },
  vet: { label: m.card_vet, values: { '1': { label: m.card_vet, where: isVetPassed, key: 44 } } },
  vaccinated: {
    label: m.card_vaccinated,
    values: { '1': { label: m.card_vaccinated, where: sql`l.is_vaccinated`, key: 42 } },
  },
  video: { label: m.list_video, values: { '1': { label: m.list_video, where: sql`l.has_video`, key: 43 } } },
})

export interface TraitOption {
  name: TraitName
  value: string
  label: Text
  where: SQL
  key: number | null
}

/** All values of all traits in table order. */
export const traitOptions = (isVetPassed: SQL): TraitOption[] =>
  traitNames.flatMap((name) => {
    const values = traitTable(isVetPassed)[name].values as Record<string, Value>
    return traits[name].values.map((value) => ({ name, value, ...values[value]! }))
  })

/** The chosen values as texts. */
export const traitsInWords = (chosen: ChosenTraits, locale: Locale): string[] =>
  traitOptions(sql`true`)
    .filter(({ name, value }) => chosen[name] === value)
    .map(({ label }) => label({}, { locale }))
