import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, unique } from 'drizzle-orm/pg-core'
import { idOf, moment } from '#src/kit/db/tables.ts'
import { users } from '../accounts/tables.ts'
import { listings } from '../listings/tables.ts'

/** Cart lines. An ordered line keeps its id, because cart and orders share ids on the wire (order-detail). */
export const cartLines = pgTable(
  'cart_lines',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    buyerId: idOf('buyer_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    listingId: idOf('listing_id', () => listings.id).notNull(),
    count: integer().notNull(),
    /** Price of one in 1/10,000 rupee, and stock, when the buyer last set this line; the cart shows what differs now. */
    seenPrice: bigint('seen_price', { mode: 'bigint' }).notNull(),
    seenStock: integer('seen_stock').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [
    unique('cart_lines_once').on(t.buyerId, t.listingId),
    index('cart_lines_listing').on(t.listingId),
    check('cart_lines_count', sql`${t.count} between 1 and 10000`),
  ],
)
