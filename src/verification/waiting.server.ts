import { sql } from 'drizzle-orm'
import { caseColumns, type WaitingCases } from '#src/kit/records/waiting.ts'
import { nameIn } from '#src/listings/fields/name-in.server.ts'
import { toLookAt } from './second-look-list.server.ts'
import { claimant, waiting } from './queue.server.ts'

/** The name of the seller of listing `l`. */
const sellerName = sql`(select u.name from users u where u.id = l.seller_id)`

export const listingsWaiting: WaitingCases = (ctx) => sql`
  select ${caseColumns({
    since: sql`l.submitted_at`,
    title: nameIn(ctx.locale),
    path: sql`'/admin/verification?id=' || l.id`,
    person: sellerName,
    amount: sql`l.price`,
    handler: claimant(ctx),
  })}
  from listings l where ${waiting(ctx)}`

/** Changed words of passed listings (decisions.md §7.10). */
export const secondLooksWaiting: WaitingCases = (ctx) => sql`
  select ${caseColumns({
    since: sql`s.created_at`,
    title: nameIn(ctx.locale),
    path: sql`'/admin/second-looks?look=' || l.id`,
    person: sellerName,
  })}
  from ${toLookAt(ctx)}`
