import { availableParallelism } from 'node:os'
import { LRUCache } from 'lru-cache'
import { Gate } from '#src/kit/http/gate.server.ts'
import { BucketAway } from '#src/kit/media/bucket.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { boardVersion, type BoardFacts } from './board-facts.server.ts'
import { drawBoardPicture } from './board-picture.server.ts'
import { drawSharePicture } from './share-picture.server.ts'
import { shareName, type ShareFacts } from './share-facts.server.ts'
import type { ShareShape } from './share-path.ts'
import { drawStatusPicture } from './status-picture.server.ts'

/** About 700 pictures. */
const MAX_BYTES = 48 * 1024 * 1024
/** Half the cores, so that pages still render while a link spreads. */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() >> 1))
/** As long as a chat app waits for a preview, and less than the request time limit (app.server.ts). */
const WAIT_AT_MOST_MS = 1500

const drawShape = (facts: ShareFacts, photo: Uint8Array | null, shape: ShareShape): Promise<Buffer> =>
  shape === 'status' ? drawStatusPicture(facts, photo) : drawSharePicture(facts, photo)

/** A picture is rendered once for all, so addresses do not compete. */
const EVERYBODY = ''

/**
 * Share pictures, cached in this process's memory. A rendering takes a tenth of a second from files on disk, and a link that spreads through WhatsApp
 * groups requests the same picture again and again. One rendering serves all concurrent requests, memory serves later ones, and caches in front of us
 * may hold it for a year. So there are no stored files to sweep, a second process just renders its own copy, and a flood of different pictures gets a
 * refusal with a retry time.
 */
export class SharePictures {
  readonly #media: Pick<MediaStore, 'read'>
  readonly #draw: typeof drawShape
  readonly #cached = new LRUCache<string, Uint8Array<ArrayBuffer>>({ maxSize: MAX_BYTES, sizeCalculation: (bytes) => bytes.byteLength })
  readonly #rendering = new Map<string, Promise<SharePicture>>()
  readonly #gate: Gate

  constructor(media: Pick<MediaStore, 'read'>, latenessMs?: () => number, draw = drawShape) {
    this.#media = media
    this.#draw = draw
    this.#gate = new Gate({ name: 'share-pictures', atOnce: AT_ONCE, waitAtMostMs: WAIT_AT_MOST_MS, retryAfterSeconds: 3, latenessMs })
  }

  /** Throws UNAVAILABLE when the queue is too long. */
  get(facts: ShareFacts, shape: ShareShape = 'link'): Promise<SharePicture> {
    return this.#once(shareName(facts, shape), async () => {
      const [photo] = await this.#photos(facts.photoKey === null ? [] : [facts.photoKey])
      return { bytes: new Uint8Array(await this.#draw(facts, photo ?? null, shape)), isWhole: photo !== null }
    })
  }

  /** The picture of a list or a breed. Throws UNAVAILABLE when the queue is too long. */
  getBoard(facts: BoardFacts): Promise<SharePicture> {
    return this.#once(boardVersion(facts), async () => {
      const photos = await this.#photos(facts.photoKeys)
      const available = photos.filter((photo) => photo !== null)
      return { bytes: new Uint8Array(await drawBoardPicture(facts, available)), isWhole: available.length === photos.length }
    })
  }

  async #once(name: string, render: () => Promise<SharePicture>): Promise<SharePicture> {
    const cached = this.#cached.get(name)
    if (cached) return { bytes: cached, isWhole: true }
    const running = this.#rendering.get(name)
    if (running) return running
    const picture = this.#gate.run(EVERYBODY, render).finally(() => this.#rendering.delete(name))
    this.#rendering.set(name, picture)
    const rendered = await picture
    if (rendered.isWhole) this.#cached.set(name, rendered.bytes)
    return rendered
  }

  /** Null for a photo whose file is missing. */
  #photos(keys: string[]): Promise<(Uint8Array | null)[]> {
    return Promise.all(keys.map((key) => this.#media.read(key, 1280, 'jpeg').catch(nullIfAway)))
  }
}

/** While the store is unreachable, draw without the photo; the result is not cached. */
function nullIfAway(error: unknown): null {
  if (error instanceof BucketAway) return null
  throw error
}

export interface SharePicture {
  bytes: Uint8Array<ArrayBuffer>
  /** False: a photo's file was missing. */
  isWhole: boolean
}
