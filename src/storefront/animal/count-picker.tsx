import { m } from '#src/paraglide/messages.js'
import { Input } from '#src/ui/input.tsx'
import { Select } from '#src/ui/select.tsx'
import type { ProductPageData } from './product-view.server.ts'

/** The id of the form 'Add to cart' (add-to-cart.tsx). Its bar has no room for this field. */
export const ADD_FORM = 'add-form'

/** Up to this stock the number is a list; above it, a text field. */
const LISTED_UP_TO = 20

/** The number to buy, at most the stock (A §5), with the stock notice. */
export function CountPicker({ product }: { product: ProductPageData }) {
  const { stock, notices } = product
  if (product.availability !== 'available' || product.isOwn) return null
  const canChoose = product.buyerId !== null
  if (!canChoose && !notices.isHurried) return null
  return (
    <div className="row gap-x-6 gap-y-2">
      {canChoose && (
        <label className="flex items-center gap-2 font-semibold print:hidden">
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
      {notices.isHurried && <p className="font-semibold text-brick">{m.cart_hurry({ count: stock })}</p>}
    </div>
  )
}
