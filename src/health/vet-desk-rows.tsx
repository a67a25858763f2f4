import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Tick } from '#src/ui/choice.tsx'
import { FormFailure, Outcome } from '#src/ui/form-failure.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { PostForm } from '#src/ui/post-form.tsx'
import { useSendOnce } from '#src/ui/send-once.ts'
import type { DeskCardData } from './desk-card.server.ts'
import type { TakeEnd } from './taking.server.ts'
import { AnimalRow } from './vet-desk-row.tsx'

const TAKE_ONE = 'take-one'

interface TakeableRowsProps {
  cards: DeskCardData[]
  refused: FormRefusal | undefined
  ends: TakeEnd[] | undefined
}

/**
 * The animals that wait, for a vet: several are ticked and taken together, one is taken by the button of its row. That
 * button belongs to a form of its own, so that Enter on a checkbox takes the ticked ones.
 */
export function TakeableRows({ cards, refused, ends }: TakeableRowsProps) {
  const several = useSendOnce(refused ?? ends)
  const one = useSendOnce(refused ?? ends)
  if (cards.length === 0) return ends ? <Ends ends={ends} /> : null
  return (
    <>
      <PostForm id={TAKE_ONE} preventScrollReset onSubmit={one.onSubmit} />
      <PostForm preventScrollReset onSubmit={several.onSubmit}>
        <Rows cards={cards} isTakeable />
        <div data-desk-foot className="row gap-x-4 gap-y-1 bg-husk py-1 md:sticky md:bottom-0 md:z-10 short:static">
          {refused ? <FormFailure detail={refused.errors.ids ?? refused.detail} /> : ends && <Ends ends={ends} />}
          <button type="submit" className="button-primary">
            {m.vet_take_ticked()}
          </button>
        </div>
      </PostForm>
    </>
  )
}

function Ends({ ends }: { ends: TakeEnd[] }) {
  const names = ends.flatMap(({ name, refusal }) => (refusal === null ? [name] : [])).join(', ')
  return <Outcome done={names ? m.vet_taken({ names }) : null} refused={ends.filter(({ refusal }) => refusal !== null)} />
}

export function Rows({ cards, isTakeable = false }: { cards: DeskCardData[]; isTakeable?: boolean }) {
  if (cards.length === 0) return null
  return (
    <ul className="panel divide-y divide-line">
      {cards.map((card) => (
        <li key={card.id}>{isTakeable && !card.hold ? <TakeableRow card={card} /> : <AnimalRow card={card} />}</li>
      ))}
    </ul>
  )
}

function TakeableRow({ card }: { card: DeskCardData }) {
  const to = useLocalPath()
  const { id, name } = card
  return (
    <AnimalRow card={card} lead={<Tick type="checkbox" name="ids" value={id} aria-label={m.vet_choose({ name })} />}>
      {/* On a phone, the button stands beside the name and the link below the facts. */}
      <div className="text-sm max-md:contents md:flex md:flex-row-reverse md:items-center md:gap-3">
        <button
          type="submit"
          form={TAKE_ONE}
          name="ids"
          value={id}
          aria-label={`${m.vet_take_short()}: ${name}`}
          className="button-plain px-3 py-1 md:min-h-9 pointer-coarse:md:min-h-11"
        >
          {m.vet_take_short()}
        </button>
        <a href={to(`/vet-verify/${id}`)} className="inline-link max-md:order-last max-md:col-span-3 max-md:min-h-11 max-md:w-fit">
          {m.vet_enter()}
        </a>
      </div>
    </AnimalRow>
  )
}
