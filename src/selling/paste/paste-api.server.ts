import { z } from '@hono/zod-openapi'
import { answer, call, jsonBody, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import { inLocale } from '#src/kit/http/page-locale.server.ts'
import { fillFromText } from './fill-form.server.ts'
import { pastedText } from './paste-schema.ts'
import { hints } from './understood.ts'

/** Reads a seller's message into the sell form. */
export function addPasteCall(api: Api): void {
  call(api, {
    method: 'post',
    path: '/listing-text',
    tags: ['Selling'],
    summary: 'Read a message into the sell form',
    description: 'Nothing is stored. A field that the message does not state is not in the answer.',
    request: { body: jsonBody(z.strictObject({ text: pastedText })) },
    responses: {
      200: answer(
        'What the message states',
        z.strictObject({
          values: z.record(z.string(), z.string()).openapi({ description: 'Fields of the sell form, as they would be typed.' }),
          words: z.record(z.string(), z.string()).openapi({ description: 'By field the words of the message that state it.' }),
          hint: z.enum(hints).nullable().openapi({
            description: 'Several animals, and the first is read; a wish to buy; a price of several, which is not read.',
          }),
          elsewhere: z.string().nullable().openapi({ description: 'A district without a pickup address of the seller.' }),
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
