import { sql, type SQL } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { can } from '#src/accounts/policy.ts'
import { mediaDomains } from '#src/content/privacy/media-domains.server.ts'
import { oneRowOf } from '#src/kit/db/rows.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import type { Db } from '#src/kit/db/db.ts'

const anyOf = (conditions: SQL[]) => sql.join(conditions, sql` or `)

const MOST_KNOWN = 50_000

const publicRow = z.object({ public: z.boolean() })
const mineRow = z.object({ mine: z.boolean() })

/**
 * Decides who may see a picture or a clip: each domain says it for its own. Admins see every one.
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
    const row = await oneRowOf(
      { db: this.#db },
      sql`select ${anyOf(mediaDomains.flatMap(({ isPublic }) => isPublic?.(key) ?? []))} as public`,
      publicRow,
    )
    const isForAll = row.public
    if (epoch !== null) this.#known.set(key, { isPublic: isForAll, epoch })
    return isForAll
  }

  /** For a picture that is not public. */
  async isFor(viewer: Viewer, key: string): Promise<boolean> {
    if (can(viewer, 'operate')) return true
    const me = sql`${viewer.id}::bigint`
    return (await oneRowOf({ db: this.#db }, sql`select ${anyOf(mediaDomains.map(({ isFor }) => isFor(key, me)))} as mine`, mineRow)).mine
  }
}
