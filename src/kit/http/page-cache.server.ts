import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Db } from '#src/kit/db/db.ts'
import { newestContact, knownContactShape } from '#src/kit/messages/contact-board.server.ts'
import { oneRowOf } from '#src/kit/db/rows.server.ts'
import type { Gate } from './gate.server.ts'

/**
 * Whole pages for anonymous visitors, rendered once for all of them and cached compressed (decision 0012).
 * The cache never sends a stale page. Before it sends one, it asks the database whether a transaction has changed page
 * content since the last check (table page_changes), either of all pages or of the pages that show one named object.
 * One small statement serves all requests that wait at that moment; no invalidation message can get lost. When the
 * database does not answer, the cache sends the old page with a note.
 */
export class PageCache {
  readonly #readChanges: ReadChanges
  readonly #cached = new LRUCache<string, CachedPage>({ maxSize: MAX_BYTES, sizeCalculation: (page) => page.size })
  readonly #rendering = new Map<string, { epoch: number; look: number; page: Promise<RenderedPage> }>()
  /** Increases with each change that affects every page. A page is fresh only while its epoch is the current one. */
  #epoch = 0
  /** The check at which each name last changed. A page is fresh only while none of its names changed after its rendering began. */
  readonly #changedAt = new Map<string, number>()
  #looks = 0
  #lastChangeAt = 0
  #snapshot: string | null = null
  #lookedAt = 0
  #awayUntil = 0
  #nextLook: Promise<number | null> | null = null

  constructor(readChanges: ReadChanges) {
    this.#readChanges = readChanges
  }

