import { phoneText } from './phone-text.ts'

/** A number to call; where it is masked (rules.ts) there is nothing to call. */
export function PhoneLink({ phone, className }: { phone: string; className?: string }) {
  const isMasked = !/^\+\d+$/.test(phone)
  if (isMasked) return <span className="whitespace-nowrap">{phone}</span>
  return (
    <a href={`tel:${phone}`} className={className}>
      {phoneText(phone)}
    </a>
  )
}
