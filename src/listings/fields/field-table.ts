import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { FEMALE, MAX_TAPE_CM, MIN_TAPE_CM, weightByTape } from './listing-questions.ts'
import { MAX_TEETH_PAIRS, teethOf } from './teeth.ts'

/**
 * Every optional fact of an animal, one entry each: its column, limits, question, wire name and where it is shown. Columns and CHECKs, forms, drafts,
 * validation, preview, pages, API and spreadsheets all read this table (decision 0039). Its order is the order of the form and of the pages.
 */

type Options = { locale?: Locale }
type Text = (inputs?: object, options?: Options) => string

/** Pages and files that show facts. */
export type Place = 'page' | 'preview' | 'compare' | 'verification' | 'csv'

/** The other facts by name, which a text may need besides its own value. */
export interface Described {
  categoryId: number
  facts: Readonly<Record<string, number | string | null>>
}

interface AnyField {
  /** The column in table `listings`. */
  column: string
  /** The categories for which the form asks this question, and the sex if it applies to one sex only. All other animals have no answer. */
  asked: { of: readonly number[]; sex?: typeof FEMALE }
  /** The error text for a refused answer. */
  refusal: `field_${string}`
  /** The wire name, and its descriptions for requests and for answers. */
  wire: { name: string; sent: string; answered?: string }
  label: Text
  /** The column heading in an import spreadsheet, where two facts have the same label. */
  head?: Text
  /** Everybody sees the page, the seller the preview, admins the verification. API answers contain every fact. */
  shownOn: readonly Place[]
}

interface Question {
  step: 'about' | 'more'
  label: Text
  hint?: Text
  unit?: Text
}

export interface NumberField extends AnyField {
  kind: 'whole' | 'decimal'
  /** `part`: asked within the control of another fact. */
  question: Question & { control: 'stepper' | 'teeth' | 'tape' | 'part' }
  min: number
  max: number
  /** The step of the answers, and of the plus and minus buttons; default 1. */
  step?: number
  /** By default the plain number is shown. Null shows nothing. */
  text?: (value: number, described: Described, options: Options) => string | null
}

export interface Choice {
  label: Text
  /** SVG path data of a drawing, 48 × 48. */
  picture: string
}

interface ChoiceField extends AnyField {
  kind: 'choice'
  question: Question
  /** By stored code. Codes are part of the wire, so never rename one. */
  choices: Readonly<Record<string, Choice>>
}

export type Field = NumberField | ChoiceField
export type FieldTable = Readonly<Record<string, Field>>

/** Digits after the point of a `decimal`. */
export const DECIMAL_DIGITS = 1

const CATTLE = 1
const GOATS = 2
const SHEEP = 3
/** The categories with varianttype 1. */
const RUMINANTS = [CATTLE, GOATS, SHEEP]
/** A head from the front: forehead, muzzle and both ears. */
const HEAD = 'M17 22Q24 18 31 22L29 37Q24 45 19 37ZM17 25L11 27 17 29M31 25L37 27 31 29'
const everywhere: readonly Place[] = ['page', 'preview', 'compare', 'verification', 'csv']

