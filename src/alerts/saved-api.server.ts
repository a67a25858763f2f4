import { z } from '@hono/zod-openapi'
import { answer, idInPath, call, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import { listSavedIds, saveListing, unsaveListing } from './saved.server.ts'

const path = '/saved-listing/id={id}'
const request = { params: z.object({ id: idInPath() }) }
const done = answer('The change is stored.', z.strictObject({ rows: z.literal(1) }))

/** The calls of the hearts (hearts-script.ts). */
export function addSavedCalls(api: Api): void {
  call(api, 'GET /saved-listings', {
    tags: ['Saved'],
    summary: 'List the saved listings',
    description: 'Returns the ids, most recently saved first, including listings that are no longer on the market.',
    responses: { 200: answer('The ids.', z.strictObject({ ids: z.array(z.int()) })), ...refusals() },
    run: async (c) => sendPersonal(c, { ids: await listSavedIds(c.var.ctx) }),
  })
  call(api, `PUT ${path}`, {
    tags: ['Saved'],
    summary: 'Save a listing',
    description: 'The listing must be on the market. Idempotent.',
    request,
    responses: { 200: done, ...refusals('VALIDATION', 'NOT_FOUND', 'OWN_LISTING', 'SAVED_FULL') },
    run: async (c) => {
      await saveListing(c.var.ctx, c.req.valid('param').id)
      return sendPersonal(c, { rows: 1 as const })
    },
  })
  call(api, `DELETE ${path}`, {
    tags: ['Saved'],
    summary: 'Remove a saved listing',
    description: 'Idempotent.',
    request,
    responses: { 200: done, ...refusals('VALIDATION') },
    run: async (c) => {
      await unsaveListing(c.var.ctx, c.req.valid('param').id)
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}
