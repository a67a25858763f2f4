import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Db } from '#src/kit/db/database.server.ts'
import { newestContact, knownContactShape } from '#src/kit/messages/contact-board.server.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'

/**
 * Whole pages for anonymous visitors, rendered once for all of them and cached compressed (decision 0012).
 *
 * A cached page is never stale: before it is sent, the database is asked whether anything that pages
 * show was committed since the last look (table page_changes). One small statement serves every request that is waiting at
 * that moment. So a price changed by any process is on the next page that anybody opens, and there is no message that can
 * get lost. When the database does not answer, the page is sent as it was, and says so.
 */
export class PageCache {
  readonly #readChanges: (since: string | null) => Promise<{ snapshot: string; changed: boolean }>
  readonly #cached = new LRUCache<string, CachedPage>({ maxSize: MAX_BYTES, sizeCalculation: (page) => page.size })
  readonly #rendering = new Map<string, { epoch: number; page: Promise<RenderedPage> }>()
  /** Raised with each change seen; a page is good while its epoch is the present one. */
  #epoch = 0
  #snapshot: string | null = null
  #lookedAt = 0
  #awayUntil = 0
  #nextLook: Promise<number | null> | null = null

  constructor(readChanges: (since: string | null) => Promise<{ snapshot: string; changed: boolean }>) {
    this.#readChanges = readChanges
  }

