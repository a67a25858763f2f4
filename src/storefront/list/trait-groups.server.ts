import { sql } from 'drizzle-orm'
import type { Locale } from '#src/kit/text/locale.ts'
import type { TraitCount } from '#src/listings/browse/browse.server.ts'
import type { BrowseChoices } from '#src/listings/browse/schemas.ts'
import { traitTable } from '#src/listings/traits/trait-table.server.ts'
import { isTraitOf, traitNames, traits, type TraitName } from '#src/listings/traits/traits.ts'

export interface TraitGroup {
  name: TraitName
  label: string
  /** A checkbox for its one value. */
  isOne: boolean
  options: { value: string; label: string; isChosen: boolean; count: string }[]
}

/** The trait filters for the chosen categories, with how many animals each value leaves ("340+": a least number). */
export function traitGroups(locale: Locale, choices: Pick<BrowseChoices, 'categoryIds' | 'traits'>, counts: TraitCount[]): TraitGroup[] {
  const table = traitTable(sql`true`)
  return traitNames
    .filter((name) => isTraitOf(name, choices.categoryIds) || choices.traits[name])
    .map((name) => {
      const values = table[name].values as Record<string, { label: (inputs: object, options: { locale: Locale }) => string }>
      const options = traits[name].values.map((value) => {
        const found = counts.find((each) => each.name === name && each.value === value)
        return {
          value,
          label: values[value]!.label({}, { locale }),
          isChosen: choices.traits[name] === value,
          count: found && (found.count > 0 || !found.isMore) ? `${found.count.toLocaleString('en-IN')}${found.isMore ? '+' : ''}` : '',
        }
      })
      return {
        name,
        label: table[name].label({}, { locale }),
        isOne: traits[name].values.length === 1,
        options: options.filter(({ count, isChosen }) => isChosen || count !== '0'),
      }
    })
    .filter(({ options }) => options.length > 0)
}

/** The common values per species, offered above its list as single taps; 0: above a list of several. */
const usual: Record<number, `${TraitName} ${string}`[]> = {
  0: ['verified 1', 'vet 1', 'vaccinated 1', 'video 1', 'sex female', 'sex male'],
  1: ['milk any', 'milk 10', 'pregnant 1', 'sex female', 'age 1-3', 'vet 1', 'video 1'],
  2: ['sex female', 'age 0-1', 'weight 10-30', 'vaccinated 1'],
  3: ['sex male', 'age 0-1', 'weight 10-30', 'vaccinated 1'],
  4: ['sex male', 'age 0-1', 'vaccinated 1'],
  5: ['age 0-1', 'sex male', 'vaccinated 1'],
  6: ['sex female', 'age 1-3', 'vet 1'],
}

export interface TraitChip {
  name: TraitName
  value: string
  label: string
}

/** Only those that find animals and are not chosen yet. */
export function usualTraits(choices: Pick<BrowseChoices, 'categoryIds' | 'traits'>, groups: TraitGroup[]): TraitChip[] {
  const [species = 0] = choices.categoryIds.length === 1 ? choices.categoryIds : []
  return (usual[species] ?? []).flatMap((each) => {
    const [asked, value] = each.split(' ')
    const group = groups.find(({ name }) => name === asked)
    const option = group?.options.find((other) => other.value === value)
    return group && option && !option.isChosen && option.count !== '0'
      ? [{ name: group.name, value: option.value, label: option.label }]
      : []
  })
}
