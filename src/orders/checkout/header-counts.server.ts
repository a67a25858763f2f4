import { sql } from 'drizzle-orm'
import { users } from '#src/accounts/tables.ts'
import { newestContactId } from '#src/kit/messages/contact-board.server.ts'
import { cartLines } from '#src/cart/tables.ts'
import { bonusCounts } from '#src/orders/checkout/bonus.server.ts'

/**
 * Counts for the frame of every page, read by the statement that finds the session (accounts/sessions.server.ts), so that pages need no
 * second query. `referred` and `delivered` for the bonus, `cartLines` for the header, `contactId` for the footer
 * (kit/messages/contact-board.server.ts).
 */
export const headerCounts = sql<Record<string, number> | null>`(
  select json_build_object('referred', counts.referred, 'delivered', counts.delivered,
    'cartLines', (select count(*)::int from ${cartLines} held where held.buyer_id = ${users.id}), 'contactId', ${newestContactId})
  from ${bonusCounts(sql`${users.id}`)} counts)`
