import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { pino } from 'pino'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { audit, auditHead, findBrokenSeal, sealEvents, startSealing } from './audit.server.ts'
import type { Ctx } from '../context.ts'
import { canRewriteAudit } from '#src/kit/db/database-roles.server.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import { auditEvents } from '#src/kit/db/tables.ts'
import { openVault } from '../vault.server.ts'

let market: TestMarket
let ctx: Ctx
shareMarket((opened) => (market = opened))
beforeAll(() => {
  ctx = market.ctx
})

/** Acts as an attacker with all database rights: disables the triggers first. */
async function tamper(change: (db: Db) => Promise<unknown>) {
  await market.owner.execute(sql`alter table audit_events disable trigger all`)
  await change(market.owner)
  await market.owner.execute(sql`alter table audit_events enable trigger all`)
}
beforeEach(() => tamper((db) => db.execute(sql`truncate audit_events restart identity`)))
const broken = (...heads: { position: number; seal: string }[]) => findBrokenSeal(ctx.db, ctx.vault, heads)

async function happen(count: number) {
  for (let n = 1; n <= count; n++) await audit(ctx, 'user_updated', `user:${n}`, { b: n, a: 'ஆம்', c: null, d: true })
  while ((await sealEvents(ctx.db, ctx.vault)) > 0);
}

