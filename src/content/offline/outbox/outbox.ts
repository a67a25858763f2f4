import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import type { LaterAct, Stored } from '#src/kit/device/send-later.ts'

/** An act that waits on the phone, until the server has answered it. */
export interface Waiting extends LaterAct {
  /** Its place in the order. */
  n: number
  /** Whose it is (worker/owner.ts): it is sent, and shown, only while they are logged in. */
  owner: string
  at: number
  /** Counted before each sending: one of them may have arrived although nobody heard of it. */
  attempts: number
  state: 'waiting' | 'refused' | 'sent'
  /** Why the market refused it, in the reader's language. */
  reason?: string
  /** By field of its form what the market says of it. */
  errors?: Record<string, string>
}

/** How a sending went. `again`: no answer, or one that says to come later. */
export type Delivery = { kind: 'sent' | 'again' | 'login' } | { kind: 'refused'; reason: string; errors?: Record<string, string> }

/** `note` stores how far a sending has come, so that the next one goes on from there. */
export type Deliver = (act: Waiting, note: (act: Waiting) => Promise<void>) => Promise<Delivery>

interface Store extends DBSchema {
  acts: { key: number; value: Waiting }
}

const SENT_SHOWN_MS = 86_400_000

/**
 * What somebody did without a line, in its order. An act leaves it only after the server's final answer; whatever stops in between, it is
 * sent again, and the server takes it once: calls that set something, and forms by their idempotency key.
 */
export class Outbox {
  readonly #name: string
  #db: Promise<IDBPDatabase<Store>> | undefined
  #sending: Promise<number> | undefined

  constructor(name: string) {
    this.#name = name
  }

  #open(): Promise<IDBPDatabase<Store>> {
    this.#db ??= openDB<Store>(this.#name, 1, {
      upgrade: (db) => void db.createObjectStore('acts', { keyPath: 'n', autoIncrement: true }),
      terminated: () => (this.#db = undefined),
    })
    // A full phone today may have room tomorrow.
    this.#db.catch(() => (this.#db = undefined))
    return this.#db
  }

  /** A second act upon the same thing takes the place of the first, unless that one may be on its way. */
  async add(owner: string, act: LaterAct, now: number): Promise<Stored> {
    try {
      const db = await this.#open()
      const tx = db.transaction('acts', 'readwrite')
      const same = (await tx.store.getAll()).filter(
        (other) => other.owner === owner && other.state === 'waiting' && other.attempts === 0 && !other.fields && other.path === act.path,
      )
      for (const { n } of act.fields ? [] : same) await tx.store.delete(n)
      // The store numbers it.
      await tx.store.add({ ...act, owner, at: now, attempts: 0, state: 'waiting' } as Waiting)
      await tx.done
      return 'stored'
    } catch (error) {
      // Where there is no room, some browsers say so, others only break off.
      if (/^(QuotaExceeded|Abort|Unknown)Error$/.test((error as DOMException).name)) return 'full'
      throw error
    }
  }

  async list(owner: string): Promise<Waiting[]> {
    return (await (await this.#open()).getAll('acts')).filter((act) => act.owner === owner)
  }

  async discard(owner: string, n: number): Promise<void> {
    const db = await this.#open()
    if ((await db.get('acts', n))?.owner === owner) await db.delete('acts', n)
  }

  /** Sends what waits, one after the other; answers how many still wait. A second call meanwhile is the same sending. */
  send(owner: string, deliver: Deliver, now: number): Promise<number> {
    this.#sending ??= this.#sendAll(owner, deliver, now).finally(() => (this.#sending = undefined))
    return this.#sending
  }

  async #sendAll(owner: string, deliver: Deliver, now: number): Promise<number> {
    const db = await this.#open()
    const all = await this.list(owner)
    for (const { n } of all.filter(({ state, at }) => state === 'sent' && now - at > SENT_SHOWN_MS)) await db.delete('acts', n)
    const waiting = all.filter(({ state }) => state === 'waiting')
    for (const [done, found] of waiting.entries()) {
      let act = { ...found, attempts: found.attempts + 1 }
      const note = async (next: Waiting) => void (await db.put('acts', (act = next)))
      await note(act)
      const delivery = await deliver(act, note)
      if (delivery.kind === 'refused') await note({ ...act, ...delivery, kind: act.kind, state: 'refused' })
      // What was sent is shown for a day, without its pictures.
      else if (delivery.kind === 'sent') await note({ ...withoutParts(act), state: 'sent' })
      else return waiting.length - done
    }
    return 0
  }
}

function withoutParts(act: Waiting): Waiting {
  const rest = { ...act }
  delete rest.parts
  return rest
}
