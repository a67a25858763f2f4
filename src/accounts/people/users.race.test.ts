import { beforeAll, describe, expect, test } from 'vitest'
import { and, eq } from 'drizzle-orm'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { meetingOf } from '#tools/test-kit/signal.ts'
import { testVault } from '#tools/test-kit/test-ctx.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { makeUser } from '../makers.server.ts'
import { users } from '../tables.ts'
import { flagsOf, setActive, setPowers } from './users.server.ts'

const PASSWORD = 'a quiet evening'
const ROUNDS = 12
let market: TestMarket
let passwordHash: string

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  passwordHash = await hashPassword(testVault, PASSWORD)
})

type Unmake = (ctx: Ctx, id: number) => Promise<void>

/** The only two super admins demote each other at the same moment, several times. */
async function demoteEachOther(unmake: Unmake): Promise<{ left: number; codes: string[] }[]> {
  const results = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await market.ctx.db.update(users).set({ ...flagsOf(0), typeId: 1 })
    const two: Viewer[] = []
    for (const name of ['One', 'Two']) two.push(await makeUser(market.ctx, { name, typeId: 9, superAdmin: true, passwordHash }))
    const [one, other] = two as [Viewer, Viewer]
    const ended = await Promise.allSettled([unmake(market.as(one), other.id), unmake(market.as(other), one.id)])
    results.push({
      left: await market.ctx.db.$count(users, and(users.superAdmin, users.isActive, eq(users.typeId, 9))),
      codes: ended.map((end) =>
        end.status === 'fulfilled' ? 'done' : end.reason instanceof Problem ? end.reason.code : String(end.reason),
      ),
    })
  }
  return results
}

describe('two super admins who demote each other at once', () => {
  const ways: [string, Unmake][] = [
    ['demoting', (ctx, id) => setPowers(ctx, id, { typeId: 1, internalType: 0, password: PASSWORD })],
    ['deactivating', (ctx, id) => setActive(ctx, id, { isActive: false, password: PASSWORD })],
  ]
  test.each(ways)('%s: one of them stays, the other is refused', async (_, unmake) => {
    for (const { left, codes } of await demoteEachOther(unmake)) {
      expect(left).toBe(1)
      expect(codes.toSorted()).toEqual(['ROLE_FORBIDDEN', 'done'])
    }
  })

  test('control: checking without the lock leaves the market without a super admin', async () => {
    const meetings = Array.from({ length: ROUNDS }, () => meetingOf(2))
    let calls = 0
    const naive: Unmake = async (ctx, id) => {
      const bothHaveLooked = meetings[Math.floor(calls++ / 2)]!
      const [me] = await ctx.db.select().from(users).where(eq(users.id, ctx.viewer!.id))
      const count = await ctx.db.$count(users, and(users.superAdmin, users.isActive))
      if (!me!.superAdmin || count < 2) throw new Problem('LAST_SUPER_ADMIN')
      await bothHaveLooked()
      await ctx.db
        .update(users)
        .set({ ...flagsOf(0), typeId: 1 })
        .where(eq(users.id, id))
    }
    expect((await demoteEachOther(naive)).some(({ left }) => left === 0)).toBe(true)
  })
})
