import { useSearchParams } from 'react-router'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import type { VetListing } from './listing-desk.server.ts'
import { useForgetCheckDraft } from './check-draft.ts'
import { VetCheckForm } from './vet-check-form.tsx'

interface VetDeskProps {
  product: VetListing
  /** The page to return to. */
  from: 'product' | 'desk'
  /** Set when the page was rendered again because there are no scripts. */
  refused?: FormRefusal | undefined
}

/** A vet's actions for this animal: record a finding at once (A §6); take it to see its place and plan a day, give it back. */
export function VetDesk({ product, from, refused }: VetDeskProps) {
  const { desk } = product
  const to = useLocalPath()
  const [query] = useSearchParams()
  const saved = query.has('checked')
  useForgetCheckDraft(saved ? product.id : null)
  if (!desk || desk.isOwn) return null
  return (
    <div className="space-y-3 border-b border-line bg-leaf-soft px-4 py-4">
      {saved && (
        <p role="status" className="rounded-control bg-paper px-3 py-2 font-semibold">
          {m.vet_saved()}
        </p>
      )}
      {!desk.isApproved ? (
        <p>{m.vet_waiting_text()}</p>
      ) : desk.othersUntil !== null ? (
        <p>{m.vet_other_holds({ when: desk.othersUntil })}</p>
      ) : !saved && (desk.isForSale || desk.mineUntil !== null) ? (
        <Check product={product} desk={desk} from={from} refused={refused} isFull={query.has('full')} />
      ) : null}
      {from === 'product' && (
        <a href={to('/vet-verify')} className="tap-link font-semibold">
          {m.vet_to_desk()}
        </a>
      )}
    </div>
  )
}

interface CheckProps extends VetDeskProps {
  desk: NonNullable<VetListing['desk']>
  isFull: boolean
}

/** The form for the finding, and the hold beside it. */
function Check({ product, desk, from, refused, isFull }: CheckProps) {
  return (
    <>
      {desk.isChecked && <p>{m.vet_is_checked()}</p>}
      {desk.mineUntil !== null ? (
        <Held product={product} desk={desk} until={desk.mineUntil} />
      ) : (
        !desk.isChecked && (
          <>
            {isFull && (
              <p role="alert" className="font-semibold text-brick">
                {m.vet_full()}
              </p>
            )}
            <p>{m.vet_take_text()}</p>
            <VetAct listingId={product.id} act="take" text={m.vet_take()} from={from} />
          </>
        )
      )}
      <VetCheckForm
        listingId={product.id}
        lastCheckId={desk.lastCheckId}
        from={from}
        refused={refused}
        isFemale={desk.isFemale}
        listedOn={desk.listedOn}
        today={desk.today}
      />
      {desk.mineUntil !== null && <VetAct listingId={product.id} act="give" text={m.vet_give_back()} from={from} />}
    </>
  )
}

/** While the vet holds the animal: its place, and the phone there. */
function Held({ product, desk, until }: Pick<CheckProps, 'product' | 'desk'> & { until: string }) {
  return (
    <>
      <p>
        <b>{m.vet_taken_until({ when: until })}</b>
      </p>
      <p>
        {m.product_pickup()}: <b>{product.pickup}</b>
      </p>
      {desk.pickupPhone && (
        <a href={`tel:${desk.pickupPhone.number}`} className="button-plain">
          {desk.pickupPhone.text}
        </a>
      )}
    </>
  )
}

interface VetActProps {
  listingId: number
  act: 'take' | 'give'
  text: string
  from: 'product' | 'desk'
}

/** The form that takes an animal or gives it back. */
export function VetAct({ listingId, act, text, from }: VetActProps) {
  const to = useLocalPath()
  return (
    <PostForm reloadDocument action={to(`/vet-verify/${listingId}`)}>
      <HiddenFields act={act} from={from} />
      <button type="submit" className="button-plain">
        {text}
      </button>
    </PostForm>
  )
}
