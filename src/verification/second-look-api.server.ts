import { z } from '@hono/zod-openapi'
import { answer, idInPath, call, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import { countWaiting, listSecondLooks } from './second-look-list.server.ts'
import { decideSecondLook, SECOND_LOOK_ACTS, secondLookDecision } from './second-looks.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'

const look = z
  .strictObject({
    product: z.int(),
    version: z.int().openapi({ description: 'To be sent back with the decision.' }),
    code: z.string(),
    seller: z.strictObject({ id: z.int(), name: z.string() }),
    name: z.string(),
    description: z.string(),
    name_before: z.string().openapi({ description: 'As it was passed.' }),
    description_before: z.string(),
    changed_date: z.iso.datetime({ precision: 3 }),
  })
  .openapi('SecondLook')

const body = z.strictObject({
  decision: z.enum(SECOND_LOOK_ACTS, 'field_wrong').openapi({
    description: '`pass`: the new words stay; `revert`: those before come back; `fail`: the listing goes off the market.',
  }),
  version: z.int('field_wrong').positive('field_wrong').openapi({ description: 'Of the listing, as it was looked at.' }),
  comment: z.unknown().optional().openapi({ type: 'string', description: 'With `revert` and `fail`: why. The seller reads it.' }),
})

export function addSecondLookCalls(api: Api): void {
  call(api, {
    method: 'get',
    path: '/admin/second-looks',
    tags: ['Admin'],
    summary: 'Passed listings whose words were changed',
    description: 'They stay on the market. The longest waiting first, the first twenty; `waiting` counts all of them.',
    responses: {
      200: answer('What waits for this admin', z.strictObject({ waiting: z.int(), second_looks: z.array(look) })),
      ...refusals(),
    },
    run: async (c) => {
      const { ctx } = c.var
      const looks = await listSecondLooks(ctx)
      const { secondLooks: waiting } = await countWaiting(ctx)
      const shown = looks.map(({ listingId, version, code, seller, before, now, changedAt }) => ({
        product: listingId,
        version,
        code,
        seller,
        ...now,
        name_before: before.name,
        description_before: before.description,
        changed_date: changedAt.toISOString(),
      }))
      return sendPersonal(c, { waiting, second_looks: shown })
    },
  })
  call(api, {
    method: 'put',
    path: '/admin/second-look/id={id}',
    tags: ['Admin'],
    summary: 'Decide about changed words',
    description: 'The seller is notified of a revert and of a fail. VERSION when the listing is no longer what was looked at.',
    request: { params: z.object({ id: idInPath() }), body: { required: true, content: { 'application/json': { schema: body } } } },
    responses: {
      200: answer('Done', z.strictObject({ rows: z.literal(1) })),
      ...refusals('VALIDATION', 'NOT_FOUND', 'OWN_LISTING', 'LISTING_STEP', 'VERSION'),
    },
    run: async (c) => {
      const { decision: act, version, comment } = c.req.valid('json')
      const decision = parseInput(secondLookDecision, { act, version, comment })
      await decideSecondLook(c.var.ctx, c.req.valid('param').id, decision)
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}
