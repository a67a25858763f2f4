import type { FilterGroup } from './filter-groups.ts'

/** The names of the chosen categories for a heading; empty when all are shown. */
export const categoryNames = ({ choices, groups }: { choices: { categoryIds: number[] }; groups: FilterGroup[] }): string =>
  groups
    .filter(({ id }) => choices.categoryIds.includes(id))
    .map(({ name }) => name)
    .join(', ')