  /**
   * Returns the current epoch from a query sent after this call; null when the database does not answer. All callers
   * within one turn of the event loop share one query.
   */
  look(): Promise<number | null> {
    return (this.#nextLook ??= this.#ask())
  }

  async #ask(): Promise<number | null> {
    await setImmediate()
    // The query is now on its way. A later caller may have changed something since, so it starts the next query.
    this.#nextLook = null
    if (performance.now() < this.#awayUntil) return null
    try {
      const changes = await within(ANSWER_WITHIN_MS, this.#readChanges(this.#snapshot))
      const now = Date.now()
      // The last check is too long ago: rows about changes since then may be deleted.
      if (changes.changed || now - this.#lookedAt > REMEMBERED_MS / 2) this.#epoch += 1
      this.#hear(changes.names ?? [])
      // Answers may overtake each other. An older snapshot only means that a change is noticed twice.
      this.#snapshot = changes.snapshot
      this.#lookedAt = now
      return this.#epoch
    } catch {
      this.#awayUntil = performance.now() + ASK_AGAIN_AFTER_MS
      return null
    }
  }

  #hear(names: string[]): void {
    this.#looks += 1
    if (names.length === 0) return
    this.#lastChangeAt = this.#looks
    for (const name of names) this.#changedAt.set(name, this.#looks)
    if (this.#changedAt.size <= MAX_NAMES) return
    // Invalidate all pages rather than let the memory of changed names grow.
    this.#changedAt.clear()
    this.#epoch += 1
  }

  /**
   * For an uncached page: returns the epoch of the last check without a new query. A page rendered now reads data after
   * that check, so it has that epoch or a newer state; any change since makes it stale at the next check. Returns null
   * when only a new check can tell.
   */
  epochOfUnknown(key: string): number | null {
    const isKnown = this.#cached.has(key) || this.#rendering.has(key)
    const isRemembered = Date.now() - this.#lookedAt < REMEMBERED_MS / 2
    return isKnown || !isRemembered || performance.now() < this.#awayUntil ? null : this.#epoch
  }

  /** Returns the cached page if it is fresh. */
  find(key: string, epoch: number): CachedPage | undefined {
    const page = this.#cached.get(key)
    return page && page.epoch === epoch && Date.now() - page.renderedAt < FRESH_MS && !this.#isChanged(page) ? page : undefined
  }

  #isChanged({ shows, look }: CachedPage): boolean {
    // Nothing has changed since.
    if (look >= this.#lastChangeAt) return false
    for (const name of shows) if ((this.#changedAt.get(name) ?? 0) > look) return true
    return false
  }

  /** Returns the cached page even if stale, for use while the database is unreachable. */
  findOld(key: string): CachedPage | undefined {
    const page = this.#cached.get(key)
    return page && Date.now() - page.renderedAt < OLD_MS ? page : undefined
  }

  /** Renders a page once for all requests at this epoch, and caches it unless the result says not to. */
  async render(key: string, epoch: number, render: () => Promise<RenderedPage>): Promise<RenderedPage> {
    const running = this.#rendering.get(key)
    // The names of a running rendering are unknown, so it serves only requests from before any change.
    if (running?.epoch === epoch && running.look >= this.#lastChangeAt) return running.page
    const look = this.#looks
    const page = render()
    this.#rendering.set(key, { epoch, look, page })
    try {
      const rendered = await page
      if (rendered.isCacheable) this.#cached.set(key, new CachedPage(rendered, epoch, look))
      return rendered
    } finally {
      if (this.#rendering.get(key)?.page === page) this.#rendering.delete(key)
    }
  }
}

/** `changed`: all pages may have changed. Otherwise only those that show one of the names. */
type ReadChanges = (since: string | null) => Promise<{ snapshot: string; changed: boolean; names?: string[] }>

/** The maximum number of names whose last change is remembered. */
const MAX_NAMES = 20_000
const MAX_BYTES = 32 * 1024 * 1024
/** Pages change with time even without a write: "listed today", the 100 days of a listing. */
const FRESH_MS = 60_000
/** The maximum age of a page that is served while the database is unreachable. */
const OLD_MS = 3_600_000
const ANSWER_WITHIN_MS = 1000
const ASK_AGAIN_AFTER_MS = 500
/** Rows of page_changes older than this are deleted. Far longer than any transaction may last. */
const REMEMBERED_MS = 15 * 60_000

export interface RenderedPage {
  status: number
  headers: Record<string, string>
  body: Buffer
  isCacheable: boolean
  /** The names of the shown objects (shown-names.ts). */
  shows: ReadonlySet<string>
  requestId: string
}

export type Encoding = 'br' | 'gzip' | null

export class CachedPage {
  readonly epoch: number
  /** The number of the check at which the rendering began. */
  readonly look: number
  readonly shows: ReadonlySet<string>
  readonly renderedAt = Date.now()
  readonly etag: string
  readonly headers: Record<string, string>
  readonly #bytes: Buffer
  readonly #encoded = new Map<Encoding, Promise<Uint8Array>>()
  #marked: CachedPage | undefined

  constructor({ headers, body, shows }: Pick<RenderedPage, 'headers' | 'body' | 'shows'>, epoch: number, look = 0) {
    this.epoch = epoch
    this.look = look
    this.shows = shows
    this.headers = headers
    this.#bytes = body
    this.etag = headers.etag ?? `W/"${hash('sha256', this.#bytes, 'base64url').slice(0, 22)}"`
  }

  get body(): Buffer {
    return this.#bytes
  }

  /** Approximate size in memory: the text plus both compressed forms. */
  get size(): number {
    return Math.ceil(this.#bytes.length * 1.3)
  }

  /** Compresses at the first request for an encoding, because most phones accept the same one. */
  encoded(encoding: Encoding): Promise<Uint8Array> {
    const bytes = this.#encoded.get(encoding) ?? encode(this.#bytes, encoding)
    this.#encoded.set(encoding, bytes)
    return bytes
  }

  /** The same page with a note that it may be stale. */
  marked(mark: (body: string) => string): CachedPage {
    return (this.#marked ??= new CachedPage(
      { headers: this.headers, body: Buffer.from(mark(this.#bytes.toString())), shows: this.shows },
      this.epoch,
    ))
  }
}

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

export async function encode(bytes: Buffer, encoding: Encoding): Promise<Uint8Array> {
  if (encoding === 'gzip') return gzipped(bytes, { level: 6 })
  if (encoding === null) return bytes
  // Above quality 5, brotli takes more time than its smaller size is worth compared with gzip.
  return brotli(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
}

const pageChangesShape = z.object({
  snapshot: z.string(),
  changed: z.boolean(),
  names: z.array(z.string()),
  /** Changes when a standby is promoted. */
  timeline: z.string(),
  /** The contact details in the same snapshot, because every page's footer shows them (contact-board.server.ts). */
  contact: knownContactShape.nullable(),
})
type PageChanges = Omit<z.output<typeof pageChangesShape>, 'timeline'>

/** WAL file names start with the leader's timeline. A standby cannot call pg_walfile_name: it answers 'standby' instead. */
const TIMELINE = sql`case when pg_is_in_recovery() then 'standby' else left(pg_walfile_name(pg_current_wal_lsn()), 8) end`

/** Returns the changes committed since the last check, by the database's transaction snapshots. It needs no clock and no shared counter. */
export function pageChangesOf(db: Db): (since: string | null) => Promise<PageChanges> {
  let prunedAt = Date.now()
  let lastTimeline: string | null = null
  return async (since) => {
    const { snapshot, changed, names, timeline, contact } = await oneRowOf(
      { db },
      sql`
      with changes as materialized (select c.names from page_changes c where ${
        since === null
          ? sql`false`
          : sql`c.txid >= pg_snapshot_xmin(${since}::pg_snapshot) and not pg_visible_in_snapshot(c.txid, ${since}::pg_snapshot)`
      })
      select pg_current_snapshot()::text as snapshot, ${since === null}::boolean or exists (select 1 from changes where names is null) as changed,
        (select coalesce(json_agg(distinct name), '[]') from changes, unnest(names) as name) as names,
        ${TIMELINE} as timeline, ${newestContact} as contact`,
      pageChangesShape,
    )
    // A promoted standby may reuse a transaction number of the old leader whose transaction was never replicated.
    const isPromoted = lastTimeline !== null && lastTimeline !== timeline
    lastTimeline = timeline
    if (Date.now() - prunedAt > REMEMBERED_MS) {
      prunedAt = Date.now()
      await db.execute(sql`delete from page_changes where at < clock_timestamp() - ${REMEMBERED_MS / 1000}::int * interval '1 second'`)
    }
    // A database restored from a backup goes back in time and reuses transaction numbers.
    return {
      snapshot,
      contact,
      names,
      changed: changed || isPromoted || (since !== null && BigInt(xmaxOf(snapshot)) < BigInt(xmaxOf(since))),
    }
  }
}

/** A snapshot has the form "xmin:xmax:in progress". */
const xmaxOf = (snapshot: string) => snapshot.split(':')[1]!

function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error('no answer in time'))
    // In a busy process, the timer may fire before the process reads an answer that has already arrived.
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

/** Shared by pages and API calls: one cache with one check for changes, and the gate before rendering. */
export interface SharedAnswers {
  cache: PageCache
  gate: Gate
}
