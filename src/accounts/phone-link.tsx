import { phoneText } from './phone-text.ts'

/** A `tel:` link; a masked number (rules.ts) is plain text. */
export function PhoneLink({ phone, className }: { phone: string; className?: string }) {
  const isMasked = !/^\+\d+$/.test(phone)
  if (isMasked) return <span className="whitespace-nowrap">{phone}</span>
  return (
    <a href={`tel:${phone}`} className={className}>
      {phoneText(phone)}
    </a>
  )
}
