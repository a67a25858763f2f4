import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { AddressForm } from '#src/addresses/address-form.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'
import type { LookedUp } from './sell-action.server.ts'

interface SellAddressProps {
  seller: { name: string }
  types: { id: number; name: string }[]
  refused: FormRefusal | undefined
  looked: LookedUp | undefined
}

/** The pickup address, written by an admin into the book of the seller for whom they list. */
export function SellAddress({ seller, ...form }: SellAddressProps) {
  const to = useLocalPath()
  return (
    <div className="mx-auto max-w-2xl py-2 md:py-4">
      <h1 className="text-2xl">{m.sell_address_title({ name: seller.name })}</h1>
      <AddressForm {...form} path="/sell" address={null} />
      <Link to={to('/sell')} className="tap-link mt-4">
        {m.sell_back()}
      </Link>
    </div>
  )
}
