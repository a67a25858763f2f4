import { sql } from 'drizzle-orm'
import { users } from '#src/accounts/tables.ts'
import { newestContactId } from '#src/kit/messages/contact-board.server.ts'
import { cartLines } from '#src/cart/tables.ts'
import { bonusCounts } from '#src/orders/checkout/bonus.server.ts'

/**
 * What the frame of every page shows of the person who is logged in, for the statement that finds their session
 * (accounts/sessions.server.ts): no page asks a second time. `referred` and `delivered` for the bonus, `cartLines` for the header,
 * `contactId` for the foot (kit/messages/contact-board.server.ts).
 */
export const headerCounts = sql<Record<string, number> | null>`(
  select json_build_object('referred', counts.referred, 'delivered', counts.delivered,
    'cartLines', (select count(*)::int from ${cartLines} held where held.buyer_id = ${users.id}), 'contactId', ${newestContactId})
  from ${bonusCounts(sql`${users.id}`)} counts)`
