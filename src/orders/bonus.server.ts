import { sql, type SQL } from 'drizzle-orm'
import { users } from '#src/accounts/tables.ts'
import { DELIVERED } from './rules.ts'
import { orders } from './tables.ts'

/**
 * What a person's code has brought him (decisions.md §4), as one row, `referred` and `delivered`, which `bonusFor` turns into rupees: counted
 * anew from what happened, so no delivery counts twice and nothing has to be taken back. A code goes from who gave it to who registered,
 * or had an order delivered, with it. Where it comes round, to himself or over others, it is a ring and counts for nobody in it: so whoever
 * stands among a person's own givers, and theirs, brings him nothing.
 */
export const bonusCounts = (userId: SQL) => sql`(
    with recursive givers(id) as (
      select ${userId}
      union
      select giver.id from givers join lateral (
        select u.referred_by_id from ${users} u where u.id = givers.id
        union all
        select o.referrer_id from ${orders} o where o.buyer_id = givers.id and o.status = ${DELIVERED}
      ) giver(id) on giver.id is not null)
    select
      (select count(*)::int from ${users} u where u.referred_by_id = ${userId} and u.id not in (select id from givers)) as referred,
      (select count(*)::int from ${orders} o where o.referrer_id = ${userId} and o.status = ${DELIVERED}
        and o.buyer_id not in (select id from givers)) as delivered)`
