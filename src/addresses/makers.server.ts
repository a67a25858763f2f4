import type { Ctx } from '#src/kit/context.ts'
import { addresses } from './tables.ts'

export async function makeAddress(ctx: Ctx, userId: number, overrides: Partial<typeof addresses.$inferInsert> = {}): Promise<number> {
  const [address] = await ctx.db
    .insert(addresses)
    .values({
      userId,
      name: 'Farm',
      phone: '+919000000000',
      typeId: 2,
      address1: '1 Sample Farm',
      address2: 'Main Road',
      pincode: '638701',
      ...overrides,
    })
    .returning({ id: addresses.id })
  return address!.id
}
