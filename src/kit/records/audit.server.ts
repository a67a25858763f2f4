import { asc, desc, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Ctx } from '../context.ts'
import type { Db } from '#src/kit/db/db.ts'
import { isDatabaseAway } from '#src/kit/db/database-errors.server.ts'
import type { Log } from '#src/kit/base/log.server.ts'
import { auditEvents, vaultKeys } from '#src/kit/db/tables.ts'
import type { AuditEvent } from '#src/kit/db/audit-events.ts'
import { tally } from '#src/kit/base/tally.server.ts'
import type { Vault } from '../vault.server.ts'

/**
 * The audit trail (safety.md INV-7). A command writes its event in its own transaction, so the change and its record commit together or not at all. A
 * background job then seals new rows in a chain: each seal is a keyed hash (MAC) over the previous seal and the row. The key derives from PEPPER,
 * which the database does not hold. A database superuser can change, remove or reorder sealed rows but cannot recompute the seals, and
 * `findBrokenSeal` reports the position.
 */
export type AuditDetails = Record<string, string | number | boolean | null>

/** `object` is a kind and an id: "user:12". Never write names, phone numbers or texts of people: events cannot be erased. */
export async function audit(ctx: Ctx, event: AuditEvent, object: string, details: AuditDetails = {}): Promise<void> {
  await ctx.db.insert(auditEvents).values({ actorId: ctx.viewer?.id ?? null, event, object, details, requestId: ctx.requestId })
  tally('sandhai_events_total', { event })
  ctx.log.info({ event, object, actor: ctx.viewer?.id ?? null }, 'audit')
  for (const nudge of nudges) nudge()
}

const nudges = new Set<() => void>()
/** Delays of the sealing job after this process writes an event: the first for a normal transaction, the second for a slow one. */
const NUDGES_MS = [250, 900]
/** Seals rows that a killed process left unsealed. */
const ROUND_MS = 60_000
const BATCH = 500
/** The log notes a new head at once, but at most so often, and an unchanged one each hour. */
const NEW_HEAD_MS = 60_000
const NOTE_HEAD_MS = 3_600_000
/** PostgreSQL advisory lock: only one process seals at a time. */
const SEALING_LOCK = 7_204_191

type Event = typeof auditEvents.$inferSelect

/** A seal of the second or a later key starts with the key's number. The next seal covers this number too. */
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

/** Takes the sealing lock until the end of the transaction. */
export const holdTrail = (db: Db): Promise<unknown> => db.execute(sql`select pg_advisory_xact_lock(${sql.raw(String(SEALING_LOCK))})`)

/** Seals unsealed rows with the newest key and returns their number. A process that does not know the newest key seals nothing. */
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

/** The end of the chain. The log keeps it, so an attacker who deletes the newest rows from the database is still detected. */
interface AuditHead {
  position: number
  /** Hex. */
  seal: string
}

/** Returns null while no row is sealed. */
export async function auditHead(db: Db): Promise<AuditHead | null> {
  const [last] = await db.select().from(auditEvents).where(isNotNull(auditEvents.position)).orderBy(desc(auditEvents.position)).limit(1)
  return last ? { position: last.position!, seal: last.seal!.toString('hex') } : null
}

/**
 * Returns the first position where the chain breaks: a row was changed, removed or moved. Returns null when the chain holds. Pass all heads
 * of the log to detect also that somebody has cut off or rewritten rows since the log noted one of them: rows that came later were sealed anew.
 * Key numbers never decrease along the chain. A change of PEPPER stores the chain's end at that time. Somebody who knows the old PEPPER can therefore
 * neither rewrite rows before that end nor add rows after it.
 */
export async function findBrokenSeal(
  db: Db,
  vault: Vault,
  noted: AuditHead[] = [],
): Promise<{ position: number; id: number | null } | null> {
  let previous: Buffer = ORIGIN
  let expected = 1
  const heads = [...noted, ...vault.keys.map(({ trail }) => trail).filter((trail) => trail !== null)]
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

export function startSealing({ db, log, vault }: { db: Db; log: Log; vault: Vault }): { stop(): Promise<void> } {
  let isStopped = false
  let isAway = false
  let running: Promise<void> = Promise.resolve()

  async function round(): Promise<void> {
    if (isStopped) return
    try {
      while (!isStopped && (await sealEvents(db, vault)) === BATCH);
      isAway = false
      if (Date.now() - lookedAt >= NEW_HEAD_MS) await noteHead(true)
    } catch (error) {
      if (isStopped || isAway) return
      isAway = true
      if (!isDatabaseAway(error)) log.error({ err: error }, 'audit sealing failed')
    }
  }
  const queue = () => (running = running.then(round))
  const nudge = debounced(() => void queue())
  nudges.add(nudge)
  let noted = ''
  let lookedAt = -Infinity
  async function noteHead(ifNew: boolean): Promise<void> {
    // Another place logs an unreachable database. A later round notes the head.
    const head = await auditHead(db).catch(() => null)
    if (!head || isStopped || (ifNew && head.seal === noted)) return
    noted = head.seal
    lookedAt = Date.now()
    log.info({ event: 'audit_head', ...head }, 'audit trail')
  }
  const timer = setInterval(() => void queue(), ROUND_MS).unref()
  const headTimer = setInterval(() => (running = running.then(() => noteHead(false))), NOTE_HEAD_MS).unref()
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

/** Runs `act` after each of `NUDGES_MS`. Nudges during a wait cause one more run, however many they are. */
function debounced(act: () => void): () => void {
  const waits = NUDGES_MS.map((ms) => ({ ms, isPending: false, isAsked: false }))
  const start = (wait: (typeof waits)[number]) => {
    wait.isPending = true
    wait.isAsked = false
    setTimeout(() => {
      wait.isPending = false
      act()
      if (wait.isAsked) start(wait)
    }, wait.ms).unref()
  }
  return () => {
    for (const wait of waits)
      if (wait.isPending) wait.isAsked = true
      else start(wait)
  }
}
