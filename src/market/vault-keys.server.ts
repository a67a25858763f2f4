import { asc, eq } from 'drizzle-orm'
import { z } from 'zod'
import { auditHead, holdTrail } from '#src/kit/records/audit.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import { vaultKeys } from '#src/kit/db/tables.ts'
import { EnvError, type Env } from '#src/kit/base/env.server.ts'
import { MAX_KEYS, openKeys, openVault, type Vault, type VaultKey } from '#src/kit/vault.server.ts'
import { keepMark } from './market-marks.server.ts'

/**
 * The keys of a market (decision 0078). The mark `pepper-canary` proves the first one; each later one is a row of `vault_keys` that holds
 * the previous PEPPER, sealed with the new one. So the newest PEPPER opens all of them, and PEPPER_OLD is needed for one start only.
 */
const CANARY = 'pepper-canary'

type Peppers = Pick<Env, 'pepper' | 'pepperOld' | 'pepperNext'>

const before = z.object({ pepper: z.string(), trail: z.object({ position: z.number(), seal: z.string() }).nullable() })

const proofOf = (pepper: string) => openVault(pepper).mac('canary', 'sandhai').toString('hex')

/**
 * Opens the vault of this database for this configuration. Throws EnvError when the PEPPER does not fit: otherwise nobody could log in,
 * nothing sealed could be read, and each new row would make it worse. With PEPPER_OLD or PEPPER_NEXT it adds a new key first.
 */
export async function openMarketVault(db: Db, peppers: Peppers): Promise<Vault> {
  const { pepper, pepperOld, pepperNext } = peppers
  const canary = await keepMark(db, CANARY, proofOf(pepper))
  let rows = await readKeys(db)
  const isNewest = (proof: string) => proof === (rows.at(-1)?.proof ?? canary)
  const isKnown = (proof: string) => proof === canary || rows.some((row) => row.proof === proof)
  if (pepperOld !== null && !isKnown(proofOf(pepper))) {
    if (!isNewest(proofOf(pepperOld)))
      throw new EnvError(['PEPPER_OLD is not the one of this database. Set the right one; nothing was changed.'])
    await addKey(db, { pepper, previous: pepperOld, number: rows.length + 2 })
  }
  if (pepperNext !== null && !isKnown(proofOf(pepperNext)) && isNewest(proofOf(pepper)))
    await addKey(db, { pepper: pepperNext, previous: pepper, number: rows.length + 2 })
  rows = await readKeys(db)
  const keyNumber = [canary, ...rows.map(({ proof }) => proof)].indexOf(proofOf(pepper)) + 1
  if (keyNumber === 0)
    throw new EnvError(['PEPPER is not the one that this database was made with. Set the right one; nothing was changed.'])
  return openKeys(keysOf(peppers, rows, keyNumber), keyNumber)
}

type Row = typeof vaultKeys.$inferSelect

const readKeys = (db: Db): Promise<Row[]> => db.select().from(vaultKeys).orderBy(asc(vaultKeys.number))

/** Two processes with the same new PEPPER add the key once; with different ones, the second is refused. */
async function addKey(db: Db, { pepper, previous, number }: { pepper: string; previous: string; number: number }): Promise<void> {
  if (number > MAX_KEYS) throw new EnvError([`PEPPER was changed ${MAX_KEYS - 1} times: there is no number left for another key.`])
  await db.transaction(async (tx) => {
    // No event may be sealed between reading the head and adding the key.
    await holdTrail(tx)
    const trail = await auditHead(tx)
    const sealed = keyAlone(number, pepper).seal('vault-key', JSON.stringify({ pepper: previous, trail }))
    await tx
      .insert(vaultKeys)
      .values({ number, proof: proofOf(pepper), before: sealed })
      .onConflictDoNothing()
    const [stored] = await tx.select({ proof: vaultKeys.proof }).from(vaultKeys).where(eq(vaultKeys.number, number))
    if (stored?.proof !== proofOf(pepper))
      throw new EnvError(['PEPPER was changed at the same moment by another process, to another one. Set that one; nothing was changed.'])
  })
}

/** All keys from the newest PEPPER that this process has down to the first. */
function keysOf({ pepper, pepperNext }: Peppers, rows: Row[], keyNumber: number): VaultKey[] {
  const newest = rows.length + 1
  const isNext = keyNumber === newest - 1 && pepperNext !== null && proofOf(pepperNext) === rows.at(-1)!.proof
  if (keyNumber !== newest && !isNext)
    throw new EnvError([
      'PEPPER was changed meanwhile. Set the new one, or PEPPER_NEXT beside this one (docs/operate.md); nothing was changed.',
    ])
  const keys: VaultKey[] = []
  let current = isNext ? pepperNext : pepper
  for (const row of rows.toReversed()) {
    const held = before.parse(JSON.parse(keyAlone(row.number, current).open('vault-key', row.before)))
    keys.unshift({ number: row.number, pepper: current, since: row.since, trail: held.trail })
    current = held.pepper
  }
  return [{ number: 1, pepper: current, since: new Date(0), trail: null }, ...keys]
}

const keyAlone = (number: number, pepper: string): Vault => openKeys([{ number, pepper, since: new Date(0), trail: null }], number)
