import { redirect } from 'react-router'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formatDay, formatDaysAgo } from '#src/kit/time-money/dates.ts'
import { milkingClipOnWire } from '#src/listings/clips/clip-wire.server.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { milkingTimeText } from '#src/listings/proofs/milking-time-text.ts'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Thumbnail } from '#src/ui/picture.tsx'
import { VideoPlayer } from '#src/ui/player.tsx'
import { PostForm } from '#src/ui/post-form.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { DeskTitle } from '#src/ui/single-keys.tsx'
import { decideProof, PROOF_ACTS, proofDecision } from './decide-proof.server.ts'
import { listWaitingProofs } from './waiting-proofs.server.ts'
import { CaseTitle } from '#src/verification/verification-parts.tsx'
import type { Route } from './+types/proofs-page'

/** Clips of milkings, each beside the seller's statement. */
export const loader = formLoader(async (ctx, { url }) => {
  const { locale } = ctx
  const proofs = await listWaitingProofs(ctx)
  return {
    proofs: proofs.map(({ milking, since, ...proof }) => ({
      ...proof,
      since: formatDaysAgo(since, ctx.now, locale),
      milking: { ...milking, day: formatDay(new Date(milking.on), locale), clip: milkingClipOnWire(milking.clip) },
    })),
    done: PROOF_ACTS.find((each) => each === url.searchParams.get('done')) ?? null,
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

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.proof_desk_title(), description: m.proof_desk_lead() }))

type Proof = Route.ComponentProps['loaderData']['proofs'][number]

const doneTexts = { seen: m.proof_desk_done_seen, refuse: m.proof_desk_done_refuse }

export default function ProofDeskPage({ loaderData, actionData }: Route.ComponentProps) {
  const { proofs, done } = loaderData
  const refused = actionData?.refused
  return (
    <div className="page-column max-w-4xl">
      <DeskTitle>{m.proof_desk_title()}</DeskTitle>
      {done && !refused && <FormDone>{doneTexts[done]()}</FormDone>}
      {refused && <FormFailure detail={refused.code === 'NOT_FOUND' ? m.second_look_gone() : refused.detail} />}
      {proofs.length === 0 ? (
        <p className="panel p-4">{m.proof_desk_none()}</p>
      ) : (
        <ul className="space-y-4">
          {proofs.map((proof) => (
            <li key={proof.key}>
              <ProofPanel proof={proof} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function ProofPanel({ proof }: { proof: Proof }) {
  const { key, photoKey, milking, litresPerDay } = proof
  return (
    <article aria-labelledby={`proof-${key}`} className="panel overflow-hidden">
      <header className="panel-title">
        <CaseTitle id={`proof-${key}`} listing={proof} since={m.proof_desk_since({ when: proof.since })} />
      </header>
      <div className="grid gap-4 p-4 sm:grid-cols-2">
        <VideoPlayer
          src={milking.clip.url}
          name={m.milk_clip({ day: milking.day })}
          still={milking.clip.still}
          className="aspect-video w-full rounded-card bg-husk-dark"
        />
        <div className="space-y-3">
          {photoKey && (
            <figure>
              <Thumbnail mediaKey={photoKey} width={160} height={120} className="h-30 w-40 rounded-control object-cover" />
              <figcaption className="text-sm text-stone">{m.proof_desk_beside()}</figcaption>
            </figure>
          )}
          <p>
            <b className="block text-xl">{m.product_litres({ litres: milking.litres })}</b>
            {milking.day} · {milkingTimeText(milking.time)}
            {litresPerDay !== null && <span className="block text-sm text-stone">{m.proof_desk_claim({ litres: litresPerDay })}</span>}
          </p>
          <Decision proof={proof} />
        </div>
      </div>
    </article>
  )
}

function Decision({ proof }: { proof: Proof }) {
  const to = useLocalPath()
  return (
    <PostForm reloadDocument action={to('/admin/proofs')} onSubmit={sendOnce} className="flex flex-wrap gap-3">
      <input type="hidden" name="key" value={proof.key} />
      <input type="hidden" name="revision" value={proof.revision} />
      <button type="submit" name="act" value="seen" className="button-primary">
        {m.proof_desk_seen()}
      </button>
      <button type="submit" name="act" value="refuse" className="button-danger">
        {m.proof_desk_refuse()}
      </button>
    </PostForm>
  )
}
