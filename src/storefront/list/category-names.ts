import type { FilterGroup } from './filter-groups.ts'

/** The chosen categories, as a heading names them; empty when all are shown. */
export const categoryNames = ({ choices, groups }: { choices: { categoryIds: number[] }; groups: FilterGroup[] }): string =>
  groups
    .filter(({ id }) => choices.categoryIds.includes(id))
    .map(({ name }) => name)
    .join(', ')
