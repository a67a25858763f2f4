import { m } from '#src/paraglide/messages.js'
import { Input } from '#src/ui/input.tsx'
import { Select } from '#src/ui/select.tsx'
import type { ProductPageData } from './product-view.server.ts'

/** The id of the form 'Add to cart' (add-to-cart.tsx). Its bar has no room for this field. */
export const ADD_FORM = 'add-form'

/** Up to this stock the number is a list; above it, a text field. */
const LISTED_UP_TO = 20

/** The number to buy, where there is more than one, with the stock notice. */
export function CountPicker({ product }: { product: ProductPageData }) {
  const { stock, stockNotice } = product
  if (product.availability !== 'available' || product.isOwn) return null
  const canChoose = product.buyerId !== null && stock > 1
  if (!canChoose && !stockNotice) return null
  return (
    <div className="row gap-x-6 gap-y-2">
      {canChoose && (
        <label className="flex items-center gap-2 font-semibold">
          {m.cart_count()}
          {stock <= LISTED_UP_TO ? (
            <Select form={ADD_FORM} name="count" className="w-20 shrink-0">
              {Array.from({ length: stock }, (_, n) => (
                <option key={n} value={n + 1}>
                  {n + 1}
                </option>
              ))}
            </Select>
          ) : (
            <Input
              form={ADD_FORM}
              name="count"
              type="number"
              inputMode="numeric"
              min={1}
              max={stock}
              step={1}
              defaultValue={1}
              required
              className="w-24 shrink-0"
            />
          )}
        </label>
      )}
      {stockNotice && (
        <p className={stockNotice.kind === 'hurry' ? 'font-semibold text-brick' : 'font-semibold'}>
          {stockNotice.kind === 'hurry' ? m.product_hurry({ count: stockNotice.left }) : m.product_few({ count: stockNotice.left })}
        </p>
      )}
    </div>
  )
}
