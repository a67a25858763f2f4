import { z } from '@hono/zod-openapi'
import type { Ctx } from '#src/kit/context.ts'
import { answer, call, pack, refusals, sendParcel, unchanged, type Api, type Parcel } from '#src/kit/http/api.server.ts'
import { listDeliverablePincodes } from './addresses.server.ts'

const deliverable = z.strictObject({ pincode: z.string().openapi({ example: '638701' }), isdeliverable: z.boolean() })

/** The list is the same for every caller and changes only when an admin turns a code on or off, so it is cached this long. */
const CACHE_MS = 5000

export function addDeliverablePincodes(api: Api): void {
  const parcelOf = cachedFor(CACHE_MS, packPincodes)
  call(api, 'GET /deliverable-pincodes', {
    tags: ['Accounts'],
    summary: 'List PIN codes with their deliverability',
    description: [
      'Returns about 19,400 rows (800 KB, or 60 KB compressed); send If-None-Match. A code that is not listed does not',
      `exist. A change appears within ${CACHE_MS / 1000} seconds. An order requires deliverable codes of both the animal and the buyer.`,
    ].join(' '),
    responses: { 200: answer('The PIN codes.', z.array(deliverable)), ...unchanged, ...refusals() },
    run: async (c) => sendParcel<z.infer<typeof deliverable>[]>(c, await parcelOf(c.var.ctx)),
  })
}

async function packPincodes(ctx: Ctx): Promise<Parcel> {
  const rows = await listDeliverablePincodes(ctx)
  return pack(rows.map(({ pincode, isDeliverable }) => ({ pincode, isdeliverable: isDeliverable })))
}

/** Caches the last answer; concurrent callers share one promise. Failures are not cached. */
function cachedFor<T>(milliseconds: number, make: (ctx: Ctx) => Promise<T>): (ctx: Ctx) => Promise<T> {
  let cached: { made: Promise<T>; until: number } | undefined
  return (ctx) => {
    const now = ctx.now.getTime()
    if (cached && now < cached.until) return cached.made
    const made = make(ctx)
    cached = { made, until: now + milliseconds }
    made.catch(() => {
      if (cached?.made === made) cached = undefined
    })
    return made
  }
}
