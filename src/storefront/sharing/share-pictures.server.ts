import { availableParallelism } from 'node:os'
import { LRUCache } from 'lru-cache'
import { Gate } from '#src/kit/http/gate.server.ts'
import { BucketAway } from '#src/kit/media/bucket.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { drawSharePicture } from './share-picture.server.ts'
import { shareName, type ShareFacts } from './share-facts.server.ts'
import type { ShareShape } from './share-path.ts'
import { drawStatusPicture } from './status-picture.server.ts'

/** About 700 pictures. */
const MAX_BYTES = 48 * 1024 * 1024
/** Half the cores: while a link spreads, pages must still be rendered. */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() >> 1))
/** As long as a chat app waits for a preview, and less than a request may take (app.server.ts). */
const WAIT_AT_MOST_MS = 1500

const drawShape = (facts: ShareFacts, photo: Uint8Array | null, shape: ShareShape): Promise<Buffer> =>
  shape === 'status' ? drawStatusPicture(facts, photo) : drawSharePicture(facts, photo)

/** A picture is rendered once for all who ask, so no address waits for itself. */
const EVERYBODY = ''

/**
 * Share pictures, cached in this process's memory. A picture is rendered in a tenth of a second from files on disk, and a link that spreads
 * through WhatsApp groups asks for the same one again and again: one rendering serves all of them, memory serves the rest, and any cache in
 * front of us may hold it for a year. So no stored files need a sweep, a second process only renders its own copy, and a flood of different
 * pictures is refused with a retry time.
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
    this.#gate = new Gate({ atOnce: AT_ONCE, waitAtMostMs: WAIT_AT_MOST_MS, retryAfterSeconds: 3, latenessMs })
  }

  /** Throws UNAVAILABLE when the queue is too long. */
  async get(facts: ShareFacts, shape: ShareShape = 'link'): Promise<SharePicture> {
    const name = shareName(facts, shape)
    const cached = this.#cached.get(name)
    if (cached) return { bytes: cached, isWhole: true }
    const running = this.#rendering.get(name)
    if (running) return running
    const picture = this.#gate.run(EVERYBODY, () => this.#renderNow(facts, shape)).finally(() => this.#rendering.delete(name))
    this.#rendering.set(name, picture)
    const rendered = await picture
    if (rendered.isWhole) this.#cached.set(name, rendered.bytes)
    return rendered
  }

  async #renderNow(facts: ShareFacts, shape: ShareShape): Promise<SharePicture> {
    const photo = facts.photoKey === null ? null : await this.#media.read(facts.photoKey, 1280, 'jpeg').catch(nullIfAway)
    return { bytes: new Uint8Array(await this.#draw(facts, photo, shape)), isWhole: photo !== null || facts.photoKey === null }
  }
}

/** The picture is drawn without the photo, and anew once the store is back. */
function nullIfAway(error: unknown): null {
  if (error instanceof BucketAway) return null
  throw error
}

interface SharePicture {
  bytes: Uint8Array<ArrayBuffer>
  /** False: the listing has a photo, but its file was not there. */
  isWhole: boolean
}
