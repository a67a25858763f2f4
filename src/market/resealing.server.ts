import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { pendingRegistrations, users } from '#src/accounts/tables.ts'
import type { Db } from '#src/kit/db/db.ts'
import { countRow, oneRowOf, rowsOf } from '#src/kit/db/rows.server.ts'
import { outbox, vaultKeys } from '#src/kit/db/tables.ts'
import { everyHour, type Job } from '#src/kit/hourly.server.ts'
import type { Log } from '#src/kit/base/log.server.ts'
import type { HashedPurpose, SealedPurpose } from '#src/kit/vault-purposes.ts'
import type { Vault } from '#src/kit/vault.server.ts'
import { listings } from '#src/listings/tables.ts'
import { orders } from '#src/orders/tables.ts'
import { listingDrafts, owners, payees, payoutLines } from '#src/selling/tables.ts'

/** A place of sealed values in the database: every purpose that `sealedPurposes` calls stored has one here. */
interface SealedPlace {
  purpose: SealedPurpose
  /** Must have a column `id`. */
  table: PgTable
  /** Null when the row has none. */
  sealed: SQL
  /** For a value that is found by its keyed hash: the purpose of the hash. */
  hashed?: HashedPurpose
  /** The SET clause; `fresh` is the newly sealed value and `mac` the keyed hash, both in hex. */
  set: SQL
}

const column = (table: PgTable, purpose: SealedPurpose, name: string): SealedPlace => ({
  purpose,
  table,
  sealed: sql`${sql.identifier(name)}`,
  set: sql`${sql.identifier(name)} = decode(v.fresh, 'hex')`,
})

export const sealedPlaces: Record<string, SealedPlace> = {
  'users.pan_sealed': column(users, 'pan', 'pan_sealed'),
  'users.totp_sealed': column(users, 'totp', 'totp_sealed'),
  'pending_registrations.pan_sealed': column(pendingRegistrations, 'pan', 'pan_sealed'),
  'outbox.sealed': column(outbox, 'outbox', 'sealed'),
  'payees.sealed': column(payees, 'payee', 'sealed'),
  'payout_lines.payee_sealed': column(payoutLines, 'payee', 'payee_sealed'),
  'listings.tag_sealed': {
    purpose: 'ear-tag',
    table: listings,
    sealed: sql`tag_sealed`,
    hashed: 'ear-tag',
    set: sql`tag_sealed = decode(v.fresh, 'hex'), tag_mac = decode(v.mac, 'hex')`,
  },
  'listing_drafts.typed': {
    purpose: 'ear-tag',
    table: listingDrafts,
    sealed: sql`decode(typed->>'tag', 'base64')`,
    set: sql`typed = jsonb_set(typed, '{tag}', to_jsonb(encode(decode(v.fresh, 'hex'), 'base64')))`,
  },
  'orders.tag_sealed': column(orders, 'ear-tag', 'tag_sealed'),
  'orders.handover_sealed': column(orders, 'handover', 'handover_sealed'),
  'owners.phone_sealed': {
    purpose: 'owner-phone',
    table: owners,
    sealed: sql`phone_sealed`,
    hashed: 'owner-phone',
    set: sql`phone_sealed = decode(v.fresh, 'hex'), phone_mac = decode(v.mac, 'hex')`,
  },
}

/** Rows per short transaction. */
const BATCH = 500
/** Wait out the first minutes of a process, when people wait for it. */
const FIRST_AFTER_MS = 300_000
/** After this time the other processes have been restarted, too. */
const RESTARTED_MS = 3_600_000

const pageRow = z.object({ id: z.number(), sealed: z.string().nullable() })

/**
 * Reseals the next rows of a place, and returns the last id that was read; null at the end. Skips locked rows until the next round, so
 * nobody waits. A kill loses nothing, because a batch is one transaction.
 */
async function resealBatch(db: Db, vault: Vault, place: SealedPlace, after: number, done: Resealed): Promise<number | null> {
  const { table, sealed } = place
  return db.transaction(async (tx) => {
    const page = await rowsOf(
      { db: tx },
      sql`select id::float8 as id, case when get_byte(${sealed}, 0) <> ${vault.keyNumber} then encode(${sealed}, 'hex') end as sealed
        from ${table} where id > ${after}::bigint order by id limit ${BATCH}`,
      pageRow,
    )
    const older = page.filter((row) => row.sealed !== null).map(({ id }) => id)
    if (older.length > 0) await resealRows(tx, vault, place, older, done)
    return page.length < BATCH ? null : page.at(-1)!.id
  })
}

