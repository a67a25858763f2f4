import { z } from '@hono/zod-openapi'
import { answer, idInPath, call, jsonBody, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { parseId } from '#src/kit/ids.ts'
import { Problem, invalidField, renamingFields } from '#src/kit/base/problem.ts'
import { checkListing } from '#src/listings/write/listing-input.ts'
import { listedRef } from '#src/selling/unsent/photo-refs.ts'
import { productChange, typedChange, withWireName, type ProductChange } from '#src/selling/listing/listing-wire.ts'
import { readCaptions } from '../captions.ts'
import { stockField } from '#src/selling/own/quick-edit-schemas.ts'
import { renew } from '#src/selling/own/renew.server.ts'
import { relist, withdraw } from '#src/selling/own/sale.server.ts'
import { editListing, getEditedListing, type ListingChange } from '#src/selling/listing/edit-listing.server.ts'

const params = z.object({ id: idInPath("The listing's id.") })
const states = z.strictObject({ rows: z.literal(1) })

const stepBody = z.strictObject({
  step: z.enum(['renew', 'withdraw', 'relist'], 'field_wrong').openapi({
    description: 'renew: keep it for sale. withdraw: take it off the market. relist: offer it again after it was sold or withdrawn.',
  }),
  stock: stockField.optional().openapi({ type: 'integer', description: 'With relist: the new stock, 1 to 10,000.' }),
})

/** The seller's steps for a listing besides price and stock, as on the page of their listings. */
export function addListingStepCalls(api: Api): void {
  call(api, 'POST /listing-step/id={id}', {
    tags: ['Selling'],
    summary: 'Renew, withdraw or relist a listing',
    description: 'For its seller and admins. A listing that had passed and is relisted unchanged passes again immediately.',
    request: { params, body: jsonBody(stepBody) },
    responses: { 200: answer('The step was taken.', states), ...refusals('VALIDATION', 'NOT_FOUND', 'LISTING_STEP') },
    run: async (c) => {
      const { ctx } = c.var
      const { id } = c.req.valid('param')
      const { step, stock } = c.req.valid('json')
      if (stock !== undefined && step !== 'relist') throw invalidField('stock', 'field_listing_not_asked')
      await (step === 'renew' ? renew(ctx, id) : step === 'withdraw' ? withdraw(ctx, id) : relist(ctx, id, stock))
      return sendPersonal(c, { rows: 1 as const })
    },
  })
  call(api, 'PUT /product/id={id}', {
    tags: ['Selling'],
    summary: 'Update a listing',
    description: [
      'Omitted fields keep their stored value; null or an empty text removes it. `vaccines` replaces the whole',
      'list. A change of the animal itself requires verification again. A new name or description of a passed',
      'listing is public at once, and an admin reviews it. Change pictures with productimages and productimage.',
    ].join(' '),
    request: { params, body: jsonBody(productChange) },
    responses: {
      200: answer('Whether the listing needs verification again.', z.strictObject({ rows: z.literal(1), verified_again: z.boolean() })),
      ...refusals('VALIDATION', 'NOT_FOUND', 'LISTING_STEP', 'VERSION'),
    },
    run: async (c) => {
      const { ctx, market } = c.var
      const { id } = c.req.valid('param')
      const { isChecked } = await editListing(ctx, market.media, id, await changeIn(ctx, id, c.req.valid('json'))).catch(
        renamingFields(withWireName),
      )
      return sendPersonal(c, { rows: 1 as const, verified_again: isChecked })
    },
  })
}

async function changeIn(ctx: Ctx, id: number, body: ProductChange): Promise<ListingChange> {
  const { typed, version, photos } = await getEditedListing(ctx, id)
  const changed = typedChange(typed, body)
  const checked = checkListing(changed, { today: indianDay(ctx.now) })
  const problems = checked.problems.map((problem) => withWireName(problem))
  const pickup = parseId(changed.pickup)
  if (pickup === null) problems.push({ field: 'product.pickup', message: 'field_listing_pickup' })
  if (!checked.facts || pickup === null || problems.length > 0) throw new Problem('VALIDATION', { fields: problems })
  return {
    version: body.version ?? version,
    pickupAddressId: pickup,
    facts: checked.facts,
    isTagGone: body.product_variant?.[0]?.ear_tag === '' || body.product_variant?.[0]?.ear_tag === null,
    photos: photos.map((photo) => listedRef(photo.id)),
    clips: { gone: [], captions: readCaptions(typed).captions },
  }
}
