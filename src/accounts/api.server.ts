import { createRoute, z } from '@hono/zod-openapi'
import {
  answer,
  legacy,
  pack,
  refusals,
  sendParcel,
  sendPersonal,
  sendPublic,
  unchanged,
  type Api,
  type Parcel,
} from '#src/kit/http/api.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { listDeliverablePincodes } from './queries.server.ts'
import { addressTypes, userTitles, userTypes } from './reference-data.ts'
import { can } from './policy.ts'

const named = z.strictObject({ id: z.int().openapi({ description: 'Never renumbered; 0 is a real value.' }), name: z.string() })
const titled = z.strictObject({ id: z.int(), title: z.string() })
const deliverable = z.strictObject({ pincode: z.string().openapi({ example: '638701' }), isdeliverable: z.boolean() })

/** The list is the same for every caller and changes only when an admin turns a code on or off, so it is cached this long. */
const PINCODES_KEPT_MS = 5000

export function addAccountsCalls(api: Api): void {
  const lookup = <S extends z.ZodType>(path: string, summary: string, description: string, item: S) =>
    createRoute({
      method: 'get',
      path,
      tags: ['Accounts'],
      summary,
      description,
      responses: { 200: answer(summary, z.array(item)), ...unchanged, ...refusals() },
    })

  legacy(
    api,
    lookup(
      '/user-type',
      'User types for registration',
      'Ids 0 and 9 are left out unless the caller is an admin: nobody can register with them.',
      named,
    ),
    (c) => {
      const { ctx } = c.var
      const seesAll = can(ctx.viewer, 'operate')
      const types = userTypes.filter((type) => seesAll || !type.hidden).map((type) => ({ id: type.id, name: type[ctx.locale] }))
      return ctx.viewer ? sendPersonal(c, types) : sendPublic(c, types)
    },
  )

  legacy(api, lookup('/user-title', 'Titles of people and firms', 'The name is in `title` here, not in `name`.', titled), (c) =>
    sendPublic(
      c,
      userTitles.map((row) => ({ id: row.id, title: row[c.var.ctx.locale] })),
    ),
  )

  legacy(api, lookup('/address-type', 'Kinds of address', 'For the `type` of an address.', named), (c) =>
    sendPublic(
      c,
      addressTypes.map((row) => ({ id: row.id, name: row[c.var.ctx.locale] })),
    ),
  )

  const pincodes = keepFor(PINCODES_KEPT_MS, packPincodes)
  legacy(
    api,
    lookup(
      '/deliverable-pincodes',
      'Every PIN code and whether we deliver there',
      [
        'About 19,400 rows (800 KB, 60 KB compressed): ask with If-None-Match. A code that is missing does not exist.',
        `A change is seen within ${PINCODES_KEPT_MS / 1000} seconds. Both the animal's and the buyer's code must be deliverable.`,
      ].join(' '),
      deliverable,
    ),
    async (c) => sendParcel<z.infer<typeof deliverable>[]>(c, await pincodes(c.var.ctx)),
  )
}

async function packPincodes(ctx: Ctx): Promise<Parcel> {
  const rows = await listDeliverablePincodes(ctx)
  return pack(rows.map(({ pincode, isDeliverable }) => ({ pincode, isdeliverable: isDeliverable })))
}

/** Caches the last answer; concurrent callers share one promise. Failures are not cached. */
function keepFor<T>(milliseconds: number, make: (ctx: Ctx) => Promise<T>): (ctx: Ctx) => Promise<T> {
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
