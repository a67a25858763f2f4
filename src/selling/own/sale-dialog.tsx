import type { ReactNode } from 'react'
import { m } from '#src/paraglide/messages.js'
import { Sheet } from '#src/ui/sheet.tsx'

interface SaleProps {
  id: number
  name: string
  csrf: string
  action: string
  /** A hidden field that names the page to lead back to. */
  from?: ReactNode
}

/** A §2.8: sold through Sandhai or elsewhere. Each button submits at once. */
export function SaleDialog({ id, name, csrf, action, from }: SaleProps) {
  return (
    <Sheet id={`sold-${id}`} title={m.own_sale_title()} closeLabel={m.own_close()}>
      <form method="post" action={action} className="space-y-3">
        <input type="hidden" name="csrf" value={csrf} />
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
      </form>
    </Sheet>
  )
}
