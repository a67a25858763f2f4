import { useSearchParams } from 'react-router'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import type { VetListing } from './listing-desk.server.ts'
import { useForgetCheckDraft } from './check-draft.ts'
import { VetCheckForm } from './vet-check-form.tsx'

export interface VetDeskProps {
  product: VetListing & { csrf?: string | undefined }
  /** The page to return to. */
  from: 'product' | 'desk'
  /** Set when the page was rendered again because there are no scripts. */
  refused?: FormRefusal | undefined
}

/** A vet's actions for this animal: take it, see its place, record a finding, give it back. */
export function VetDesk({ product, from, refused }: VetDeskProps) {
  const { desk, csrf, hold } = product
  const to = useLocalPath()
  const [query] = useSearchParams()
  const isMine = hold?.isMine === true
  const saved = query.has('checked') && !isMine
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
      ) : isMine && csrf !== undefined ? (
        <Taken product={product} desk={desk} heldUntil={hold.until} csrf={csrf} from={from} refused={refused} />
      ) : hold ? (
        <p>{m.vet_other_holds({ when: desk.until ?? '' })}</p>
      ) : desk.isChecked ? (
        !saved && <p>{m.vet_is_checked()}</p>
      ) : desk.isForSale && csrf !== undefined ? (
        <>
          {query.has('full') && (
            <p role="alert" className="font-semibold text-brick">
              {m.vet_full()}
            </p>
          )}
          <p>{m.vet_take_text()}</p>
          <VetAct listingId={product.id} csrf={csrf} act="take" text={m.vet_take()} from={from} />
        </>
      ) : null}
      {from === 'product' && (
        <a href={to('/vet-verify')} className="tap-link font-semibold">
          {m.vet_to_desk()}
        </a>
      )}
    </div>
  )
}

interface TakenProps extends VetDeskProps {
  desk: NonNullable<VetListing['desk']>
  csrf: string
  heldUntil: Date
}

/** While the vet holds the animal: its place, and the form for the finding. */
function Taken({ product, desk, csrf, heldUntil, from, refused }: TakenProps) {
  return (
    <>
      <p>
        <b>{m.vet_taken_until({ when: desk.until ?? '' })}</b>
      </p>
      <p>
        {m.product_pickup()}: <b>{product.pickup}</b>
      </p>
      {desk.pickupPhone && (
        <a href={`tel:${desk.pickupPhone.number}`} className="button-plain">
          {desk.pickupPhone.text}
        </a>
      )}
      <VetCheckForm
        listingId={product.id}
        heldUntil={heldUntil}
        csrf={csrf}
        from={from}
        refused={refused}
        isFemale={desk.isFemale}
        listedOn={desk.listedOn}
        today={desk.today}
      />
      <VetAct listingId={product.id} csrf={csrf} act="give" text={m.vet_give_back()} isPlain from={from} />
    </>
  )
}

interface VetActProps {
  listingId: number
  csrf: string
  act: 'take' | 'give'
  text: string
  isPlain?: boolean
  from: 'product' | 'desk'
}

/** The form that takes an animal or gives it back. */
export function VetAct({ listingId, csrf, act, text, isPlain = false, from }: VetActProps) {
  const to = useLocalPath()
  return (
    <form method="post" action={to(`/vet-verify/${listingId}`)}>
      <input type="hidden" name="csrf" value={csrf} />
      <input type="hidden" name="act" value={act} />
      <input type="hidden" name="from" value={from} />
      <button type="submit" className={isPlain ? 'button-plain' : 'button-primary'}>
        {text}
      </button>
    </form>
  )
}
