import { m } from '#src/paraglide/messages.js'

/** The name of each role in an order. */
export const partTexts = { buyer: m.order_part_buyer, seller: m.order_part_seller, admin: m.order_part_admin, bearer: m.order_part_bearer }
