import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { can } from '#src/accounts/policy.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import type { Viewer } from './kit/context.ts'
import type { Db } from '#src/kit/db/database.server.ts'
import { isPublic } from './listings/browse.server.ts'
import { isProofSeen } from './listings/proofs/proof-select.server.ts'

const MOST_KNOWN = 50_000

const publicRow = z.object({ public: z.boolean() })
const mineRow = z.object({ mine: z.boolean() })

/**
 * Decides who may see a picture or a clip. Pictures of public listings and portraits of active people are public. Pictures of draft,
 * pending, failed, withdrawn or taken-down listings, and of a listing that still waits on a phone, are for the owner and admins; those of
 * an order are for its parties, who also see the bearer's until the handover. A listing's clip, and the pictures of a vet's check, follow
 * the listing's photos; the vet sees the latter, too. Clips of milkings and the photo of the day are public once an admin has passed them.
 *
 * A decision for everybody is cached until something that pages show has changed (kit/http/page-cache.server.ts), so a take-down takes
 * effect at the next request, in every process.
 */
export class MediaAccess {
  readonly #db: Db
  readonly #known = new LRUCache<string, { isPublic: boolean; epoch: number }>({ max: MOST_KNOWN })

  constructor(db: Db) {
    this.#db = db
  }

  /** `epoch` comes from the last check for changes; null while the database is away: then the cached decision holds. Throws when there is none. */
  async isForEverybody(key: string, epoch: number | null): Promise<boolean> {
    const known = this.#known.get(key)
    if (known && (epoch === null || known.epoch === epoch)) return known.isPublic
    const rows = await rowsOf(
      { db: this.#db },
      sql`
      select exists (select 1 from listing_photos p join listings l on l.id = p.listing_id where p.media_key = ${key} and ${isPublic})
        or exists (select 1 from vet_check_photos p join vet_checks c on c.id = p.check_id join listings l on l.id = c.listing_id
            where p.media_key = ${key} and ${isPublic})
        or exists (select 1 from listing_clips c join listings l on l.id = c.listing_id
            where (c.media_key = ${key} or c.still_key = ${key}) and ${isPublic})
        or exists (select 1 from milkings k join listings l on l.id = k.listing_id
            where (k.media_key = ${key} or k.still_key = ${key}) and ${isPublic} and ${isProofSeen(sql`k`)})
        or exists (select 1 from day_photos d join listings l on l.id = d.listing_id
            where d.media_key = ${key} and ${isPublic} and ${isProofSeen(sql`d`)})
        or exists (select 1 from users where picture_key = ${key} and is_active) as public`,
      publicRow,
    )
    const isForAll = rows[0]!.public
    if (epoch !== null) this.#known.set(key, { isPublic: isForAll, epoch })
    return isForAll
  }

  /** For a picture that is not public. */
  async isFor(viewer: Viewer, key: string): Promise<boolean> {
    if (can(viewer, 'operate')) return true
    const me = sql`${viewer.id}::bigint`
    const rows = await rowsOf(
      { db: this.#db },
      sql`
      select exists (select 1 from listing_photos p join listings l on l.id = p.listing_id
            where p.media_key = ${key} and ${me} in (l.seller_id, l.created_by_id))
        or exists (select 1 from vet_check_photos p join vet_checks c on c.id = p.check_id join listings l on l.id = c.listing_id
            where p.media_key = ${key} and ${me} in (c.vet_id, l.seller_id, l.created_by_id))
        or exists (select 1 from listing_clips c left join listings l on l.id = c.listing_id where (c.media_key = ${key} or c.still_key = ${key})
            and (${me} in (l.seller_id, l.created_by_id) or c.form is not null and c.owner_id = ${me}))
        or exists (select 1 from milkings k join listings l on l.id = k.listing_id
            where (k.media_key = ${key} or k.still_key = ${key}) and ${me} in (l.seller_id, l.created_by_id))
        or exists (select 1 from day_photos d join listings l on l.id = d.listing_id
            where d.media_key = ${key} and ${me} in (l.seller_id, l.created_by_id))
        or exists (select 1 from draft_photos p join listing_drafts d on d.id = p.draft_id where p.media_key = ${key} and d.owner_id = ${me})
        or exists (select 1 from waiting_photos where media_key = ${key} and owner_id = ${me})
        or exists (select 1 from order_photos p join orders o on o.id = p.order_id
            where p.media_key = ${key} and ${me} in (o.buyer_id, o.seller_id, o.bearer_id))
        or exists (select 1 from orders o where o.animal->>'photoKey' = ${key} and ${me} in (o.buyer_id, o.seller_id, o.bearer_id))
        or exists (select 1 from bearers b join orders o on o.listed_bearer_id = b.id
            where b.picture_key = ${key} and o.status < 6 and ${me} in (o.buyer_id, o.seller_id))
        or exists (select 1 from users where picture_key = ${key} and id = ${me}) as mine`,
      mineRow,
    )
    return rows[0]!.mine
  }
}
