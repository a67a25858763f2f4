import { sql } from 'drizzle-orm'
import type { MediaRights } from '#src/kit/media/media-rights.ts'
import { DELIVERED } from './process.server.ts'

/** Pictures of an order are for its parties, who also see the bearer's portrait until the handover. */
export const orderMedia: MediaRights = {
  usedPictures: [
    ['order_photos', 'media_key'],
    ['orders', "animal->>'photoKey'"],
    ['bearers', 'picture_key'],
  ],
  isFor: (key, me) => sql`(
    exists (select 1 from order_photos p join orders o on o.id = p.order_id
        where p.media_key = ${key} and ${me} in (o.buyer_id, o.seller_id, o.bearer_id))
    or exists (select 1 from orders o where o.animal->>'photoKey' = ${key} and ${me} in (o.buyer_id, o.seller_id, o.bearer_id))
    or exists (select 1 from bearers b join orders o on o.listed_bearer_id = b.id
        where b.picture_key = ${key} and o.status < ${DELIVERED} and ${me} in (o.buyer_id, o.seller_id)))`,
}
