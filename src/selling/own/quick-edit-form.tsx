import type { ComponentType, RefAttributes } from 'react'
import type { FormProps } from 'react-router'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { fieldRupees, type Money } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'
import { CsrfField, HiddenFields } from '#src/ui/post-form.tsx'

interface QuickEditProps {
  listing: { id: number; version: number; stock: number; weightKg: number; originalPrice: Money; offerPrice: Money | null }
  /** The page whose action handles the form: the seller's own listings. */
  action: string
  refused?: FormRefusal | undefined
  /** On the product page the form sends without leaving it. */
  onProduct?: { Form: ComponentType<FormProps>; form: FormProps & RefAttributes<HTMLFormElement>; isBusy: boolean }
}

/** Stock, weight and prices of an own listing (A §6): in the seller's list, and on the product page in place of the cart button. */
export function QuickEditForm({ listing, action, refused, onProduct }: QuickEditProps) {
  const Form = onProduct?.Form ?? 'form'
  const id = `quick-${listing.id}`
  const { typed = {}, errors = {} } = refused ?? {}
  const shown = {
    stock: typed.stock ?? String(listing.stock),
    weightKg: typed.weightKg ?? String(listing.weightKg),
    originalPrice: typed.originalPrice ?? fieldRupees(listing.originalPrice),
    offerPrice: typed.offerPrice ?? (listing.offerPrice === null ? '' : fieldRupees(listing.offerPrice)),
  }
  const box = (name: keyof typeof shown) => ({
    id: `${id}-${name}`,
    name,
    defaultValue: shown[name],
    error: errors[name],
    autoComplete: 'off',
    inputMode: name === 'stock' ? ('numeric' as const) : ('decimal' as const),
    maxLength: 16,
  })
  return (
    <Form {...onProduct?.form} method="post" action={action} noValidate className="space-y-4">
      <CsrfField refused={refused} />
      <HiddenFields act="update" id={listing.id} version={listing.version} from={onProduct ? 'product' : undefined} />
      <div className="grid grid-cols-2 items-start gap-3">
        <Field {...box('originalPrice')} label={m.quick_original()} />
        <Field {...box('offerPrice')} label={m.quick_offer()} />
        <p className="col-span-2 -mt-2 text-sm text-stone">{m.quick_offer_hint()}</p>
        <Field {...box('stock')} label={m.quick_stock()} />
        <Field {...box('weightKg')} label={m.quick_weight()} />
        <p className="col-span-2 -mt-2 text-sm text-stone">{m.quick_weight_hint()}</p>
      </div>
      <div className="grid grid-cols-2 gap-2">
        <button type="submit" disabled={onProduct?.isBusy} className="button-primary disabled:opacity-60">
          {m.quick_update()}
        </button>
        <button type="reset" className="button-plain">
          {m.quick_clear()}
        </button>
      </div>
    </Form>
  )
}
