import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestMarket, type TestMarket } from '#src/testing/test-market.ts'
import { audit, auditHead, findBrokenSeal, sealEvents } from './audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { canRewriteAudit } from './database-roles.server.ts'
import { inTransaction, type Db } from './database.server.ts'
import { auditEvents } from './tables.ts'
import { openVault } from '#src/kit/vault.server.ts'

let market: TestMarket
let ctx: Ctx
beforeAll(async () => {
  market = await openTestMarket()
  ctx = market.ctx
})
afterAll(() => market?.close())

/** As somebody who may do anything to the database: the trigger is put aside. */
async function tamper(change: (db: Db) => Promise<unknown>) {
  await market.owner.execute(sql`alter table audit_events disable trigger all`)
  await change(market.owner)
  await market.owner.execute(sql`alter table audit_events enable trigger all`)
}
beforeEach(() => tamper((db) => db.execute(sql`truncate audit_events restart identity`)))
const broken = (head?: { position: number; seal: string }) => findBrokenSeal(ctx.db, ctx.vault, head)

async function happen(count: number) {
  for (let n = 1; n <= count; n++) await audit(ctx, 'user_updated', `user:${n}`, { b: n, a: 'ஆம்', c: null, d: true })
  while ((await sealEvents(ctx.db, ctx.vault)) > 0);
}

describe('the audit trail', () => {
  test('is whole when nobody touched it', async () => {
    await happen(20)
    expect(
      await ctx.db
        .select()
        .from(auditEvents)
        .where(sql`seal is null`),
    ).toEqual([])
    expect(await broken()).toBeNull()
  })

  test('has no row of an act that did not happen', async () => {
    const undone = inTransaction(ctx, async (ctx) => {
      await audit(ctx, 'user_updated', 'user:1')
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await ctx.db.select().from(auditEvents)).toEqual([])
  })

  test.each([
    ['changed', sql`update audit_events set event = 'nothing'`],
    ['changed in its details', sql`update audit_events set details = '{}'`],
    ['sealed anew', sql`update audit_events set seal = '\\x00'`],
    ['deleted', sql`delete from audit_events`],
    ['emptied', sql`truncate audit_events`],
  ])('cannot be %s, not even once sealed', async (_, statement) => {
    await happen(2)
    const refused = await market.owner.execute(statement).catch((error: { cause?: { message?: string } }) => error.cause?.message)
    expect(refused).toContain('audit events are only added')
    expect(await ctx.db.select().from(auditEvents)).toHaveLength(2)
  })

  test.runIf(process.env.TEST_DATABASE === 'postgres').each([
    ['changed', sql`update audit_events set event = 'nothing'`],
    ['deleted', sql`delete from audit_events`],
    ['emptied', sql`truncate audit_events`],
    ['freed of its trigger', sql`alter table audit_events disable trigger all`],
  ])('cannot be %s by the role of the site, which can only add to it', async (_, statement) => {
    await happen(2)
    await expect(ctx.db.execute(statement)).rejects.toMatchObject({ cause: { code: '42501' } })
    // Granting oneself what one has not is a warning without effect.
    await ctx.db.execute(sql`grant delete on audit_events to current_user`)
    expect(await canRewriteAudit(ctx.db)).toBe(false)
    expect(await canRewriteAudit(market.owner)).toBe(true)
    expect(await ctx.db.select({ event: auditEvents.event }).from(auditEvents)).toEqual([
      { event: 'user_updated' },
      { event: 'user_updated' },
    ])
  })

  test('sealing changes nothing but the seal', async () => {
    await audit(ctx, 'user_updated', 'user:1')
    const refused = await market.owner
      .execute(sql`update audit_events set seal = '\\x00', position = 1, object = 'user:2'`)
      .catch((error: { cause?: { message?: string } }) => error.cause?.message)
    expect(refused).toContain('audit events are only added')
  })

  test.each<[string, (db: Db) => Promise<unknown>, number]>([
    ['changed', (db) => db.update(auditEvents).set({ object: 'user:9' }).where(eq(auditEvents.position, 7)), 7],
    [
      'backdated',
      (db) =>
        db
          .update(auditEvents)
          .set({ at: new Date(0) })
          .where(eq(auditEvents.position, 3)),
      3,
    ],
    ['given to another', (db) => db.update(auditEvents).set({ actorId: 5 }).where(eq(auditEvents.position, 12)), 12],
    ['removed', (db) => db.delete(auditEvents).where(eq(auditEvents.position, 4)), 4],
    [
      'exchanged with its neighbour',
      (db) =>
        db
          .execute(sql`update audit_events set position = -position where position in (5, 6)`)
          .then(() => db.execute(sql`update audit_events set position = 11 + position where position in (-5, -6)`)),
      5,
    ],
  ])('one row %s by whoever may do anything: the first bad place is named', async (_, change, position) => {
    await happen(20)
    await tamper(change)
    expect(await broken()).toMatchObject({ position })
  })

  test('has all it had when its head was noted: rows cut off its end are missed', async () => {
    await happen(10)
    const head = (await auditHead(ctx.db))!
    expect(head.position).toBe(10)
    await happen(3)
    expect(await broken(head)).toBeNull()
    await tamper((db) => db.execute(sql`delete from audit_events where position > 8`))
    expect(await broken()).toBeNull()
    expect(await broken(head)).toEqual({ position: 9, id: null })
    // Filled up again with others.
    await happen(5)
    expect(await broken()).toBeNull()
    expect(await broken(head)).toMatchObject({ position: 10 })
  })

  test('is broken for whoever has the key, also when plain hashes or seals of another key were made anew after the change', async () => {
    await happen(6)
    await tamper(async (db) => {
      await db.update(auditEvents).set({ object: 'user:9' }).where(eq(auditEvents.position, 3))
      await db.execute(sql`update audit_events set position = null, seal = null`)
    })
    // The attacker has the program and the database, and another key.
    while ((await sealEvents(ctx.db, openVault('x'.repeat(32)))) > 0);
    expect(await findBrokenSeal(ctx.db, openVault('x'.repeat(32)))).toBeNull()
    expect(await broken()).toMatchObject({ position: 1 })
    // And with plain hashes, as they were before seals had a key.
    await tamper(async (db) => {
      let previous: Buffer = Buffer.alloc(32)
      for (const event of await db.select().from(auditEvents).orderBy(auditEvents.position)) {
        previous = createHash('sha256').update(previous).update(JSON.stringify(event)).digest()
        await db.update(auditEvents).set({ seal: previous }).where(eq(auditEvents.id, event.id))
      }
    })
    expect(await broken()).toMatchObject({ position: 1 })
  })

  test('goes on from the last seal, in any number of goes', async () => {
    await happen(3)
    await happen(4)
    expect(await broken()).toBeNull()
    const rows = await ctx.db.select({ position: auditEvents.position }).from(auditEvents).orderBy(auditEvents.id)
    expect(rows.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })
})