async function resealRows(
  tx: Db,
  vault: Vault,
  { purpose, table, sealed, set, hashed }: SealedPlace,
  ids: number[],
  done: Resealed,
): Promise<void> {
  const locked = await rowsOf(
    { db: tx },
    sql`select id::float8 as id, encode(${sealed}, 'hex') as sealed from ${table}
      where id in ${ids} and get_byte(${sealed}, 0) <> ${vault.keyNumber} order by id for no key update skip locked`,
    pageRow,
  )
  done.left += ids.length - locked.length
  const fresh = locked.flatMap((row) => {
    const text = opened(vault, purpose, Buffer.from(row.sealed!, 'hex'))
    if (text === null) {
      done.damaged += 1
      return []
    }
    const mac = hashed ? vault.mac(hashed, text).toString('hex') : null
    return [{ id: row.id, fresh: vault.seal(purpose, text).toString('hex'), mac }]
  })
  if (fresh.length === 0) return
  await tx.execute(sql`
    update ${table} set ${set} from json_to_recordset(${JSON.stringify(fresh)}::json) as v(id bigint, fresh text, mac text)
    where ${table}.id = v.id`)
  done.resealed += fresh.length
}

/** Null when no key of this market opens it. */
function opened(vault: Vault, purpose: SealedPurpose, sealed: Buffer): string | null {
  try {
    return vault.open(purpose, sealed)
  } catch {
    return null
  }
}

interface Resealed {
  resealed: number
  /** Locked by somebody else. */
  left: number
  /** Cannot be opened; they stay unchanged. */
  damaged: number
}

/**
 * Goes through all places once, if the newest key is this process's own and something older may exist. Null: nothing to do. `mayEnd`: a
 * round that finds nothing is the last one, because every process has the new key by now.
 */
export async function reseal(db: Db, vault: Vault, { mayEnd = true, isStopped = (): boolean => false } = {}): Promise<Resealed | null> {
  const [key] = await db
    .select()
    .from(vaultKeys)
    .where(and(eq(vaultKeys.number, vault.keyNumber), isNull(vaultKeys.settledAt)))
  if (!key || vault.keyNumber !== vault.keys.at(-1)!.number) return null
  const done: Resealed = { resealed: 0, left: 0, damaged: 0 }
  for (const place of Object.values(sealedPlaces)) {
    let after: number | null = 0
    while (after !== null && !isStopped()) after = await resealBatch(db, vault, place, after, done)
  }
  if (mayEnd && done.resealed + done.left === 0 && !isStopped())
    await db
      .update(vaultKeys)
      .set({ settledAt: sql`now()` })
      .where(eq(vaultKeys.number, vault.keyNumber))
  return done
}

/** Counts rows sealed with another key than the vault's own; reads whole tables, for `npm run doctor`. */
export async function countOlder(db: Db, vault: Vault): Promise<number> {
  let older = 0
  for (const { table, sealed } of Object.values(sealedPlaces)) {
    const counted = await oneRowOf(
      { db },
      sql`select (count(*) filter (where get_byte(${sealed}, 0) <> ${vault.keyNumber}))::int as count from ${table}`,
      countRow,
    )
    older += counted.count
  }
  return older
}

/** Reseals in rounds while something older exists. */
export function startResealing({ db, log, vault }: { db: Db; log: Log; vault: Vault }): Job {
  const startedAt = performance.now()
  let isStopped = false
  const round = async () => {
    const mayEnd = performance.now() - startedAt > RESTARTED_MS
    const done = await reseal(db, vault, { mayEnd, isStopped: () => isStopped })
    if (done) log.info({ event: 'resealed', key: vault.keyNumber, ...done }, 'resealed after a change of PEPPER')
  }
  const job = everyHour({ rounds: { reseal: round }, firstAfterMs: FIRST_AFTER_MS, log })
  return {
    stop: () => {
      isStopped = true
      return job.stop()
    },
  }
}
