import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { rupees } from '#src/kit/time-money/money.ts'
import { radii, usualMaxPrice, type BrowseChoices } from './schemas.ts'

const facetShape = z.object({ looked: z.number(), counts: z.record(z.string(), z.number()).nullable() })
export const facetsShape = z.object({ species: facetShape, breed: facetShape, within: facetShape, max: facetShape })

interface Counting {
  choices: BrowseChoices
  /** The matches for other choices, capped at the count limit, as `l` with the columns of `few`. */
  matching: (choices: BrowseChoices) => SQL
  /** Whether listing `l` lies within a radius around the chosen place; null without a place. */
  isWithin: ((km: number) => SQL) | null
}

/**
 * One row with one column: counts for species, breeds and distances, and the usual price. Each ignores its own filter and keeps the others. Where its
 * filter is not set, it counts the current matches (`few`); otherwise it runs one more query without that filter, capped in the same way.
 */
export function countFacets({ choices, matching, isWithin }: Counting): SQL {
  const base = (isOn: boolean, without: Partial<BrowseChoices>) => (isOn ? sql`(${matching({ ...choices, ...without })})` : sql`few`)
  const species = base(choices.categoryIds.length + choices.breedIds.length > 0, { categoryIds: [], breedIds: [] })
  const breed = base(choices.breedIds.length > 0, { breedIds: [] })
  const within = isWithin && base(choices.withinKm !== null, { withinKm: null })
  const max = rupees(usualMaxPrice(choices.categoryIds))
  // When neither is chosen, group the thousand rows once for both.
  const isShared = choices.categoryIds.length + choices.breedIds.length === 0
  const kinds = (base: SQL) => (isShared ? sql`kinds` : sql`(select l.category_id, l.breed_id, 1 as count from ${base} l)`)
  return sql`${isShared ? sql`with kinds as materialized (select l.category_id, l.breed_id, count(*)::int as count from few l group by 1, 2) ` : sql``}
  select json_build_object(
    'species', ${byId(sql`l.category_id`, kinds(species))},
    'breed', ${byId(sql`l.breed_id`, kinds(breed))},
    'within', ${
      within
        ? byValue(
            radii.map((km): [number, SQL] => [km, isWithin(km)]),
            within,
          )
        : nothing
    },
    'max', ${byValue([[usualMaxPrice(choices.categoryIds), sql`l.price <= ${max}::bigint`]], base(choices.maxPrice !== null, { maxPrice: null }))}
  ) as facets`
}

const nothing = sql`json_build_object('looked', 0, 'counts', null)`

const byId = (id: SQL, base: SQL) => sql`(select json_build_object('looked', coalesce(sum(count), 0), 'counts', json_object_agg(id, count))
  from (select coalesce(${id}, -1) as id, sum(l.count)::int as count from ${base} l group by 1) each)`

const byValue = (values: [number, SQL][], base: SQL) =>
  sql`(select json_build_object('looked', count(*), 'counts', json_build_object(${sql.join(
    values.map(([value, where]) => sql`${String(value)}::text, count(*) filter (where ${where})`),
    sql`, `,
  )})) from ${base} l)`
