import { redirect } from 'react-router'
import { z } from 'zod'
import { phoneNumber } from '#src/accounts/schemas.ts'
import { asInternalProblem, formLoader, pageAction, textOf, secretUrlHeaders } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { ID_PATTERN } from '#src/kit/ids.ts'
import { Problem, invalidField } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { answerAsOwner, REASONS, sendCode } from './consents.server.ts'
import { listOwnerListings } from './owner-listings.server.ts'
import { OwnerView } from './owner-view.tsx'
import { findOwnerByCode, readCode } from './owners.server.ts'
import type { Route } from './+types/owner-page'

const DONE = ['agree', 'refuse', 'pull', 'sent'] as const

/**
 * For an owner whose animal an agent has listed, behind the code of an SMS, without login: listings, prices and the agent's fee. Without a
 * valid code it asks for the code or the phone number.
 */
export const loader = formLoader(
  async (ctx, { params: { code }, url, site }) => {
    const done = DONE.find((each) => each === url.searchParams.get('done')) ?? null
    const shared = { locale: ctx.locale, origin: ctx.publicOrigin, phone: site.contact.phone, done }
    const owner = code === undefined ? null : await findOwnerByCode(ctx, code)
    return { ...shared, isWrong: code !== undefined && !owner, listings: owner && (await listOwnerListings(ctx, site.media, owner)) }
  },
  ({ isWrong }) => (isWrong ? 404 : 200),
)

const answerInput = z.object({
  id: z.string().regex(ID_PATTERN).transform(Number),
  round: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
  reason: z.enum(REASONS).optional(),
})

export const action = pageAction('owner', async (ctx, { params: { code: given = '' }, form }): Promise<never> => {
  const redirectTo = (path: string) => redirect(localized(`/owner${path}`, ctx.locale))
  const act = textOf(form, 'act')
  if (act === 'open') {
    const code = readCode(textOf(form, 'code'))
    if (!code || !(await findOwnerByCode(ctx, code))) throw invalidField('code', 'field_owner_code')
    throw redirectTo(`/${code}`)
  }
  if (act === 'send') {
    const { phone } = parseInput(z.object({ phone: phoneNumber }), { phone: textOf(form, 'phone') })
    await asInternalProblem(ctx, 'a code could not be sent to an owner', () => sendCode(ctx, phone))
    throw redirectTo('?done=sent')
  }
  const answer = (['agree', 'refuse', 'pull'] as const).find((each) => each === act)
  const owner = await findOwnerByCode(ctx, given)
  if (!answer) throw new Problem('MALFORMED')
  if (!owner) throw new Problem('NOT_FOUND')
  const { id, ...reply } = parseInput(answerInput, {
    id: textOf(form, 'id'),
    round: textOf(form, 'round'),
    reason: textOf(form, 'reason') || undefined,
  })
  const isForGood = textOf(form, 'forGood') === '1'
  await asInternalProblem(ctx, 'an owner could not answer', () => answerAsOwner(ctx, owner, { listingId: id, answer, isForGood, ...reply }))
  throw redirectTo(`/${given}?done=${answer}`)
})

/** The address is a secret: send no referrer and store nothing of the page. */
export const headers = secretUrlHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, path: '/owner', title: m.owner_title(), description: m.owner_lead() }) : []

export default function OwnerPage({ loaderData, actionData }: Route.ComponentProps) {
  return <OwnerView page={loaderData} refused={actionData?.refused} />
}

export type OwnerData = Route.ComponentProps['loaderData']
