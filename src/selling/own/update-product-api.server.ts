import { z } from '@hono/zod-openapi'
import { can } from '#src/accounts/policy.ts'
import { answer, idInPath, call, refusals, sendPersonal, wholeInPath, type Api } from '#src/kit/http/api.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { Problem, invalidField, renamingFields } from '#src/kit/base/problem.ts'
import { isSeenMark } from '#src/verification/seen-mark.ts'
import { verdict, verifyListing } from '#src/verification/verify-listing.server.ts'
import { MAX_STOCK, quickEditInput } from '#src/selling/own/quick-edit-schemas.ts'
import { quickEdit } from '#src/selling/own/quick-edit.server.ts'
import { markSold } from '#src/selling/own/sale.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'

const yesOrNo = z.enum(['true', 'false'], 'true or false')

const params = z.object({
  id: idInPath(),
  quantity: wholeInPath(/^(0|[1-9]\d{0,4})$/, 'A whole number in plain digits.', { minimum: 0, maximum: MAX_STOCK })
    .refine((n) => n <= MAX_STOCK, `At most ${MAX_STOCK}.`)
    .openapi({ description: 'The new stock. 0 leaves the stock unchanged.' }),
  sold: yesOrNo,
  sale: yesOrNo.openapi({ description: 'With `sold=true`: whether it was sold through Sandhai.' }),
})

const rupees = { type: 'number', description: 'Rupees, at most 4 decimals. Also accepted as a string.' } as const
/** The code below validates the fields that each act needs. */
const body = z.strictObject({
  originalprice: z.unknown().optional().openapi(rupees),
  offerprice: z
    .unknown()
    .optional()
    .openapi({ ...rupees, description: `${rupees.description} Empty, null or 0 for no offer.` }),
  weight: z.unknown().optional().openapi({ type: 'number', description: 'Kilograms of one, at most 2 decimals. 0: not weighed.' }),
  is_verified: z.unknown().optional().openapi({ type: 'boolean', description: 'For admins: true to pass, false to fail.' }),
  comment: z.unknown().optional().openapi({ type: 'string', description: 'For admins, with is_verified: the reason.' }),
  seen: z.string().max(30).refine(isSeenMark, 'As the queue gave it.').optional().openapi({
    description: '`seen` from the verification queue. VERSION is returned if the listing was changed or decided since.',
  }),
})
type Body = z.infer<typeof body>
type Params = z.infer<typeof params>

/** Our field names to the client's. */
const wireNames: Record<string, string> = {
  stock: 'quantity',
  originalPrice: 'originalprice',
  offerPrice: 'offerprice',
  weightKg: 'weight',
  passed: 'is_verified',
}

const withWireNames = renamingFields(({ field, message }) => ({ field: wireNames[field] ?? field, message }))

/** Rows 27 to 29 of api.md: three acts share one path, as in the old client. */
export function addUpdateProductCalls(api: Api): void {
  call(api, 'PUT /update-product/id={id}&quantity={quantity}&sold={sold}&issandhaisale={sale}', {
    tags: ['Selling'],
    summary: 'Update, verify or mark a listing as sold',
    description: [
      'Three acts share this path. `quantity` of at least 1 with `originalprice`, `offerprice` and `weight`: the seller or an',
      'admin updates them; a weight that differs by more than 10 % requires verification again. `quantity=0` with `is_verified` and',
      '`comment`: an admin passes or fails the listing; the stock is unchanged. `quantity=0&sold=true` without a body:',
      'the seller marks it as sold. The four keys are required once each, in any order; the last may be any `is…sale`.',
    ].join(' '),
    request: { params, body: { required: false, content: { 'application/json': { schema: body } } } },
    responses: {
      200: answer('The change is stored.', z.strictObject({ rows: z.literal(1) })),
      ...refusals('VALIDATION', 'ROLE_FORBIDDEN', 'NOT_FOUND', 'OWN_LISTING', 'LISTING_STEP', 'VERSION'),
    },
    spellings: { sale: /^is[A-Za-z0-9]*sale=/ },
    run: async (c) => {
      await act(c.var.ctx, c.req.valid('param'), c.req.valid('json'))
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}

async function act(ctx: Ctx, { id, quantity, sold, sale }: Params, body: Body): Promise<void> {
  // Only an admin gives a verdict, whatever else the body contains.
  if ('is_verified' in body && !can(ctx.viewer, 'operate')) throw new Problem('ROLE_FORBIDDEN')
  if (sold === 'true') {
    only(body, [])
    if (quantity !== 0) throw invalidField('quantity', 'Write quantity=0 with sold=true.')
    return markSold(ctx, id, sale === 'true')
  }
  if (sale === 'true') throw invalidField('sold', 'Sold through Sandhai, but not sold?')
  if (quantity === 0) {
    only(body, ['is_verified', 'comment', 'seen'])
    const { passed, comment } = parseInput(verdict, { passed: body.is_verified, comment: body.comment }, wireNames)
    return verifyListing(ctx, id, { passed, comment, seen: body.seen })
  }
  only(body, ['originalprice', 'offerprice', 'weight'])
  const { originalprice, offerprice, weight } = body
  const typed = { stock: quantity, originalPrice: originalprice, offerPrice: offerprice, weightKg: weight }
  await quickEdit(ctx, id, parseInput(quickEditInput, typed, wireNames)).catch(withWireNames)
}

function only(body: Body, keys: string[]): void {
  const extra = Object.keys(body).filter((key) => !keys.includes(key))
  if (extra.length > 0) throw new Problem('VALIDATION', { fields: extra.map((field) => ({ field, message: 'Not part of this act.' })) })
}
