/** The kinds of animal that are sold by their milk. */
const RUMINANTS = [1, 2, 3]
const ANIMALS = [1, 2, 3, 4, 5, 6]

/**
 * What people scan a list by, beside species, breed, price and place: by its name in the address, with the values that stand there.
 * Texts and conditions of each are in trait-table.server.ts; parsing, addresses, chips, panel and counts all read the two.
 */
export const traits = {
  sex: { values: ['female', 'male'], of: ANIMALS },
  /** Years. */
  age: { values: ['0-1', '1-3', '3-5', '5-'], of: ANIMALS },
  /** At least so many litres a day; `any` gives milk. */
  milk: { values: ['any', '5', '10', '15'], of: RUMINANTS },
  pregnant: { values: ['1'], of: RUMINANTS },
  /** Kilograms. */
  weight: { values: ['0-10', '10-30', '30-100', '100-300', '300-'], of: ANIMALS },
  verified: { values: ['1'], of: null },
  vet: { values: ['1'], of: ANIMALS },
  vaccinated: { values: ['1'], of: ANIMALS },
} as const satisfies Record<string, { values: readonly string[]; of: readonly number[] | null }>

export type TraitName = keyof typeof traits
export type TraitValue<N extends TraitName> = (typeof traits)[N]['values'][number]
/** The chosen value of each trait; none stands for any. */
export type ChosenTraits = { [N in TraitName]?: TraitValue<N> }

export const traitNames = Object.keys(traits) as TraitName[]

/** Values that are none of a trait's are left out, like everything unreadable in the address of a list. */
export function readTraits(query: URLSearchParams): ChosenTraits {
  const chosen = traitNames.flatMap((name) => {
    const value = query.get(name)
    return (traits[name].values as readonly string[]).includes(value ?? '') ? [[name, value]] : []
  })
  return Object.fromEntries(chosen) as ChosenTraits
}

/** Whether a trait says something of these categories; none chosen is all of them. */
export const isTraitOf = (name: TraitName, categoryIds: readonly number[]): boolean => {
  const { of }: { of: readonly number[] | null } = traits[name]
  return of === null || categoryIds.length === 0 || categoryIds.some((id) => of.includes(id))
}
