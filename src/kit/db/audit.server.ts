import { asc, desc, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { isDatabaseAway, type Db } from './database.server.ts'
import type { Log } from '#src/kit/log.server.ts'
import { auditEvents, vaultKeys } from './tables.ts'
import type { AuditEvent } from './audit-events.ts'
import { tally } from '#src/kit/tally.server.ts'
import type { Vault } from '#src/kit/vault.server.ts'

/**
 * The audit trail (safety.md INV-7). A command writes its event in its own transaction, so what was done and the record of it
 * come together or not at all. Soon after, a job chains the new rows: each seal is a keyed hash over the seal before it and the row.
 * The key is derived from PEPPER, which the database does not hold: whoever changes, removes or reorders a sealed row, even as its
 * superuser, cannot make the seals anew, and `findBrokenSeal` names the place.
 */
export type AuditDetails = Record<string, string | number | boolean | null>

/** `object` is a kind and an id: "user:12". No names, numbers or texts of people: this can never be erased. */
export async function audit(ctx: Ctx, event: AuditEvent, object: string, details: AuditDetails = {}): Promise<void> {
  await ctx.db.insert(auditEvents).values({ actorId: ctx.viewer?.id ?? null, event, object, details, requestId: ctx.requestId })
  tally('sandhai_events_total', { event })
  ctx.log.info({ event, object, actor: ctx.viewer?.id ?? null }, 'audit')
  for (const nudge of nudges) nudge()
}

const nudges = new Set<() => void>()
/** After an event was written here: about when its transaction is over, and once more for a slow one. */
const NUDGES_MS = [250, 900]
/** For rows that a killed process left. */
const ROUND_MS = 60_000
const BATCH = 500
const NOTE_HEAD_MS = 3_600_000
/** One sealer at a time, in all processes. */
const SEALING_LOCK = 7_204_191

type Event = typeof auditEvents.$inferSelect

/** From the second key on its number stands before the hash, and goes into the next seal with it. */
function sealOf(vault: Vault, key: number, previous: Buffer, event: Event, position: number): Buffer {
  const { id, at, actorId, event: name, object, details, requestId } = event
  const row = JSON.stringify([position, id, at.toISOString(), actorId, name, object, Object.entries(details).toSorted(), requestId])
  const hash = vault.macWith(key, 'audit', previous, row)
  return key === 1 ? hash : Buffer.concat([Buffer.of(key), hash])
}

const keyOf = (seal: Buffer): number => (seal.length === HASH_BYTES ? 1 : (seal[0] ?? 0))

const newestOf = ({ keys }: Vault): number => keys.at(-1)!.number

const HASH_BYTES = 32
const ORIGIN = Buffer.alloc(HASH_BYTES)

/** Keeps everybody from sealing until the transaction ends. */
export const holdTrail = (db: Db): Promise<unknown> => db.execute(sql`select pg_advisory_xact_lock(${sql.raw(String(SEALING_LOCK))})`)

/** Seals what is not sealed yet, with the newest key, and says how much that was. A process that has not got that key leaves it to others. */
export async function sealEvents(db: Db, vault: Vault): Promise<number> {
  const key = newestOf(vault)
  return db.transaction(async (tx) => {
    await holdTrail(tx)
    if ((await tx.$count(vaultKeys, gt(vaultKeys.number, key))) > 0) return 0
    const open = await tx.select().from(auditEvents).where(isNull(auditEvents.seal)).orderBy(asc(auditEvents.id)).limit(BATCH)
    if (open.length === 0) return 0
    const [last] = await tx.select().from(auditEvents).where(isNotNull(auditEvents.position)).orderBy(desc(auditEvents.position)).limit(1)
    let previous = last?.seal ?? ORIGIN
    let position = last?.position ?? 0
    for (const event of open) {
      position += 1
      previous = sealOf(vault, key, previous, event, position)
      await tx.update(auditEvents).set({ position, seal: previous }).where(eq(auditEvents.id, event.id))
    }
    return open.length
  })
}

/** How far the chain had come: noted in the log, where whoever cuts off its newest rows does not reach. */
export interface AuditHead {
  position: number
  /** Hex. */
  seal: string
}

/** Null while nothing is sealed. */
export async function auditHead(db: Db): Promise<AuditHead | null> {
  const [last] = await db.select().from(auditEvents).where(isNotNull(auditEvents.position)).orderBy(desc(auditEvents.position)).limit(1)
  return last ? { position: last.position!, seal: last.seal!.toString('hex') } : null
}

/**
 * The first place where the chain does not hold: a changed row, a missing one, one in another's place. Null when all is well.
 * With a head from the log, rows that were cut off since, or made anew, are missed, too.
 *
 * Keys' numbers only grow along the chain. A change of PEPPER noted how far it had come: up to there it is what it was then, also for
 * whoever has the PEPPER of before, and after that nothing is sealed with it.
 */
export async function findBrokenSeal(db: Db, vault: Vault, head?: AuditHead): Promise<{ position: number; id: number | null } | null> {
  let previous: Buffer = ORIGIN
  let expected = 1
  const heads = vault.keys.map(({ trail }) => trail).filter((trail) => trail !== null)
  if (head) heads.push(head)
  const oldestKeyAt = (position: number) => vault.keys.findLast(({ trail }, at) => at > 0 && position > (trail?.position ?? 0))?.number ?? 1
  for (;;) {
    const events = await db
      .select()
      .from(auditEvents)
      .where(sql`${auditEvents.position} >= ${expected}`)
      .orderBy(asc(auditEvents.position))
      .limit(BATCH)
    for (const event of events) {
      if (event.position !== expected) return { position: expected, id: null }
      const key = keyOf(event.seal!)
      const oldest = Math.max(oldestKeyAt(expected), keyOf(previous))
      if (key < oldest || key > newestOf(vault)) return { position: expected, id: event.id }
      const seal = sealOf(vault, key, previous, event, expected)
      if (!event.seal?.equals(seal)) return { position: expected, id: event.id }
      if (heads.some((each) => each.position === expected && each.seal !== seal.toString('hex')))
        return { position: expected, id: event.id }
      previous = seal
      expected += 1
    }
    if (events.length < BATCH) return heads.some(({ position }) => position >= expected) ? { position: expected, id: null } : null
  }
}

/** A process's sealing job. */
export function startSealing({ db, log, vault }: { db: Db; log: Log; vault: Vault }): { stop(): Promise<void> } {
  let isStopped = false
  let isAway = false
  let running: Promise<void> = Promise.resolve()

  async function round(): Promise<void> {
    try {
      while (!isStopped && (await sealEvents(db, vault)) === BATCH);
      isAway = false
    } catch (error) {
      if (isStopped || isAway) return
      isAway = true
      if (!isDatabaseAway(error)) log.error({ err: error }, 'audit sealing failed')
    }
  }
  const queue = () => (running = running.then(round))
  // Debounced: each of the waits has at most one round ahead, and another one if an event came meanwhile.
  const waits = NUDGES_MS.map((ms) => ({ ms, isPending: false, isAsked: false }))
  type Wait = (typeof waits)[number]
  const start = (wait: Wait) => {
    wait.isPending = true
    wait.isAsked = false
    setTimeout(() => {
      wait.isPending = false
      if (isStopped) return
      void queue()
      if (wait.isAsked) start(wait)
    }, wait.ms).unref()
  }
  const nudge = () => {
    for (const wait of waits)
      if (wait.isPending) wait.isAsked = true
      else start(wait)
  }
  nudges.add(nudge)
  async function noteHead(): Promise<void> {
    // An unreachable database is logged elsewhere; the next hour notes the head again.
    const head = await auditHead(db).catch(() => null)
    if (head && !isStopped) log.info({ event: 'audit_head', ...head }, 'audit trail')
  }
  const timer = setInterval(() => void queue(), ROUND_MS).unref()
  const headTimer = setInterval(() => (running = running.then(noteHead)), NOTE_HEAD_MS).unref()
  nudge()
  return {
    stop: async () => {
      isStopped = true
      nudges.delete(nudge)
      clearInterval(timer)
      clearInterval(headTimer)
      await running
    },
  }
}
