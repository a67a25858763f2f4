import { z } from '@hono/zod-openapi'
import { addLookup, answer, call, refusals, sendPersonal, sendPublic, unchanged, type Api } from '#src/kit/http/api.server.ts'
import { addressTypes, userTitles, userTypes } from './reference-data.ts'
import { can } from './policy.ts'

const named = z.strictObject({ id: z.int().openapi({ description: 'Stable. 0 is a valid id.' }), name: z.string() })
const titled = z.strictObject({ id: z.int(), title: z.string() })

export function addAccountsCalls(api: Api): void {
  call(api, 'GET /user-type', {
    tags: ['Accounts'],
    summary: 'List user types',
    description: 'Ids 0 and 9 are listed for admins only, because nobody can register with them.',
    responses: { 200: answer('The user types.', z.array(named)), ...unchanged, ...refusals() },
    run: (c) => {
      const { ctx } = c.var
      const seesAll = can(ctx.viewer, 'operate')
      const types = userTypes.filter((type) => seesAll || !type.hidden).map((type) => ({ id: type.id, name: type[ctx.locale] }))
      return ctx.viewer ? sendPersonal(c, types) : sendPublic(c, types)
    },
  })

  addLookup(api, {
    path: '/user-title',
    tag: 'Accounts',
    summary: 'List titles of people and firms',
    description: 'The name of each title is in the field `title`, not in `name`.',
    item: titled,
    list: (locale) => userTitles.map((row) => ({ id: row.id, title: row[locale] })),
  })

  addLookup(api, {
    path: '/address-type',
    tag: 'Accounts',
    summary: 'List address types',
    description: 'The ids are the values of `type` in an address.',
    item: named,
    list: (locale) => addressTypes.map((row) => ({ id: row.id, name: row[locale] })),
  })
}
