import { z } from '@hono/zod-openapi'
import { answer, idInPath, call, jsonBody, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import { countWaiting, listSecondLooks } from './second-look-list.server.ts'
import { decideSecondLook, SECOND_LOOK_ACTS, secondLookDecision } from './second-looks.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'

const look = z
  .strictObject({
    product: z.int(),
    version: z.int().openapi({ description: 'The `version` to send with the decision.' }),
    code: z.string(),
    seller: z.strictObject({ id: z.int(), name: z.string() }),
    name: z.string(),
    description: z.string(),
    name_before: z.string().openapi({ description: 'The name that was passed.' }),
    description_before: z.string(),
    changed_date: z.iso.datetime({ precision: 3 }),
  })
  .openapi('SecondLook')

const body = z.strictObject({
  decision: z.enum(SECOND_LOOK_ACTS, 'field_wrong').openapi({
    description: '`pass`: keep the new words. `revert`: restore the previous words. `fail`: take the listing off the market.',
  }),
  version: z.int('field_wrong').positive('field_wrong').openapi({ description: 'The version from the list.' }),
  comment: z
    .unknown()
    .optional()
    .openapi({ type: 'string', description: 'The reason, for the seller. Required with `revert` and `fail`.' }),
})

export function addSecondLookCalls(api: Api): void {
  call(api, 'GET /admin/second-looks', {
    tags: ['Admin'],
    summary: 'List passed listings with changed words',
    description: 'Returns the first 20, longest waiting first; `waiting` counts all. The listings stay on the market.',
    responses: {
      200: answer('The listings for this admin.', z.strictObject({ waiting: z.int(), second_looks: z.array(look) })),
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
  call(api, 'PUT /admin/second-look/id={id}', {
    tags: ['Admin'],
    summary: 'Decide on changed words',
    description: 'The seller is notified of `revert` and `fail`. VERSION is returned if the listing has changed since.',
    request: { params: z.object({ id: idInPath() }), body: jsonBody(body) },
    responses: {
      200: answer('The decision is stored.', z.strictObject({ rows: z.literal(1) })),
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
