import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import type { ShownAddress } from './addresses-view.server.ts'

/** An address as on a parcel label; `isShort` uses as few lines as possible. */
export function AddressLines({ address, isShort = false }: { address: ShownAddress; isShort?: boolean }) {
  const { name, type, phone, lines, place } = address
  if (isShort)
    return (
      <div className="min-w-0 leading-snug wrap-anywhere">
        <address className="not-italic">
          <bdi className="font-semibold">{name}</bdi> <span className="text-sm text-stone">({type})</span>{' '}
          {lines.map((line) => (
            <span key={line}>
              <bdi>{line}</bdi>,{' '}
            </span>
          ))}
          {placeLine(place)} <span className="whitespace-nowrap text-stone">{shownPhone(phone)}</span>
        </address>
        {!place.isDeliverable && <Undeliverable />}
      </div>
    )
  return (
    <div className="min-w-0 wrap-anywhere">
      <p className="row gap-x-2 gap-y-1">
        {/* Names come in any script, so isolate their text direction. */}
        <bdi className="min-w-0 text-lg font-semibold">{name}</bdi>
        <span className="chip bg-husk-dark">{type}</span>
      </p>
      <address className="mt-1 not-italic">
        {lines.map((line) => (
          <bdi key={line} className="block">
            {line}
          </bdi>
        ))}
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

/** "Pollachi, Coimbatore, Tamil Nadu 642001"; shows a name once when taluk and district are equal. */
const placeLine = ({ taluk, district, state, pincode }: ShownAddress['place']) =>
  `${[...new Set([taluk, district, state].filter((part) => part !== ''))].join(', ')} ${pincode}`

/** "+91 98765 43210"; numbers of other countries stay as they are. */
export const shownPhone = (phone: string) => phone.replace(/^(\+91)(\d{5})(\d{5})$/, '$1 $2 $3')

/** Notice that we do not deliver there. `isTyping`: opens the delivery areas in a new tab, so that the typed text stays. */
export function Undeliverable({ isTyping }: { isTyping?: true }) {
  const to = useLocalPath()
  return (
    <p className="mt-2 notice text-sm">
      <strong>{m.address_undeliverable()}</strong> {isTyping && m.address_undeliverable_save()}{' '}
      <a href={to('/coming-soon')} className="link" {...(isTyping && { target: '_blank', rel: 'noopener' })}>
        {m.address_undeliverable_more()}
      </a>
    </p>
  )
}
