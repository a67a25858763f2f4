import { z } from '@hono/zod-openapi'
import { answer, call, jsonBody, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import { inLocale } from '#src/kit/http/page-locale.server.ts'
import { fillFromText } from './fill-form.server.ts'
import { pastedText } from './paste-schema.ts'
import { hints } from './understood.ts'

/** Reads a seller's message into the sell form. */
export function addPasteCall(api: Api): void {
  call(api, 'POST /listing-text', {
    tags: ['Selling'],
    summary: 'Read a message into fields of the sell form',
    description: 'Nothing is stored. Fields that the message does not state are omitted from the response.',
    request: { body: jsonBody(z.strictObject({ text: pastedText })) },
    responses: {
      200: answer(
        'The fields that the message states.',
        z.strictObject({
          values: z.record(z.string(), z.string()).openapi({ description: 'The values by field of the sell form.' }),
          words: z.record(z.string(), z.string()).openapi({ description: 'The words of the message by field.' }),
          hint: z.enum(hints).nullable().openapi({
            description: 'several: only the first animal was read. wanted: the author wants to buy. lot: a price of several was not read.',
          }),
          elsewhere: z.string().nullable().openapi({ description: 'A named district in which the seller has no pickup address.' }),
        }),
      ),
      ...refusals('VALIDATION'),
    },
    run: async (c) => {
      const { ctx } = c.var
      return sendPersonal(c, await inLocale(ctx.locale, () => fillFromText(ctx, c.req.valid('json').text)))
    },
  })
}