export const fieldTable = {
  /** Centimetres, chest girth behind the elbow. Shown together with the length. */
  girthCm: {
    kind: 'whole',
    column: 'girth_cm',
    min: MIN_TAPE_CM,
    max: MAX_TAPE_CM,
    asked: { of: [CATTLE] },
    refusal: 'field_listing_tape',
    wire: { name: 'heart_girth_cm', sent: 'Centimetres, 20 to 350. For cattle only.' },
    question: { step: 'about', control: 'tape', label: m.sell_girth },
    label: m.product_tape,
    head: m.import_girth,
    text: tapeText,
    shownOn: everywhere,
  },
  /** Centimetres, from shoulder to pin bone. */
  lengthCm: {
    kind: 'whole',
    column: 'length_cm',
    min: MIN_TAPE_CM,
    max: MAX_TAPE_CM,
    asked: { of: [CATTLE] },
    refusal: 'field_listing_tape',
    wire: { name: 'body_length_cm', sent: 'Centimetres, 20 to 350. For cattle only.' },
    question: { step: 'about', control: 'part', label: m.sell_length },
    label: m.product_tape,
    head: m.import_length,
    shownOn: [],
  },
  /** Pairs of adult teeth, because keepers count teeth. */
  teethPairs: {
    kind: 'whole',
    column: 'teeth_pairs',
    min: 0,
    max: MAX_TEETH_PAIRS,
    asked: { of: RUMINANTS },
    refusal: 'field_listing_teeth',
    wire: {
      name: 'adult_teeth_pair_count',
      sent: 'Pairs of adult teeth, 0 to 10. For varianttype 1 only.',
    },
    question: { step: 'about', control: 'teeth', label: m.product_teeth, hint: m.sell_teeth_hint },
    label: m.product_teeth,
    text: (pairs) => String(teethOf(pairs)),
    shownOn: everywhere,
  },
  milkLitresPerDay: {
    kind: 'decimal',
    column: 'milk_litres_per_day',
    min: 0,
    max: 100,
    step: 0.5,
    asked: { of: RUMINANTS, sex: FEMALE },
    refusal: 'field_listing_milk',
    wire: { name: 'milk_produce_per_Day', sent: 'Litres in steps of 0.5. For females of varianttype 1 only.', answered: 'Litres a day.' },
    question: { step: 'about', control: 'stepper', label: m.sell_milk, unit: m.sell_litres },
    label: m.product_milk,
    text: (litres, _, options) => m.product_litres({ litres }, options),
    shownOn: everywhere,
  },
  /** The number of pregnancies so far. */
  pregnancies: {
    kind: 'whole',
    column: 'pregnancies',
    min: 0,
    max: 10,
    asked: { of: RUMINANTS, sex: FEMALE },
    refusal: 'field_listing_count',
    wire: {
      name: 'is_pregnant',
      sent: 'The number of pregnancies so far, 0 to 10. For females of varianttype 1 only.',
      answered: 'The number of pregnancies so far, in spite of the name. Null if not asked or not female.',
    },
    question: { step: 'about', control: 'stepper', label: m.product_pregnancies },
    label: m.product_pregnancies,
    shownOn: everywhere,
  },
  /** The number of times she has calved and given milk. */
  lactation: {
    kind: 'whole',
    column: 'lactation',
    min: 0,
    max: 15,
    asked: { of: RUMINANTS, sex: FEMALE },
    refusal: 'field_listing_lactation',
    wire: {
      name: 'lactation_no',
      sent: 'The number of lactations, 0 to 15. For females of varianttype 1 only.',
      answered: 'The number of lactations so far.',
    },
    question: { step: 'more', control: 'stepper', label: m.sell_lactation, hint: m.sell_lactation_hint },
    label: m.product_lactation,
    shownOn: everywhere,
  },
  /** Young animals that are sold together with it. */
  offspring: {
    kind: 'whole',
    column: 'offspring',
    min: 0,
    max: 100,
    asked: { of: RUMINANTS },
    refusal: 'field_listing_offspring',
    wire: { name: 'no_of_offsprings', sent: 'Young animals sold with it, 0 to 100. For varianttype 1 only.' },
    question: { step: 'about', control: 'stepper', label: m.product_offspring, hint: m.sell_offspring_hint },
    label: m.product_offspring,
    shownOn: everywhere,
  },
  hornShape: {
    kind: 'choice',
    column: 'horn_shape',
    choices: {
      none: { label: m.product_horns_none, picture: HEAD },
      up: { label: m.product_horns_up, picture: `${HEAD}M18 21C15 15 15 9 18 4M30 21C33 15 33 9 30 4` },
      out: { label: m.product_horns_out, picture: `${HEAD}M17 21C11 20 6 17 3 10M31 21C37 20 42 17 45 10` },
      curved: {
        label: m.product_horns_curved,
        picture: `${HEAD}M18 21C8 16 3 26 9 31C13 33 15 29 12 27M30 21C40 16 45 26 39 31C35 33 33 29 36 27`,
      },
    },
    asked: { of: RUMINANTS },
    refusal: 'field_listing_horns',
    wire: { name: 'horn_shape', sent: 'For cattle, goats and sheep only.' },
    question: { step: 'more', label: m.sell_horns, hint: m.sell_horns_hint },
    label: m.product_horns,
    shownOn: everywhere,
  },
} as const satisfies FieldTable

/** Both tape measurements and the estimated weight of cattle of that size. Null unless both were measured. */
function tapeText(girth: number, { categoryId, facts }: Described, options: Options): string | null {
  const length = facts.lengthCm
  if (typeof length !== 'number') return null
  const kg = categoryId === CATTLE ? weightByTape(girth, length) : null
  const lengths = m.product_tape_text({ girth, length }, options)
  return kg === null ? lengths : `${lengths} · ${m.product_tape_weight({ kg }, options)}`
}

type ValueOf<F extends Field> = F extends { choices: infer Choices } ? keyof Choices & string : number
/** The facts of a table by name; null without an answer. */
export type FactsOf<T extends FieldTable> = { [Name in keyof T]: ValueOf<T[Name]> | null }
export type Facts = FactsOf<typeof fieldTable>

export const factsFrom = <T extends FieldTable>(table: T, read: (name: keyof T & string, field: Field) => number | string | null) =>
  Object.fromEntries(Object.entries(table).map(([name, field]) => [name, read(name, field)])) as FactsOf<T>

/** An animal without any optional fact. */
export const noFacts: Facts = factsFrom(fieldTable, () => null)

/** Whether the form asks this question for such an animal. The sex and category may not be chosen yet. */
export const isAsked = ({ asked }: Field, categoryId: number | null, genderId: number | null): boolean =>
  categoryId !== null && asked.of.includes(categoryId) && (asked.sex === undefined || asked.sex === genderId)
