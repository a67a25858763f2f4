import { sql, type SQL } from 'drizzle-orm'
import { users } from '#src/accounts/tables.ts'
import { DELIVERED } from '../process.server.ts'
import { orders } from '../tables.ts'

/**
 * Counts for a person's referral bonus (decisions.md §7.3), as one row: `referred`, the people who registered with the code, and
 * `delivered`, the confirmed carts that carried it and had an order delivered. `bonusFor` turns the row into rupees. Each cart counts once.
 * The query recounts from the history, so nothing counts twice and nothing needs to be reverted. A code links its owner to everyone who
 * registered, or had an order delivered, with it. A person never earns a bonus from somebody who, over any chain of such links, is also
 * among the people whose codes that person used; so cycles earn nothing. The first order of a cart carries its code.
 */
export const bonusCounts = (userId: SQL) => sql`(
    with recursive givers(id) as (
      select ${userId}
      union
      select giver.id from givers join lateral (
        select u.referred_by_id from ${users} u where u.id = givers.id
        union all
        select o.referrer_id from ${orders} o where o.buyer_id = givers.id and ${isCartDelivered}
      ) giver(id) on giver.id is not null)
    select
      (select count(*)::int from ${users} u where u.referred_by_id = ${userId} and u.id not in (select id from givers)) as referred,
      (select count(distinct o.group_id)::int from ${orders} o where o.referrer_id = ${userId} and ${isCartDelivered}
        and o.buyer_id not in (select id from givers)) as delivered)`

const isCartDelivered = sql`exists (select 1 from ${orders} d where d.group_id = o.group_id and d.status = ${DELIVERED})`