  /**
   * The current epoch, from a query sent after this call; null when the database does not answer. All callers
   * within one turn of the event loop share one query.
   */
  look(): Promise<number | null> {
    return (this.#nextLook ??= this.#ask())
  }

  async #ask(): Promise<number | null> {
    await setImmediate()
    // From here on the question is on its way: a later caller may have changed something since, and starts the next one.
    this.#nextLook = null
    if (performance.now() < this.#awayUntil) return null
    try {
      const changes = await within(ANSWER_WITHIN_MS, this.#readChanges(this.#snapshot))
      const now = Date.now()
      // Too long ago: the rows about changes since then may have been deleted.
      if (changes.changed || now - this.#lookedAt > REMEMBERED_MS / 2) this.#epoch += 1
      // Answers may overtake each other; an older snapshot only means that a change is noticed twice.
      this.#snapshot = changes.snapshot
      this.#lookedAt = now
      return this.#epoch
    } catch {
      this.#awayUntil = performance.now() + ASK_AGAIN_AFTER_MS
      return null
    }
  }

  /**
   * For a page that is not cached at all: the epoch of the last look, without another. A page rendered now is read after that look, so
   * it is of that epoch or newer, and whatever changed since makes it stale at the next look. Null when only a new look can tell.
   */
  epochOfUnknown(key: string): number | null {
    const isKnown = this.#cached.has(key) || this.#rendering.has(key)
    const isRemembered = Date.now() - this.#lookedAt < REMEMBERED_MS / 2
    return isKnown || !isRemembered || performance.now() < this.#awayUntil ? null : this.#epoch
  }

  /** The cached page, if it is fresh. */
  find(key: string, epoch: number): CachedPage | undefined {
    const page = this.#cached.get(key)
    return page && page.epoch === epoch && Date.now() - page.renderedAt < FRESH_MS ? page : undefined
  }

  /** The cached page even if stale: for while the database is away. */
  findOld(key: string): CachedPage | undefined {
    const page = this.#cached.get(key)
    return page && Date.now() - page.renderedAt < OLD_MS ? page : undefined
  }

  /** Renders a page once for all who want it at this epoch, and caches it unless `render` says that it may not be cached. */
  async render(key: string, epoch: number, render: () => Promise<RenderedPage>): Promise<RenderedPage> {
    const running = this.#rendering.get(key)
    if (running?.epoch === epoch) return running.page
    const page = render()
    this.#rendering.set(key, { epoch, page })
    try {
      const rendered = await page
      if (rendered.isCacheable) this.#cached.set(key, new CachedPage(rendered, epoch))
      return rendered
    } finally {
      if (this.#rendering.get(key)?.page === page) this.#rendering.delete(key)
    }
  }
}

const MAX_BYTES = 32 * 1024 * 1024
/** Pages age without a write: "listed today", the 100 days of a listing. */
const FRESH_MS = 60_000
/** How old a cached page may be that is served while the database is away. */
const OLD_MS = 3_600_000
const ANSWER_WITHIN_MS = 1000
const ASK_AGAIN_AFTER_MS = 500
/** Rows of page_changes older than this are deleted; far longer than any transaction of ours may last. */
const REMEMBERED_MS = 15 * 60_000

export interface RenderedPage {
  status: number
  headers: Record<string, string>
  body: Buffer
  isCacheable: boolean
  /** Of the request it was rendered for. */
  requestId: string
}

export type Encoding = 'br' | 'gzip' | null

export class CachedPage {
  readonly epoch: number
  readonly renderedAt = Date.now()
  readonly etag: string
  readonly headers: Record<string, string>
  readonly #bytes: Buffer
  readonly #encoded = new Map<Encoding, Promise<Uint8Array>>()
  #marked: CachedPage | undefined

  constructor({ headers, body }: Pick<RenderedPage, 'headers' | 'body'>, epoch: number) {
    this.epoch = epoch
    this.headers = headers
    this.#bytes = body
    this.etag = headers.etag ?? `W/"${hash('sha256', this.#bytes, 'base64url').slice(0, 22)}"`
  }

  /** Approximate size in memory: the text and both compressed forms. */
  get size(): number {
    return Math.ceil(this.#bytes.length * 1.3)
  }

  /** Compressed at the first request for that encoding: most pages are read by phones that all ask for the same one. */
  encoded(encoding: Encoding): Promise<Uint8Array> {
    const bytes = this.#encoded.get(encoding) ?? encode(this.#bytes, encoding)
    this.#encoded.set(encoding, bytes)
    return bytes
  }

  /** The same page with a note that it may be stale. */
  marked(mark: (body: string) => string): CachedPage {
    return (this.#marked ??= new CachedPage({ headers: this.headers, body: Buffer.from(mark(this.#bytes.toString())) }, this.epoch))
  }
}

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

export async function encode(bytes: Buffer, encoding: Encoding): Promise<Uint8Array> {
  if (encoding === 'gzip') return gzipped(bytes, { level: 6 })
  if (encoding === null) return bytes
  // Five is where brotli stops being quicker than gzip for what it saves.
  return brotli(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
}

const pageChangesShape = z.object({
  snapshot: z.string(),
  changed: z.boolean(),
  /** Another one after a standby was promoted. */
  timeline: z.string(),
  /** The contact details, in the same snapshot: every page's footer shows them (contact-board.server.ts). */
  contact: knownContactShape.nullable(),
})
type PageChanges = Omit<z.output<typeof pageChangesShape>, 'timeline'>

/** A standby has none of its own; the name of a file of the log begins with that of a leader. */
const TIMELINE = sql`case when pg_is_in_recovery() then 'standby' else left(pg_walfile_name(pg_current_wal_lsn()), 8) end`

/** What was committed since the last look, by the database's own transaction snapshots: no clock, no counter to wait for. */
export function pageChangesOf(db: Db): (since: string | null) => Promise<PageChanges> {
  let prunedAt = Date.now()
  let lastTimeline: string | null = null
  return async (since) => {
    const rows = await rowsOf(
      { db },
      sql`
      select pg_current_snapshot()::text as snapshot, ${
        since === null
          ? sql`true`
          : sql`exists (select 1 from page_changes c
              where c.txid >= pg_snapshot_xmin(${since}::pg_snapshot) and not pg_visible_in_snapshot(c.txid, ${since}::pg_snapshot))`
      } as changed, ${TIMELINE} as timeline, ${newestContact} as contact`,
      pageChangesShape,
    )
    const { snapshot, changed, timeline, contact } = rows[0]!
    // A promoted standby may give a number again that the last leader gave to a transaction of which nothing came over.
    const isPromoted = lastTimeline !== null && lastTimeline !== timeline
    lastTimeline = timeline
    if (Date.now() - prunedAt > REMEMBERED_MS) {
      prunedAt = Date.now()
      await db.execute(sql`delete from page_changes where at < clock_timestamp() - ${REMEMBERED_MS / 1000}::int * interval '1 second'`)
    }
    // A database restored from a backup has gone back in time, and its transactions carry numbers used before.
    return { snapshot, contact, changed: changed || isPromoted || (since !== null && BigInt(xmaxOf(snapshot)) < BigInt(xmaxOf(since))) }
  }
}

/** A snapshot is written "xmin:xmax:in progress". */
const xmaxOf = (snapshot: string) => snapshot.split(':')[1]!

function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error('no answer in time'))
    // In a busy process the timer may fire before the answer that has already arrived is read.
    const timer = setTimeout(
      () =>
        void setImmediate()
          .then(() => setImmediate())
          .then(giveUp),
      ms,
    )
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
