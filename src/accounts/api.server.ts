import { z } from '@hono/zod-openapi'
import { answer, call, refusals, sendPersonal, sendPublic, unchanged, type Api } from '#src/kit/http/api.server.ts'
import { addressTypes, userTitles, userTypes } from './reference-data.ts'
import { can } from './policy.ts'

const named = z.strictObject({ id: z.int().openapi({ description: 'Never renumbered; 0 is a real value.' }), name: z.string() })
const titled = z.strictObject({ id: z.int(), title: z.string() })

export function addAccountsCalls(api: Api): void {
  const lookup = <S extends z.ZodType>(path: string, summary: string, description: string, item: S) => ({
    method: 'get' as const,
    path,
    tags: ['Accounts'],
    summary,
    description,
    responses: { 200: answer(summary, z.array(item)), ...unchanged, ...refusals() },
  })

  call(api, {
    ...lookup(
      '/user-type',
      'User types for registration',
      'Ids 0 and 9 are left out unless the caller is an admin: nobody can register with them.',
      named,
    ),
    run: (c) => {
      const { ctx } = c.var
      const seesAll = can(ctx.viewer, 'operate')
      const types = userTypes.filter((type) => seesAll || !type.hidden).map((type) => ({ id: type.id, name: type[ctx.locale] }))
      return ctx.viewer ? sendPersonal(c, types) : sendPublic(c, types)
    },
  })

  call(api, {
    ...lookup('/user-title', 'Titles of people and firms', 'The name is in `title` here, not in `name`.', titled),
    run: (c) =>
      sendPublic(
        c,
        userTitles.map((row) => ({ id: row.id, title: row[c.var.ctx.locale] })),
      ),
  })

  call(api, {
    ...lookup('/address-type', 'Kinds of address', 'For the `type` of an address.', named),
    run: (c) =>
      sendPublic(
        c,
        addressTypes.map((row) => ({ id: row.id, name: row[c.var.ctx.locale] })),
      ),
  })
}
