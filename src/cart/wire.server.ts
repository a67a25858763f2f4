import { z } from '@hono/zod-openapi'
import type { Ctx } from '#src/kit/context.ts'
import { ID_PATTERN } from '#src/kit/ids.ts'
import { mediaUrl } from '#src/kit/media/media-url.ts'
import { toRupeeNumber } from '#src/kit/time-money/money.ts'
import type { Product } from '#src/listings/queries.server.ts'
import { listedProduct, productInList } from '#src/listings/calls/wire.server.ts'
import type { CartLine } from './queries.server.ts'
import { countField } from './schemas.ts'
import { dropped, droppedFlags } from '#src/kit/http/dropped-fields.ts'

/** A cart line in the terms of the specification (B §3, "Cart item / order detail"). */
export const cartItem = z
  .strictObject({
    id: z.int().openapi({ description: 'The id of the line. The order made of it has the same id.' }),
    product: productInList,
    items_count: z.int(),
    buyer: z.int(),
    price_per_item: z.number().openapi({ description: 'The current price of one, in rupees.' }),
    total_payable: z.number().openapi({ description: 'Rupees for the line before any discount: items_count × price_per_item.' }),
    discountedamount: z.literal(0).openapi({ description: 'Always 0 in the cart. userdiscount returns the current discount.' }),
    delivery_charge: z.literal(0),
    tax_amount: z.literal(0),
    status: z.string(),
    statusId: z.literal(0).openapi({ description: '0: in the cart.' }),
    delivery: z.null(),
    product_image: z.string().nullable().openapi({ description: 'Absolute path of a JPEG.' }),
    created_date: z.iso.datetime({ precision: 3 }),
    order_no: z.null(),
    invoice: z.null(),
  })
  .openapi('CartItem')

export function onWire(ctx: Ctx, line: CartLine, product: Product): z.infer<typeof cartItem> {
  return {
    id: line.id,
    product: listedProduct(product, ctx),
    items_count: line.count,
    buyer: ctx.viewer!.id,
    price_per_item: toRupeeNumber(line.unitPrice),
    total_payable: toRupeeNumber(line.unitPrice * BigInt(line.count)),
    discountedamount: 0,
    delivery_charge: 0,
    tax_amount: 0,
    status: ctx.locale === 'ta' ? 'கூடையில் உள்ளது' : 'In cart',
    statusId: 0,
    delivery: null,
    product_image: line.photo && mediaUrl(line.photo.key, 1280, 'jpeg'),
    created_date: line.createdAt.toISOString(),
    order_no: null,
    invoice: null,
  }
}

const id = z.int().positive().max(999_999_999_999_999)
const textOrId = (description: string) => z.union([z.string().regex(ID_PATTERN), id], description).openapi({ type: 'integer', description })

const oneself = textOrId("The caller's own id. Optional; any other id is refused.").nullish()

/** Fields that a client sends for a line; its prices and flags are ignored. */
const lineFields = {
  buyer: oneself,
  user: oneself,
  seller: oneself,
  postedby: oneself,
  items_count: countField.openapi({ description: 'The quantity, from 1 to the stock.' }),
  ...droppedFlags,
  ...dropped('total_payable', 'status', 'isdeliverable', 'isverified', 'usertype', 'created_by', 'createdon', 'createon', 'feedtype'),
}
export const addBody = z.strictObject({ product: textOrId('The id of the listing.'), ...lineFields })
export const changeBody = z.strictObject({ ...dropped('product'), ...lineFields })
export const done = z.strictObject({ rows: z.literal(1) })
