import { z } from '@hono/zod-openapi'
import { answer, call, jsonBody, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import { milkingClipOnWire, milkingClipSchema } from '#src/listings/clips/clip-wire.server.ts'
import { MILKING_TIMES } from '#src/listings/proofs/proof-rules.ts'
import { decideProof, PROOF_ACTS, proofDecision } from './decide-proof.server.ts'
import { listWaitingProofs } from './waiting-proofs.server.ts'

const proof = z
  .strictObject({
    key: z.string().openapi({ description: 'The key of the clip, for the decision.' }),
    product: z.int(),
    revision: z.int().openapi({ description: 'The `revision` to send with the decision.' }),
    code: z.string(),
    name: z.string(),
    seller: z.strictObject({ id: z.int(), name: z.string() }),
    sent_date: z.iso.datetime({ precision: 3 }),
    milking: z.strictObject({ milked_on: z.iso.date(), time: z.enum(MILKING_TIMES), litres: z.number(), clip: milkingClipSchema }),
  })
  .openapi('WaitingProof')

const body = z.strictObject({
  decision: z
    .enum(PROOF_ACTS, 'field_wrong')
    .openapi({ description: '`seen`: make it public. `refuse`: it does not show the stated milking.' }),
  revision: proofDecision.shape.revision,
})

export function addProofDeskCalls(api: Api): void {
  addWaiting(api)
  addDecision(api)
}

function addWaiting(api: Api): void {
  call(api, 'GET /admin/proofs', {
    tags: ['Admin'],
    summary: 'List milking clips that await a decision',
    description: 'Returns the first 20, longest waiting first. Until the decision, only the seller and admins see a clip.',
    responses: { 200: answer('The clips for this admin.', z.array(proof)), ...refusals() },
    run: async (c) => {
      const waiting = await listWaitingProofs(c.var.ctx)
      return sendPersonal(
        c,
        waiting.map(({ key, listingId, revision, code, name, seller, since, milking }) => ({
          key,
          product: listingId,
          revision,
          code,
          name,
          seller,
          sent_date: since.toISOString(),
          milking: {
            milked_on: milking.on,
            time: milking.time,
            litres: milking.litres,
            clip: milkingClipOnWire(milking.clip),
          },
        })),
      )
    },
  })
}

function addDecision(api: Api): void {
  call(api, 'PUT /admin/proof/key={proofKey}', {
    tags: ['Admin'],
    summary: 'Decide on a milking clip',
    description: 'VERSION is returned if the description of the animal has changed since.',
    request: {
      params: z.object({
        proofKey: z
          .string()
          .regex(/^[a-z0-9]{20}$/, 'field_wrong')
          .openapi({ param: { required: true, description: 'The key from the list.' } }),
      }),
      body: jsonBody(body),
    },
    responses: {
      200: answer('The decision is stored.', z.strictObject({ rows: z.literal(1) })),
      ...refusals('VALIDATION', 'NOT_FOUND', 'OWN_LISTING', 'VERSION'),
    },
    run: async (c) => {
      const { decision: act, revision } = c.req.valid('json')
      await decideProof(c.var.ctx, c.req.valid('param').proofKey, { act, revision })
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}
