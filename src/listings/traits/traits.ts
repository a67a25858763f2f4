/** The species that are sold by their milk. */
const RUMINANTS = [1, 2, 3]
const ANIMALS = [1, 2, 3, 4, 5, 6]

/**
 * The filters besides species, breed, price and place, by their names in the URL, with their values. trait-table.server.ts has the text and condition
 * of each. Parsing, URLs, chips, panel and counts use these two tables.
 */
export const traits = {
  sex: { values: ['female', 'male'], of: ANIMALS },
  /** Years. */
  age: { values: ['0-1', '1-3', '3-5', '5-'], of: ANIMALS },
  /** At least this many litres a day; `any` means gives milk. */
  milk: { values: ['any', '5', '10', '15'], of: RUMINANTS },
  pregnant: { values: ['1'], of: RUMINANTS },
  lactation: { values: ['1', '2', '3', '4-'], of: RUMINANTS },
  /** Kilograms. */
  weight: { values: ['0-10', '10-30', '30-100', '100-300', '300-'], of: ANIMALS },
  verified: { values: ['1'], of: null },
  vet: { values: ['1'], of: ANIMALS },
  vaccinated: { values: ['1'], of: ANIMALS },
  video: { values: ['1'], of: null },
} as const satisfies Record<string, { values: readonly string[]; of: readonly number[] | null }>

export type TraitName = keyof typeof traits
export type TraitValue<N extends TraitName> = (typeof traits)[N]['values'][number]
/** The chosen value of each trait; a missing trait means any. */
export type ChosenTraits = { [N in TraitName]?: TraitValue<N> }

export const traitNames = Object.keys(traits) as TraitName[]

/** Drops unknown values, like all unreadable parameters of a list URL. */
export function readTraits(query: URLSearchParams): ChosenTraits {
  const chosen = traitNames.flatMap((name) => {
    const value = query.get(name)
    return (traits[name].values as readonly string[]).includes(value ?? '') ? [[name, value]] : []
  })
  return Object.fromEntries(chosen) as ChosenTraits
}

/** Whether a trait applies to these categories; an empty list means all categories. */
export const isTraitOf = (name: TraitName, categoryIds: readonly number[]): boolean => {
  const { of: appliesTo }: { of: readonly number[] | null } = traits[name]
  return appliesTo === null || categoryIds.length === 0 || categoryIds.some((id) => appliesTo.includes(id))
}