describe('the audit trail', () => {
  test('reports no broken seal when nobody changed a row', async () => {
    await happen(20)
    expect(
      await ctx.db
        .select()
        .from(auditEvents)
        .where(sql`seal is null`),
    ).toEqual([])
    expect(await broken()).toBeNull()
  })

  test('has its end in the log at once, which reveals that the last event was deleted', async () => {
    const heads: { event: string; position: number; seal: string }[] = []
    const log = pino({ base: null }, { write: (line: string) => void heads.push(JSON.parse(line) as (typeof heads)[number]) })
    const sealing = startSealing({ db: ctx.db, log, vault: ctx.vault })
    await audit(ctx, 'user_updated', 'user:1')
    await audit(ctx, 'user_updated', 'user:2')
    await vi.waitFor(() => expect(heads.map(({ event, position }) => [event, position])).toEqual([['audit_head', 2]]), 600_000)
    await sealing.stop()
    await tamper((db) => db.execute(sql`delete from audit_events where position = 2`))
    expect(await broken()).toBeNull()
    expect(await broken(heads[0]!)).toEqual({ position: 2, id: null })
  })

  test('holds no row of a rolled-back transaction', async () => {
    const undone = inTransaction(ctx, async (ctx) => {
      await audit(ctx, 'user_updated', 'user:1')
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await ctx.db.select().from(auditEvents)).toEqual([])
  })

  test.each([
    ['change an event', sql`update audit_events set event = 'nothing'`],
    ['change the details of an event', sql`update audit_events set details = '{}'`],
    ['replace a seal', sql`update audit_events set seal = '\\x00'`],
    ['delete an event', sql`delete from audit_events`],
    ['truncate the table', sql`truncate audit_events`],
  ])('refuses to let the owner %s, even before the seal', async (_, statement) => {
    await happen(2)
    const refused = await market.owner.execute(statement).catch((error: { cause?: { message?: string } }) => error.cause?.message)
    expect(refused).toContain('audit events are only added')
    expect(await ctx.db.select().from(auditEvents)).toHaveLength(2)
  })

  test.runIf(process.env.TEST_DATABASE === 'postgres').each([
    ['change an event', sql`update audit_events set event = 'nothing'`],
    ['delete an event', sql`delete from audit_events`],
    ['truncate the table', sql`truncate audit_events`],
    ['disable the triggers', sql`alter table audit_events disable trigger all`],
  ])("refuses to let the site's role %s", async (_, statement) => {
    await happen(2)
    await expect(ctx.db.execute(statement)).rejects.toMatchObject({ cause: { code: '42501' } })
    // PostgreSQL answers a grant of a right that one does not have with a warning only.
    await ctx.db.execute(sql`grant delete on audit_events to current_user`)
    expect(await canRewriteAudit(ctx.db)).toBe(false)
    expect(await canRewriteAudit(market.owner)).toBe(true)
    expect(await ctx.db.select({ event: auditEvents.event }).from(auditEvents)).toEqual([
      { event: 'user_updated' },
      { event: 'user_updated' },
    ])
  })

  test('accepts an update of the seal columns only', async () => {
    await audit(ctx, 'user_updated', 'user:1')
    const refused = await market.owner
      .execute(sql`update audit_events set seal = '\\x00', position = 1, object = 'user:2'`)
      .catch((error: { cause?: { message?: string } }) => error.cause?.message)
    expect(refused).toContain('audit events are only added')
  })

  test.each<[string, (db: Db) => Promise<unknown>, number]>([
    ['changed a row', (db) => db.update(auditEvents).set({ object: 'user:9' }).where(eq(auditEvents.position, 7)), 7],
    [
      'backdated a row',
      (db) =>
        db
          .update(auditEvents)
          .set({ at: new Date(0) })
          .where(eq(auditEvents.position, 3)),
      3,
    ],
    ['changed the actor of a row', (db) => db.update(auditEvents).set({ actorId: 5 }).where(eq(auditEvents.position, 12)), 12],
    ['removed a row', (db) => db.delete(auditEvents).where(eq(auditEvents.position, 4)), 4],
    [
      'swapped two rows',
      (db) =>
        db
          .execute(sql`update audit_events set position = -position where position in (5, 6)`)
          .then(() => db.execute(sql`update audit_events set position = 11 + position where position in (-5, -6)`)),
      5,
    ],
  ])('findBrokenSeal names the first bad position after the owner has %s', async (_, change, position) => {
    await happen(20)
    await tamper(change)
    expect(await broken()).toMatchObject({ position })
  })

  test('a head noted in the log reveals rows that were cut off the end later', async () => {
    await happen(10)
    const head = (await auditHead(ctx.db))!
    expect(head.position).toBe(10)
    await happen(3)
    expect(await broken(head)).toBeNull()
    await tamper((db) => db.execute(sql`delete from audit_events where position > 8`))
    expect(await broken()).toBeNull()
    expect(await broken(head)).toEqual({ position: 9, id: null })
    // New rows take the place of the deleted ones.
    await happen(5)
    expect(await broken()).toBeNull()
    expect(await broken(head)).toMatchObject({ position: 10 })
    // The newest head is of the new rows: only the earlier one shows what happened.
    const newest = (await auditHead(ctx.db))!
    expect(await broken(newest)).toBeNull()
    expect(await broken(head, newest)).toMatchObject({ position: 10 })
  })

  test('fails the check with the real key when an attacker recomputes all seals with another key or with plain hashes', async () => {
    await happen(6)
    await tamper(async (db) => {
      await db.update(auditEvents).set({ object: 'user:9' }).where(eq(auditEvents.position, 3))
      await db.execute(sql`update audit_events set position = null, seal = null`)
    })
    // The attacker has the program and the database, but another key.
    while ((await sealEvents(ctx.db, openVault('x'.repeat(32)))) > 0);
    expect(await findBrokenSeal(ctx.db, openVault('x'.repeat(32)))).toBeNull()
    expect(await broken()).toMatchObject({ position: 1 })
    // Plain hashes: the seals of an early release, which had no key.
    await tamper(async (db) => {
      let previous: Buffer = Buffer.alloc(32)
      for (const event of await db.select().from(auditEvents).orderBy(auditEvents.position)) {
        previous = createHash('sha256').update(previous).update(JSON.stringify(event)).digest()
        await db.update(auditEvents).set({ seal: previous }).where(eq(auditEvents.id, event.id))
      }
    })
    expect(await broken()).toMatchObject({ position: 1 })
  })

  test('continues after the last seal, however many batches it takes', async () => {
    await happen(3)
    await happen(4)
    expect(await broken()).toBeNull()
    const rows = await ctx.db.select({ position: auditEvents.position }).from(auditEvents).orderBy(auditEvents.id)
    expect(rows.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })
})
