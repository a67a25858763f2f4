import type { ReactNode } from 'react'
import { m } from '#src/paraglide/messages.js'
import { PostForm } from '#src/ui/post-form.tsx'
import { Sheet } from '#src/ui/sheet.tsx'

interface SaleProps {
  id: number
  name: string
  action: string
  /** A hidden field that names the page to lead back to. */
  from?: ReactNode
}

/** "It is sold" with its dialog (A §2.8): sold through Sandhai or elsewhere. Each button of the dialog submits at once. */
export const Sale = ({ id, name, action, from }: SaleProps) => (
  <>
    <button type="button" popoverTarget={`sold-${id}`} className="button-plain px-3">
      {m.own_sold()}
    </button>
    <Sheet id={`sold-${id}`} title={m.own_sale_title()} closeLabel={m.own_close()}>
      <PostForm reloadDocument action={action} className="space-y-3">
        <input type="hidden" name="act" value="sold" />
        <input type="hidden" name="id" value={id} />
        {from}
        <p className="font-semibold">{name}</p>
        <p>{m.own_sale_text()}</p>
        <button type="submit" name="through" value="sandhai" className="button-primary w-full">
          {m.own_sale_sandhai()}
        </button>
        <button type="submit" name="through" value="others" className="button-plain w-full">
          {m.own_sale_others()}
        </button>
        <p className="text-sm text-stone">{m.own_sale_hint()}</p>
      </PostForm>
    </Sheet>
  </>
)
