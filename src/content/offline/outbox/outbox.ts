import type { DBSchema } from 'idb'
import { Records, RecordsFailed } from '#src/content/offline/records.ts'
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
  /** The reason why the last answer was not final; missing when nobody has answered yet. */
  delay?: Delay
  /** The server's reason for the refusal, in the reader's language. */
  reason?: string
  /** The server's errors, by form field. */
  errors?: Record<string, string>
}

/** The owner of acts whose path grants access by itself. */
export const LINK = 'link'

/**
 * The reason why an act must be sent again. `busy`: the market could not take it. `foreign`: another server answered,
 * for example a captive portal. `limit`: the person has done this too often, as the market's `reason` says; `until` is
 * the earliest time of the next attempt, in milliseconds.
 */
export type Delay = { why: 'busy' | 'foreign' } | { why: 'limit'; reason: string; until: number }

/**
 * The result of an attempt. `offline`: nobody answered. `login`: the owner is not logged in. Both end the round,
 * because they hold for every act.
 */
export type Delivery =
  | { kind: 'sent' | 'offline' | 'login' }
  | { kind: 'again'; delay: Delay }
  | { kind: 'refused'; reason: string; errors?: Record<string, string> }

/** Stores how far an attempt has come, so that the next one continues from there. Returns the act with what its person changed meanwhile. */
export type Note = (changes: Partial<Waiting>) => Promise<Waiting>
export type Deliver = (act: Waiting, note: Note) => Promise<Delivery>

interface Store extends DBSchema {
  acts: { key: number; value: Waiting }
}

/**
 * A person's acts while offline, in their order. An act leaves the outbox only after the server's final answer. If anything fails before that, it
 * is sent again, and the server applies it once: calls that set a value, and forms by their idempotency key.
 */
export class Outbox {
  readonly #records: Records<Store>
  readonly #sending = new Map<string, Promise<number>>()

  constructor(name: string) {
    const create: ConstructorParameters<typeof Records<Store>>[1] = (db) =>
      void db.createObjectStore('acts', { keyPath: 'n', autoIncrement: true })
    // A clip has many megabytes, and no page waits behind this.
    this.#records = new Records<Store>(name, create, { limitMs: 60_000, restMs: 0 })
  }

