import { redirect } from 'react-router'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formatDay, formatDaysAgo } from '#src/kit/time-money/dates.ts'
import { milkingClipOnWire } from '#src/listings/clips/clip-wire.server.ts'
import { wordText } from '#src/listings/proofs/day-words.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { decideProof, PROOF_ACTS, proofDecision } from './decide-proof.server.ts'
import { ProofsView } from './proofs-view.tsx'
import { listWaitingProofs } from './waiting-proofs.server.ts'
import type { Route } from './+types/proofs-page'

/** Clips of milkings and photos of the day, each beside the seller's statement. */
export const loader = formLoader(async (ctx, { url }) => {
  const { locale } = ctx
  const proofs = await listWaitingProofs(ctx)
  return {
    proofs: proofs.map(({ milking, photo, since, ...proof }) => ({
      ...proof,
      since: formatDaysAgo(since, ctx.now, locale),
      milking: milking && { ...milking, day: formatDay(new Date(milking.on), locale), clip: milkingClipOnWire(milking.clip) },
      photo: photo && {
        ...photo.photo,
        day: formatDay(new Date(photo.day), locale),
        words: [wordText(photo, 'ta'), wordText(photo, 'en')],
      },
    })),
    done: PROOF_ACTS.find((each) => each === url.searchParams.get('done')) ?? null,
    locale,
    origin: ctx.publicOrigin,
  }
})

export const action = pageAction('proof-desk', async (ctx, { form }): Promise<never> => {
  const decision = parseInput(proofDecision, { act: textOf(form, 'act'), revision: parseId(textOf(form, 'revision')) })
  const key = textOf(form, 'key')
  if (!key) throw new Problem('MALFORMED')
  await decideProof(ctx, key, decision)
  throw redirect(localized(`/admin/proofs?done=${decision.act}`, ctx.locale))
})

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? plainMeta({
        ...loaderData,
        path: '/admin/proofs',
        title: m.proof_desk_title(),
        description: m.proof_desk_lead(),
      })
    : []

export default function ProofDeskPage({ loaderData, actionData }: Route.ComponentProps) {
  return <ProofsView {...loaderData} refused={actionData?.refused} />
}

export type ProofDeskData = Route.ComponentProps['loaderData']
