import type { ReactNode } from 'react'
import { m } from '#src/paraglide/messages.js'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { SheetButton } from '#src/ui/sheet.tsx'

interface ListingStepProps {
  act: string
  id: number
  /** The seller's list, whose action takes every step of an own listing. */
  action: string
  /** The step leads back to the animal's page (seller-product-page.tsx). */
  isFromProduct?: boolean | undefined
  className?: string
  children: ReactNode
}

export const ListingStep = ({ act, id, action, isFromProduct, className, children }: ListingStepProps) => (
  <PostForm reloadDocument action={action} className={className}>
    <HiddenFields act={act} id={id} from={isFromProduct ? 'product' : undefined} />
    {children}
  </PostForm>
)

/** A step that one button takes. */
export const StepButton = ({ className, children, ...step }: ListingStepProps) => (
  <ListingStep {...step}>
    <button type="submit" className={className}>
      {children}
    </button>
  </ListingStep>
)

type OwnSheetProps = Pick<ListingStepProps, 'id' | 'action' | 'isFromProduct'> & { name: string }

/** "It is sold" with its dialog (A §2.8): sold through Sandhai or elsewhere. Each button of the dialog submits at once. */
export const Sale = ({ name, ...step }: OwnSheetProps) => (
  <SheetButton id={`sold-${step.id}`} className="button-plain px-3" label={m.own_sold()} title={m.own_sale_title()}>
    <ListingStep {...step} act="sold" className="space-y-3">
      <p className="font-semibold">{name}</p>
      <p>{m.own_sale_text()}</p>
      <button type="submit" name="through" value="sandhai" className="button-primary w-full">
        {m.own_sale_sandhai()}
      </button>
      <button type="submit" name="through" value="others" className="button-plain w-full">
        {m.own_sale_others()}
      </button>
      <p className="text-sm text-stone">{m.own_sale_hint()}</p>
    </ListingStep>
  </SheetButton>
)

export const Withdraw = ({ name, className, ...step }: OwnSheetProps & { className: string }) => (
  <SheetButton id={`withdraw-${step.id}`} className={className} label={m.own_withdraw()}>
    <p className="font-semibold">{name}</p>
    <p className="mb-3">{m.own_withdraw_text()}</p>
    <StepButton {...step} act="withdraw" className="button-primary w-full">
      {m.own_withdraw_yes()}
    </StepButton>
  </SheetButton>
)
