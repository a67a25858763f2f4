import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestMarket, type TestMarket } from '../testing/test-market.ts'
import { audit, auditHead, findBrokenSeal, sealEvents } from './audit.server.ts'
import type { Ctx } from './context.ts'
import { inTransaction } from './database.server.ts'
import { auditEvents } from './tables.ts'

let market: TestMarket
let ctx: Ctx
beforeAll(async () => {
  market = await openTestMarket()
  ctx = market.ctx
})
afterAll(() => market?.close())

/** As somebody who may do anything to the database: the trigger is put aside. */
async function tamper(change: () => Promise<unknown>) {
  await ctx.db.execute(sql`alter table audit_events disable trigger all`)
  await change()
  await ctx.db.execute(sql`alter table audit_events enable trigger all`)
}
beforeEach(() => tamper(() => ctx.db.execute(sql`truncate audit_events restart identity`)))

async function happen(count: number) {
  for (let n = 1; n <= count; n++) await audit(ctx, 'user_updated', `user:${n}`, { b: n, a: 'ஆம்', c: null, d: true })
  while ((await sealEvents(ctx.db)) > 0);
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
    expect(await findBrokenSeal(ctx.db)).toBeNull()
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
    const refused = await ctx.db.execute(statement).catch((error: { cause?: { message?: string } }) => error.cause?.message)
    expect(refused).toContain('audit events are only added')
    expect(await ctx.db.select().from(auditEvents)).toHaveLength(2)
  })

  test('sealing changes nothing but the seal', async () => {
    await audit(ctx, 'user_updated', 'user:1')
    const refused = await ctx.db
      .execute(sql`update audit_events set seal = '\\x00', position = 1, object = 'user:2'`)
      .catch((error: { cause?: { message?: string } }) => error.cause?.message)
    expect(refused).toContain('audit events are only added')
  })

  test.each<[string, () => Promise<unknown>, number]>([
    ['changed', () => ctx.db.update(auditEvents).set({ object: 'user:9' }).where(eq(auditEvents.position, 7)), 7],
    [
      'backdated',
      () =>
        ctx.db
          .update(auditEvents)
          .set({ at: new Date(0) })
          .where(eq(auditEvents.position, 3)),
      3,
    ],
    ['given to another', () => ctx.db.update(auditEvents).set({ actorId: 5 }).where(eq(auditEvents.position, 12)), 12],
    ['removed', () => ctx.db.delete(auditEvents).where(eq(auditEvents.position, 4)), 4],
    [
      'exchanged with its neighbour',
      () =>
        ctx.db
          .execute(sql`update audit_events set position = -position where position in (5, 6)`)
          .then(() => ctx.db.execute(sql`update audit_events set position = 11 + position where position in (-5, -6)`)),
      5,
    ],
  ])('one row %s by whoever may do anything: the first bad place is named', async (_, change, position) => {
    await happen(20)
    await tamper(change)
    expect(await findBrokenSeal(ctx.db)).toMatchObject({ position })
  })

  test('has all it had when its head was noted: rows cut off its end are missed', async () => {
    await happen(10)
    const head = (await auditHead(ctx.db))!
    expect(head.position).toBe(10)
    await happen(3)
    expect(await findBrokenSeal(ctx.db, head)).toBeNull()
    await tamper(() => ctx.db.execute(sql`delete from audit_events where position > 8`))
    expect(await findBrokenSeal(ctx.db)).toBeNull()
    expect(await findBrokenSeal(ctx.db, head)).toEqual({ position: 9, id: null })
    // Filled up again with others.
    await happen(5)
    expect(await findBrokenSeal(ctx.db)).toBeNull()
    expect(await findBrokenSeal(ctx.db, head)).toMatchObject({ position: 10 })
  })

  test('goes on from the last seal, in any number of goes', async () => {
    await happen(3)
    await happen(4)
    expect(await findBrokenSeal(ctx.db)).toBeNull()
    const rows = await ctx.db.select({ position: auditEvents.position }).from(auditEvents).orderBy(auditEvents.id)
    expect(rows.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })
})
