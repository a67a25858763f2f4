import { availableParallelism } from 'node:os'
import { LRUCache } from 'lru-cache'
import { Gate } from '#src/kit/gate.server.ts'
import type { MediaStore } from '#src/kit/media-store.server.ts'
import { drawSharePicture } from './share-picture.server.ts'
import { shareName, type ShareFacts } from './share-facts.server.ts'

/** About 700 pictures. */
const MAX_BYTES = 48 * 1024 * 1024
/** Half the cores: while a link makes its round, pages must still be drawn. */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() >> 1))
/** As long as a chat app waits for a preview, and less than a request may take (app.server.ts). */
const WAIT_AT_MOST_MS = 1500

/**
 * Share pictures, kept in this process's memory. A picture is drawn in a tenth of a second from what is on disk anyway, and a
 * link that makes its round through WhatsApp groups asks for the same one again and again: one drawing serves all of them,
 * memory the rest, and whatever stands in front of us may keep it for a year. So nothing is stored that would have to be
 * cleared away, a second process only draws its own copy, and a flood of different ones is refused with a time to come back.
 */
export class SharePictures {
  readonly #media: Pick<MediaStore, 'read'>
  readonly #draw: typeof drawSharePicture
  readonly #kept = new LRUCache<string, Uint8Array<ArrayBuffer>>({ maxSize: MAX_BYTES, sizeCalculation: (bytes) => bytes.byteLength })
  readonly #drawing = new Map<string, Promise<SharePicture>>()
  readonly #gate: Gate

  constructor(media: Pick<MediaStore, 'read'>, latenessMs?: () => number, draw = drawSharePicture) {
    this.#media = media
    this.#draw = draw
    this.#gate = new Gate({ atOnce: AT_ONCE, waitAtMostMs: WAIT_AT_MOST_MS, retryAfterSeconds: 3, latenessMs })
  }

  /** Throws UNAVAILABLE when the queue is too long. */
  async get(facts: ShareFacts): Promise<SharePicture> {
    const name = shareName(facts)
    const kept = this.#kept.get(name)
    if (kept) return { bytes: kept, isWhole: true }
    const running = this.#drawing.get(name)
    if (running) return running
    const picture = this.#gate.run(() => this.#drawNow(facts)).finally(() => this.#drawing.delete(name))
    this.#drawing.set(name, picture)
    const drawn = await picture
    if (drawn.isWhole) this.#kept.set(name, drawn.bytes)
    return drawn
  }

  async #drawNow(facts: ShareFacts): Promise<SharePicture> {
    const photo = facts.photoKey === null ? null : await this.#media.read(facts.photoKey, 1280, 'jpeg')
    return { bytes: new Uint8Array(await this.#draw(facts, photo)), isWhole: photo !== null || facts.photoKey === null }
  }
}

interface SharePicture {
  bytes: Uint8Array<ArrayBuffer>
  /** False: the listing has a photo, but its file was not there. */
  isWhole: boolean
}
