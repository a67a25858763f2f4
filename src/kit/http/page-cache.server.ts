import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Db } from './database.server.ts'
import { newestContact, type KnownContact } from './contact-board.server.ts'

/**
 * Whole pages for people who are not logged in, drawn once for all of them and kept compressed (decision 0012).
 *
 * Right at every moment, not most of the time: before a kept page is sent, the database is asked whether anything that pages
 * show was committed since the last look (table page_changes). One small statement serves every request that is waiting at
 * that moment. So a price changed by any process is on the next page that anybody opens, and there is no message that can
 * get lost. When the database does not answer, the page is sent as it was, and says so.
 */
export class PageCache {
  readonly #readChanges: (since: string | null) => Promise<{ snapshot: string; changed: boolean }>
  readonly #kept = new LRUCache<string, KeptPage>({ maxSize: MAX_BYTES, sizeCalculation: (page) => page.size })
  readonly #drawing = new Map<string, { epoch: number; page: Promise<DrawnPage> }>()
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
   * The present epoch, as of a question asked after this call; null when the database does not answer. Everybody who calls
   * within one turn of the event loop shares one question.
   */
  look(): Promise<number | null> {
    return (this.#nextLook ??= this.#ask())
  }

  async #ask(): Promise<number | null> {
    await setImmediate()
    // From here on the question is on its way: who comes now may have changed something after it, and starts the next.
    this.#nextLook = null
    if (performance.now() < this.#awayUntil) return null
    try {
      const changes = await within(ANSWER_WITHIN_MS, this.#readChanges(this.#snapshot))
      const now = Date.now()
      // Too long ago: the lines about what happened meanwhile may be forgotten.
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
   * For a page that is not here in any state: the epoch of the last look, without another. What is drawn now is read after that look, so
   * it is of that epoch or newer, and whatever changed since makes it old at the next look. Null where only looking helps.
   */
  epochOfUnknown(key: string): number | null {
    const isKnown = this.#kept.has(key) || this.#drawing.has(key)
    const isRemembered = Date.now() - this.#lookedAt < REMEMBERED_MS / 2
    return isKnown || !isRemembered || performance.now() < this.#awayUntil ? null : this.#epoch
  }

  /** The page as it is now, if it is here. */
  find(key: string, epoch: number): KeptPage | undefined {
    const page = this.#kept.get(key)
    return page && page.epoch === epoch && Date.now() - page.drawnAt < FRESH_MS ? page : undefined
  }

  /** The page as it was: for while the database is away. */
  findOld(key: string): KeptPage | undefined {
    const page = this.#kept.get(key)
    return page && Date.now() - page.drawnAt < OLD_MS ? page : undefined
  }

  /** Draws a page, once for all who want it at this epoch, and keeps it unless `draw` says that it is not for keeping. */
  async draw(key: string, epoch: number, draw: () => Promise<DrawnPage>): Promise<DrawnPage> {
    const running = this.#drawing.get(key)
    if (running?.epoch === epoch) return running.page
    const page = draw()
    this.#drawing.set(key, { epoch, page })
    try {
      const drawn = await page
      if (drawn.isKept) this.#kept.set(key, new KeptPage(drawn, epoch))
      return drawn
    } finally {
      if (this.#drawing.get(key)?.page === page) this.#drawing.delete(key)
    }
  }
}

const MAX_BYTES = 32 * 1024 * 1024
/** Times pass without anybody writing: "listed today", the 100 days of a listing. */
const FRESH_MS = 60_000
/** How old a page may be that stands in for a database that is away. */
const OLD_MS = 3_600_000
const ANSWER_WITHIN_MS = 1000
const ASK_AGAIN_AFTER_MS = 500
/** Lines of page_changes older than this are deleted; far longer than any transaction of ours may last. */
const REMEMBERED_MS = 15 * 60_000

export interface DrawnPage {
  status: number
  headers: Record<string, string>
  body: Buffer
  isKept: boolean
  /** Of the request it was drawn for. */
  requestId: string
}

export type Encoding = 'br' | 'gzip' | null

export class KeptPage {
  readonly epoch: number
  readonly drawnAt = Date.now()
  readonly etag: string
  readonly headers: Record<string, string>
  readonly #bytes: Buffer
  readonly #encoded = new Map<Encoding, Promise<Uint8Array>>()
  #marked: KeptPage | undefined

  constructor({ headers, body }: Pick<DrawnPage, 'headers' | 'body'>, epoch: number) {
    this.epoch = epoch
    this.headers = headers
    this.#bytes = body
    this.etag = `W/"${hash('sha256', this.#bytes, 'base64url').slice(0, 22)}"`
  }

  /** In memory, about: the text, and what it comes to compressed both ways. */
  get size(): number {
    return Math.ceil(this.#bytes.length * 1.3)
  }

  /** Compressed at the first wish for it, not before: most pages are read by phones that all ask for the same. */
  encoded(encoding: Encoding): Promise<Uint8Array> {
    const bytes = this.#encoded.get(encoding) ?? encode(this.#bytes, encoding)
    this.#encoded.set(encoding, bytes)
    return bytes
  }

  /** The same page saying that it is not of this moment. */
  marked(mark: (body: string) => string): KeptPage {
    return (this.#marked ??= new KeptPage({ headers: this.headers, body: Buffer.from(mark(this.#bytes.toString())) }, this.epoch))
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

interface PageChanges {
  snapshot: string
  changed: boolean
  /** How Sandhai is reached, in the same snapshot: every page's foot shows it (contact-board.server.ts). */
  contact: KnownContact | null
}

/** What was committed since the last look, by the database's own account of who sees whom: no clock, no counter to wait for. */
export function pageChangesOf(db: Db): (since: string | null) => Promise<PageChanges> {
  let prunedAt = Date.now()
  return async (since) => {
    const { rows } = (await db.execute(sql`
      select pg_current_snapshot()::text as snapshot, ${
        since === null
          ? sql`true`
          : sql`exists (select 1 from page_changes c
              where c.txid >= pg_snapshot_xmin(${since}::pg_snapshot) and not pg_visible_in_snapshot(c.txid, ${since}::pg_snapshot))`
      } as changed, ${newestContact} as contact`)) as unknown as { rows: PageChanges[] }
    const { snapshot, changed, contact } = rows[0]!
    if (Date.now() - prunedAt > REMEMBERED_MS) {
      prunedAt = Date.now()
      await db.execute(sql`delete from page_changes where at < clock_timestamp() - ${REMEMBERED_MS / 1000}::int * interval '1 second'`)
    }
    // A database restored from a backup has gone back in time, and its transactions carry numbers used before.
    return { snapshot, contact, changed: changed || (since !== null && BigInt(xmaxOf(snapshot)) < BigInt(xmaxOf(since))) }
  }
}

/** A snapshot is written "xmin:xmax:in progress". */
const xmaxOf = (snapshot: string) => snapshot.split(':')[1]!

function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error('no answer in time'))
    // A busy process hears the clock before it has read its post: the answer may lie there.
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
