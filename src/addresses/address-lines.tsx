import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import type { ShownAddress } from './addresses-view.server.ts'

/** An address as on a parcel. */
export function AddressLines({ address }: { address: ShownAddress }) {
  const { name, type, phone, address1, address2, place } = address
  return (
    <div className="min-w-0 wrap-anywhere">
      <p className="row gap-x-2 gap-y-1">
        {/* Names come in any script: each keeps its own direction. */}
        <bdi className="min-w-0 text-lg font-semibold">{name}</bdi>
        <span className="chip bg-husk-dark">{type}</span>
      </p>
      <address className="mt-1 not-italic">
        <bdi className="block">{address1}</bdi>
        {address2 !== '' && address2 !== place.taluk && <bdi className="block">{address2}</bdi>}
        <span className="block">{placeLine(place)}</span>
        <span className="mt-1 flex items-center gap-2 text-stone">
          <Icon name="phone" size={16} />
          {shownPhone(phone)}
        </span>
      </address>
      {!place.isDeliverable && <Undeliverable />}
    </div>
  )
}

/** "Pollachi, Coimbatore, Tamil Nadu 642001": a taluk and district of the same name are shown once. */
const placeLine = ({ taluk, district, state, pincode }: ShownAddress['place']) =>
  `${[...new Set([taluk, district, state].filter((part) => part !== ''))].join(', ')} ${pincode}`

/** "+91 98765 43210"; others as they are. */
export const shownPhone = (phone: string) => phone.replace(/^(\+91)(\d{5})(\d{5})$/, '$1 $2 $3')

/** We do not deliver there. `isTyping`: opening the list of delivery areas must not lose what was typed. */
export function Undeliverable({ isTyping }: { isTyping?: true }) {
  const to = useLocalPath()
  return (
    <p className="mt-2 rounded-control bg-turmeric-soft p-3 text-sm">
      <strong>{m.address_undeliverable()}</strong> {isTyping && m.address_undeliverable_save()}{' '}
      <a href={to('/coming-soon')} className="link" {...(isTyping && { target: '_blank', rel: 'noopener' })}>
        {m.address_undeliverable_more()}
      </a>
    </p>
  )
}
