import { sql, type SQL } from 'drizzle-orm'

/** The conditions of a query on listings `l`. */
export interface Wanted {
  /** The conditions that the index walk in list order covers: live, and species or breed. */
  base: SQL
  others: SQL[]
  /** All conditions in the form for the index `listings_keys` (decision 0101). */
  indexed: SQL
  /** Whether PostgreSQL can estimate the number of matches. */
  isEstimable: boolean
}

/** When at least 70 of 1,000 probed listings match (one in 14), a short index walk is enough. */
const PROBED = 1000
const OFTEN = 70
/** The limit of a walk. If it finds too few, the query uses the key index. */
const WALKED = 16_000
/** The lower limit for walks in a sort order. */
const WALKED_IN_ORDER = 5000

const all = (parts: SQL[]): SQL => sql.join(parts, sql` and `)
/** The conditions for each row. */
export const isHit = ({ base, others }: Wanted): SQL => all([base, ...others])
/**
 * Selects up to `upTo` matches in no order. A walk is fast for common matches, the key index for rare ones. PostgreSQL would choose by the estimate
 * of each condition and assume independence: for bulls that give milk, it walked the whole market. So this query first probes a thousand rows.
 */
export function someOf(fields: SQL, wanted: Wanted, upTo: number): SQL {
  const { base, others, indexed, isEstimable } = wanted
  if (isEstimable || others.length === 0) return sql`select ${fields} from listings l where ${isHit(wanted)} limit ${upTo}`
  const walk = (length: number) => sql`(select l.* from listings l where ${base} limit ${length}) l`
  return sql`
    with probe as materialized (select count(*) as hits from ${walk(PROBED)} where ${all(others)}),
    walked as materialized (select ${fields} from ${walk(WALKED)} where (select hits from probe) >= ${OFTEN} and ${all(others)} limit ${upTo})
    select * from walked where (select count(*) from walked) = ${upTo}
    union all
    (select ${fields} from listings l where ${indexed} and (select count(*) from walked) < ${upTo} limit ${unknown(upTo)})`
}

/**
 * A limit that the planner does not know. With a known small limit, it would expect an early end; without, it chooses the plan that is fast for all
 * rows.
 */
export const unknown = (count: number): SQL => sql`(select ${count}::int)`

/** Selects the first matching ids in an index order: by a walk in that order or, if the walk finds too few, from all matches. */
export function firstOf(wanted: Wanted, { isAsked, rest, by, count }: { isAsked: SQL; rest: SQL; by: SQL; count: number }): SQL {
  const { base, others, indexed } = wanted
  if (others.length === 0)
    return sql`select l.id, 0 as rank from listings l where ${isAsked} and ${base} and ${rest} order by ${by} limit ${count}`
  return sql`
    with walked as materialized (
      select l.id, 0 as rank from (select l.* from listings l where ${base} and ${rest} order by ${by} limit ${WALKED_IN_ORDER}) l
      where ${isAsked} and ${all(others)} order by ${by} limit ${count})
    select * from walked where (select count(*) from walked) = ${count}
    union all
    (select l.id, 0 as rank from (
        -- OFFSET 0 prevents a second walk in that order.
        select l.id, l.created_at, l.price, l.location from listings l where ${indexed} and ${rest} offset 0) l
      where ${isAsked} and (select count(*) from walked) < ${count} order by ${by} limit ${count})`
}
