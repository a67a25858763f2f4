import { redirect } from 'react-router'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import type { Ctx } from '#src/kit/context.ts'
import { ageOf } from '#src/kit/records/waiting.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { parseId } from '#src/kit/ids.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formatDay, formatDaysAgo } from '#src/kit/time-money/dates.ts'
import { milkingClipOnWire } from '#src/listings/clips/clip-wire.server.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { milkingTimeText } from '#src/listings/proofs/milking-time-text.ts'
import { AgeChip } from '#src/ui/age-chip.tsx'
import { DeskQueue, LostDecision, type CaseForm } from '#src/ui/desk-beside.tsx'
import { readPageNumber, tableAddress } from '#src/ui/desk-query.ts'
import type { Column } from '#src/ui/desk-table.tsx'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { Thumbnail } from '#src/ui/picture.tsx'
import { VideoPlayer } from '#src/ui/player.tsx'
import { PostForm } from '#src/ui/post-form.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { UndoableDone } from '#src/ui/undo-button.tsx'
import { decideProof, proofDecision, undoRefusal } from './decide-proof.server.ts'
import { findWaitingProof, listWaitingProofs, PROOFS_PER_PAGE, type WaitingProof } from './waiting-proofs.server.ts'
import { CaseTitle } from '#src/verification/verification-parts.tsx'
import type { Route } from './+types/proofs-page'

/** Clips of milkings that wait, the longest waiting first, and the open one beside the seller's statement. */
export const loader = formLoader(async (ctx, { url }) => {
  const query = url.searchParams
  const page = readPageNumber(query.get('page'))
  const chosen = query.get('proof')
  const proofs = await listWaitingProofs(ctx, page)
  const found = chosen === null ? undefined : await findWaitingProof(ctx, chosen)
  const one = found ?? proofs[0]
  const target = (await readSettings(ctx)).deskTargets.proofs
  return {
    page,
    perPage: PROOFS_PER_PAGE,
    count: proofs[0]?.waiting ?? 0,
    proofs: proofs.map((proof) => shown(ctx, proof, target)),
    one: one ? shown(ctx, one, target) : null,
    isChosen: found !== undefined,
    isGone: chosen !== null && !found,
    done: (['seen', 'refuse', 'undo'] as const).find((each) => each === query.get('done')) ?? null,
    of: query.get('of') ?? '',
  }
})

const shown = ({ now, locale }: Ctx, { milking, since, ...proof }: WaitingProof, target: number) => ({
  ...proof,
  since: formatDaysAgo(since, now, locale),
  age: ageOf(since, now, target),
  milking: { ...milking, day: formatDay(new Date(milking.on), locale), clip: milkingClipOnWire(milking.clip) },
})

export const action = pageAction('proof-desk', async (ctx, { form }): Promise<never> => {
  const [act, key] = [textOf(form, 'act'), textOf(form, 'key')]
  if (!key) throw new Problem('MALFORMED')
  if (act === 'undo') await undoRefusal(ctx, key)
  else await decideProof(ctx, key, parseInput(proofDecision, { act, revision: parseId(textOf(form, 'revision')) }))
  throw redirect(localized(tableAddress('/admin/proofs', { done: act, of: key }), ctx.locale))
})

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.proof_desk_title(), description: m.proof_desk_lead() }))

type Proof = Route.ComponentProps['loaderData']['proofs'][number]

const doneTexts = { seen: m.proof_desk_done_seen, refuse: m.proof_desk_done_refuse, undo: m.proof_desk_undone }

export default function ProofDeskPage({ loaderData, actionData }: Route.ComponentProps) {
  const { proofs, one, isChosen, isGone, done, of, ...pages } = loaderData
  const refused = actionData?.refused
  const ofCase = one?.key === refused?.typed.key && refused?.typed.act !== 'undo' ? refused : undefined
  return (
    <div className="space-y-2">
      <h1 className="text-2xl md:text-xl">{m.proof_desk_title()}</h1>
      {done && !refused && <UndoableDone text={doneTexts[done]()} isUndoable={done === 'refuse'} fields={{ act: 'undo', key: of }} />}
      {refused && !ofCase && <LostDecision refused={refused} gone={m.second_look_gone()} />}
      {!refused && isGone && <FormFailure detail={m.second_look_gone()} />}
      <DeskQueue
        caption={m.proof_desk_title()}
        columns={columns()}
        rows={proofs}
        keyOf={({ key }) => key}
        keysText={m.table_keys()}
        none={m.proof_desk_none()}
        path="/admin/proofs"
        parameter="proof"
        pages={pages}
        open={one && { key: one.key, label: `${one.code} · ${one.name}`, isChosen }}
        refused={ofCase}
      >
        {(form) => one && <ProofPanel key={one.key} proof={one} {...form} />}
      </DeskQueue>
    </div>
  )
}

const columns = (): Column<Proof>[] => [
  { id: 'title', label: m.vet_own_animal(), width: 'md:w-1/2', cell: ({ code, name }) => `${code} · ${name}` },
  { id: 'litres', label: m.proofs_milk(), onCard: 'bare', cell: ({ milking }) => m.product_litres({ litres: milking.litres }) },
  { id: 'seller', label: m.verify_seller(), width: 'md:w-1/4', onCard: 'bare', cell: ({ seller }) => seller.name },
  { id: 'age', label: m.enquiry_desk_age(), onCard: 'bare', cell: ({ age }) => <AgeChip age={age} /> },
]

function ProofPanel({ proof, action, refused }: CaseForm & { proof: Proof }) {
  const { key, photoKey, milking, litresPerDay } = proof
  return (
    <article aria-labelledby={`proof-${key}`} className="panel overflow-hidden">
      <header className="panel-title">
        <CaseTitle id={`proof-${key}`} listing={proof} since={m.proof_desk_since({ when: proof.since })} />
      </header>
      <div className="grid gap-4 p-4 sm:grid-cols-2 xl:grid-cols-1">
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
          <PostForm reloadDocument action={action} onSubmit={sendOnce} className="flex flex-wrap gap-3">
            <input type="hidden" name="key" value={key} />
            <input type="hidden" name="revision" value={proof.revision} />
            {refused && <FormFailure {...refused} />}
            <button type="submit" name="act" value="seen" className="button-primary">
              {m.proof_desk_seen()}
            </button>
            <button type="submit" name="act" value="refuse" className="button-danger">
              {m.proof_desk_refuse_one({ code: proof.code })}
            </button>
          </PostForm>
        </div>
      </div>
    </article>
  )
}
