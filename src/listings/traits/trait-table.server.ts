import { sql, type SQL } from 'drizzle-orm'
import { keysOf } from '#src/kit/text/sound-keys.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { quoted } from '../vocabulary.server.ts'
import { traitNames, traits, type ChosenTraits, type TraitName, type TraitValue } from './traits.ts'

type Text = (inputs: object, options: { locale: Locale }) => string

interface Trait<N extends TraitName> {
  label: Text
  /** Of each value: how it reads, and its condition on a listing `l`. */
  values: { [V in TraitValue<N>]: { label: Text; where: SQL } }
}

/** Age ids go up with the years (reference-data.ts). */
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
const kilograms =
  (value: string): Text =>
  (_, options) =>
    m.list_weight_kg({ kg: value }, options)
const litres =
  (value: number): Text =>
  (_, options) =>
    m.list_milk_litres({ litres: value }, options)

/** Nobody is asked whether an animal is pregnant now: the name of the listing says so, in either language. */
const pregnancyWords = ['சினை', 'pregnant'].flatMap(keysOf).map((key) => `${quoted(key)}:A`)

/** `isVetPassed` depends on the day. */
export const traitTable = (isVetPassed: SQL): { [N in TraitName]: Trait<N> } => ({
  sex: {
    label: m.list_sex,
    values: {
      female: { label: m.list_sex_female, where: sql`l.gender_id in (0, 3)` },
      male: { label: m.list_sex_male, where: sql`l.gender_id in (1, 2, 3)` },
    },
  },
  age: {
    label: m.list_age,
    values: {
      '0-1': { label: m.list_age_young, where: aged(1, 4) },
      '1-3': { label: years('1-3'), where: aged(5, 6) },
      '3-5': { label: years('3-5'), where: aged(7, 8) },
      '5-': { label: m.list_age_old, where: aged(9, 11) },
    },
  },
  milk: {
    label: m.list_milk,
    values: {
      any: { label: m.list_milk_any, where: sql`l.milk_litres_per_day > 0` },
      '5': { label: litres(5), where: gives(5) },
      '10': { label: litres(10), where: gives(10) },
      '15': { label: litres(15), where: gives(15) },
    },
  },
  pregnant: {
    label: m.list_pregnant,
    values: {
      '1': {
        label: m.list_pregnant,
        where: sql`l.search_keys @@ ${sql.raw(`'${pregnancyWords.join(' | ').replaceAll("'", "''")}'`)}::tsquery`,
      },
    },
  },
  weight: {
    label: m.list_weight,
    values: {
      '0-10': { label: m.list_weight_light, where: weighs(0, 10) },
      '10-30': { label: kilograms('10-30'), where: weighs(10, 30) },
      '30-100': { label: kilograms('30-100'), where: weighs(30, 100) },
      '100-300': { label: kilograms('100-300'), where: weighs(100, 300) },
      '300-': { label: m.list_weight_heavy, where: weighs(300, null) },
    },
  },
  verified: {
    label: m.card_verified_seller,
    values: { '1': { label: m.card_verified_seller, where: sql`l.seller_verified` } },
  },
  vet: { label: m.card_vet, values: { '1': { label: m.card_vet, where: isVetPassed } } },
  vaccinated: {
    label: m.card_vaccinated,
    values: { '1': { label: m.card_vaccinated, where: sql`l.is_vaccinated` } },
  },
})

/** One value of a trait. */
export interface TraitOption {
  name: TraitName
  value: string
  label: Text
  where: SQL
}

/** Every value of every trait, in the order of the table. */
export const traitOptions = (isVetPassed: SQL): TraitOption[] =>
  traitNames.flatMap((name) => {
    const values = traitTable(isVetPassed)[name].values as Record<string, { label: Text; where: SQL }>
    return traits[name].values.map((value) => ({ name, value, ...values[value]! }))
  })

/** The chosen ones, as they read. */
export const traitsInWords = (chosen: ChosenTraits, locale: Locale): string[] =>
  traitOptions(sql`true`)
    .filter(({ name, value }) => chosen[name] === value)
    .map(({ label }) => label({}, { locale }))
