import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import type { LaterAct, Stored } from '#src/kit/device/send-later.ts'

/** An act that waits on the phone until the server has answered it. */
export interface Waiting extends LaterAct {
  n: number
  /** The owner's mark (worker/owner.ts): the act is sent and shown only while that person is logged in. LINK: at any time. */
  owner: string
  at: number
  /** Counted before each attempt: a request may have arrived although its answer was lost. */
  attempts: number
  state: 'waiting' | 'refused' | 'sent'
  /** Why the server refused it, in the reader's language. */
  reason?: string
  /** The server's errors, by form field. */
  errors?: Record<string, string>
}

/** The owner of acts whose path grants access by itself. */
export const LINK = 'link'

/** The result of an attempt. `again`: no answer, or one that says to retry later. */
export type Delivery = { kind: 'sent' | 'again' | 'login' } | { kind: 'refused'; reason: string; errors?: Record<string, string> }

/** `note` stores how far an attempt has come, so that the next one continues from there. */
export type Deliver = (act: Waiting, note: (act: Waiting) => Promise<void>) => Promise<Delivery>

interface Store extends DBSchema {
  acts: { key: number; value: Waiting }
}

const SENT_SHOWN_MS = 86_400_000

/**
 * What somebody did offline, in its order. An act leaves the outbox only after the server's final answer. If anything fails before that, it
 * is sent again, and the server applies it once: calls that set a value, and forms by their idempotency key.
 */
export class Outbox {
  readonly #name: string
  #db: Promise<IDBPDatabase<Store>> | undefined
  readonly #sending = new Map<string, Promise<number>>()

  constructor(name: string) {
    this.#name = name
  }

  #open(): Promise<IDBPDatabase<Store>> {
    this.#db ??= openDB<Store>(this.#name, 1, {
      upgrade: (db) => void db.createObjectStore('acts', { keyPath: 'n', autoIncrement: true }),
      terminated: () => (this.#db = undefined),
    })
    // A phone that is full now may have space later, so open the store again at the next use.
    this.#db.catch(() => (this.#db = undefined))
    return this.#db
  }

  /** A second act on the same object replaces the first, unless the first may already have been sent. */
  async add(owner: string, act: LaterAct, now: number): Promise<Stored> {
    try {
      const db = await this.#open()
      const tx = db.transaction('acts', 'readwrite')
      const isReplaced = (other: Waiting) =>
        other.owner === owner && other.state === 'waiting' && other.attempts === 0 && other.object === act.object
      if (act.object !== undefined) for (const { n } of (await tx.store.getAll()).filter(isReplaced)) await tx.store.delete(n)
      // The store assigns `n`.
      await tx.store.add({ ...act, owner, at: now, attempts: 0, state: 'waiting' } as Waiting)
      await tx.done
      return 'stored'
    } catch (error) {
      // When the storage is full, some browsers report it, others only abort.
      if (/^(QuotaExceeded|Abort|Unknown)Error$/.test((error as DOMException).name)) return 'full'
      throw error
    }
  }

  async list(owner: string): Promise<Waiting[]> {
    return (await (await this.#open()).getAll('acts')).filter((act) => act.owner === owner)
  }

  /** What follows a discarded act is discarded, too: it belongs to something that will never be there. */
  async discard(owner: string, n: number): Promise<void> {
    const db = await this.#open()
    const act = await db.get('acts', n)
    if (act?.owner !== owner) return
    await db.delete('acts', n)
    if (act.name !== undefined && act.state !== 'sent') await this.discardFollowers(owner, act.name)
  }

  async discardFollowers(owner: string, name: string): Promise<void> {
    const db = await this.#open()
    for (const { n, follows, state } of await this.list(owner)) if (follows === name && state !== 'sent') await db.delete('acts', n)
  }

  /** Changes an act that is not sent yet. */
  async revise(owner: string, n: number, changes: Partial<Pick<LaterAct, 'fields' | 'follows' | 'path' | 'words'>>): Promise<void> {
    const db = await this.#open()
    const act = await db.get('acts', n)
    if (act?.owner === owner && act.state !== 'sent') await db.put('acts', { ...act, ...changes })
  }

  /** Sends the owner's waiting acts one after the other; returns how many still wait. A concurrent call joins the running one. */
  send(owner: string, deliver: Deliver, now: number): Promise<number> {
    const running = this.#sending.get(owner) ?? this.#sendAll(owner, deliver, now).finally(() => this.#sending.delete(owner))
    this.#sending.set(owner, running)
    return running
  }

  async #sendAll(owner: string, deliver: Deliver, now: number): Promise<number> {
    const db = await this.#open()
    const all = await this.list(owner)
    for (const { n } of all.filter(({ state, at }) => state === 'sent' && now - at > SENT_SHOWN_MS)) await db.delete('acts', n)
    const waiting = inOrder(all.filter(({ state }) => state === 'waiting'))
    for (const [done, { n }] of waiting.entries()) {
      // It may have been changed or discarded while the acts before it were sent.
      const found = await db.get('acts', n)
      if (found?.state !== 'waiting' || (await this.#isHeld(found))) continue
      let act = { ...found, attempts: found.attempts + 1 }
      const note = async (next: Waiting) => void (await db.put('acts', (act = next)))
      await note(act)
      const delivery = await deliver(act, note)
      if (delivery.kind === 'refused') await note({ ...act, ...delivery, kind: act.kind, state: 'refused' })
      // A sent act stays listed for a day, without its pictures and clips.
      else if (delivery.kind === 'sent') await note({ ...withoutParts(act), state: 'sent' })
      else return waiting.length - done
    }
    return 0
  }

  async #isHeld({ owner, follows }: Waiting): Promise<boolean> {
    if (follows === undefined) return false
    return (await this.list(owner)).some(({ name, state }) => name === follows && state !== 'sent')
  }
}

/** In the order of the person, but what follows another act goes last: it is large, and nothing small should wait for it. */
const inOrder = (acts: Waiting[]) => [
  ...acts.filter(({ follows }) => follows === undefined),
  ...acts.filter(({ follows }) => follows !== undefined),
]

function withoutParts(act: Waiting): Waiting {
  const rest = { ...act }
  delete rest.parts
  delete rest.files
  delete rest.upload
  return rest
}
