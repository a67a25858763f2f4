import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import type { ProductPageData } from './product-view.server.ts'
import { Icon } from '#src/ui/icon.tsx'
import { Input } from '#src/ui/input.tsx'

/** Whether we deliver this animal to a PIN code. A GET form, so the answer has a URL and needs no JavaScript. */
export function DeliveryCheck({ product }: { product: ProductPageData }) {
  const to = useLocalPath()
  if (product.availability !== 'available' || product.isOwn) return null
  const { delivery } = product
  const isWrong = delivery?.kind === 'invalid' || delivery?.kind === 'unknown'
  return (
    <form id="delivery" method="get" action={`${to(`/product/${product.id}`)}#delivery`} className="panel p-4 print:hidden">
      <label htmlFor="delivery-pincode" className="label flex items-center gap-2">
        <Icon name="truck" size={18} />
        {m.product_delivery_label()}
      </label>
      <div className="row gap-2">
        <Input
          id="delivery-pincode"
          name="pincode"
          defaultValue={delivery?.pincode ?? ''}
          inputMode="numeric"
          autoComplete="postal-code"
          maxLength={60}
          placeholder="641001"
          aria-invalid={isWrong || undefined}
          aria-describedby={delivery ? 'delivery-answer' : undefined}
          className="max-w-40"
        />
        <button type="submit" className="button-plain">
          {m.product_delivery_check()}
        </button>
      </div>
      {delivery && (
        <div id="delivery-answer" role="status" className="mt-2">
          {delivery.kind === 'yes' && (
            <p className="font-semibold text-leaf">{m.product_delivery_yes({ place: delivery.place, pincode: delivery.pincode })}</p>
          )}
          {delivery.kind === 'no' && (
            <p className="text-brick">
              {m.product_delivery_no()}{' '}
              <a href={to('/coming-soon')} className="underline">
                {m.product_delivery_more()}
              </a>
            </p>
          )}
          {isWrong && (
            <p className="text-brick">{delivery.kind === 'invalid' ? m.product_delivery_invalid() : m.product_delivery_unknown()}</p>
          )}
        </div>
      )}
    </form>
  )
}