  /** A second act on the same object replaces the first, unless the first may already have been sent. */
  async add(owner: string, act: LaterAct, now: number): Promise<Stored> {
    const isReplaced = (other: Waiting) =>
      other.owner === owner && other.state === 'waiting' && other.attempts === 0 && other.object === act.object
    try {
      await this.#records.write('acts', async (acts) => {
        if (act.object !== undefined) for (const { n } of (await acts.getAll()).filter(isReplaced)) await acts.delete(n)
        // The store assigns `n`.
        await acts.add({ ...act, owner, at: now, attempts: 0, state: 'waiting' } as Waiting)
      })
      return 'stored'
    } catch (error) {
      if (error instanceof RecordsFailed && error.why === 'full') return 'full'
      throw error
    }
  }

  /** How many acts wait for people who are not these. */
  async countOthers(owners: readonly string[]): Promise<number> {
    const acts = await this.#records.read('acts', (all) => all.getAll())
    return acts.filter(({ owner, state }) => state === 'waiting' && !owners.includes(owner)).length
  }

  async list(owner: string): Promise<Waiting[]> {
    return (await this.#records.read('acts', (acts) => acts.getAll())).filter((act) => act.owner === owner)
  }

  /** An act that follows a discarded one is discarded, too: it belongs to something that will never be there. */
  async discard(owner: string, n: number): Promise<void> {
    const discarded = await this.#records.write('acts', async (acts) => {
      const act = await acts.get(n)
      if (act?.owner !== owner) return null
      await acts.delete(n)
      return act
    })
    if (discarded?.name !== undefined && discarded.state !== 'sent') await this.discardFollowers(owner, discarded.name)
  }

  /** Removes acts that were sent: their words stay listed for a day, but not beyond the login of the person who wrote them. */
  async forgetSent(): Promise<void> {
    await this.#records.write('acts', async (acts) => {
      for (const { n, owner, state } of await acts.getAll()) if (state === 'sent' && owner !== LINK) await acts.delete(n)
    })
  }

  async discardFollowers(owner: string, name: string): Promise<void> {
    const isFollower = (act: Waiting) => act.owner === owner && act.follows === name && act.state !== 'sent'
    await this.#records.write('acts', async (acts) => {
      for (const { n } of (await acts.getAll()).filter(isFollower)) await acts.delete(n)
    })
  }

  /** Changes an act that is not sent yet. */
  async revise(owner: string, n: number, changes: Partial<Pick<LaterAct, 'fields' | 'follows' | 'path' | 'words'>>): Promise<void> {
    await this.#records.write('acts', async (acts) => {
      const act = await acts.get(n)
      if (act?.owner === owner && act.state !== 'sent') await acts.put({ ...act, ...changes })
    })
  }

  /**
   * Sends the owner's waiting acts one after the other. One that must be sent again holds up only the acts that need
   * it. Returns how many still wait for another attempt, without those that a limit holds back. A concurrent call joins
   * the running one.
   */
  send(owner: string, deliver: Deliver, now: number): Promise<number> {
    const running = this.#sending.get(owner) ?? this.#sendAll(owner, deliver, now).finally(() => this.#sending.delete(owner))
    this.#sending.set(owner, running)
    return running
  }

  async #sendAll(owner: string, deliver: Deliver, now: number): Promise<number> {
    const all = await this.list(owner)
    for (const { n } of all.filter(({ state, at }) => state === 'sent' && now - at > DAY_MS))
      await this.#records.write('acts', (acts) => acts.delete(n))
    const waiting = inOrder(all.filter((act) => act.state === 'waiting' && !isHeldBack(act, now)))
    let left = 0
    for (const [done, { n }] of waiting.entries()) {
      // It may have been changed or discarded while the acts before it were sent.
      const found = await this.#records.read('acts', (acts) => acts.get(n))
      if (found?.state !== 'waiting' || (await this.#isHeld(found))) continue
      const note: Note = (changes) => this.#change(found, (act) => ({ ...act, ...changes }))
      const delivery = await deliver(await note({ attempts: found.attempts + 1 }), note)
      if (delivery.kind === 'offline' || delivery.kind === 'login') return left + waiting.length - done
      if (delivery.kind === 'again') {
        await note({ delay: delivery.delay })
        if (delivery.delay.why !== 'limit') left += 1
      } else if (delivery.kind === 'refused') {
        const { reason, errors } = delivery
        await note({ reason, ...(errors && { errors }), state: 'refused' })
      }
      // A sent act stays listed for a day, without its pictures and clips.
      else await this.#change(found, (act) => ({ ...withoutParts(act), state: 'sent' }))
    }
    return left
  }

  /** Changes the act as it is stored now: what its person wrote while it is sent stays, and a discarded act does not come back. */
  #change(found: Waiting, change: (act: Waiting) => Waiting): Promise<Waiting> {
    return this.#records.write('acts', async (acts) => {
      const act = await acts.get(found.n)
      const changed = change(act ?? found)
      if (act) await acts.put(changed)
      return changed
    })
  }

  async #isHeld(act: Waiting): Promise<boolean> {
    return (await this.list(act.owner)).some((other) => isNeeded(other, act))
  }
}

/**
 * Whether `other` must be sent before `act`: the listing of a clip, an earlier act on the same object, an earlier edit
 * of the same listing.
 */
function isNeeded(other: Waiting, act: Waiting): boolean {
  if (act.follows !== undefined && other.name === act.follows) return other.state !== 'sent'
  if (other.state !== 'waiting' || other.n >= act.n) return false
  return act.object === undefined ? act.kind === 'edit' && other.path === act.path : other.object === act.object
}

const DAY_MS = 86_400_000

/** A time beyond tomorrow comes from a clock that was wrong. */
const isHeldBack = ({ delay }: Waiting, now: number) => delay?.why === 'limit' && delay.until > now && delay.until <= now + DAY_MS

/** In the order of the person, but what follows another act goes last: it is large, and nothing small should wait for it. */
const inOrder = (acts: Waiting[]) => acts.toSorted((a, b) => Number('follows' in a) - Number('follows' in b))

function withoutParts(act: Waiting): Waiting {
  const rest = { ...act }
  delete rest.parts
  delete rest.files
  delete rest.upload
  return rest
}
