import type { ContactSetting } from '#src/kit/settings.ts'
import { useLocale } from '#src/ui/language.ts'

/** The grievance officer and their address, as admins set them. */
export function GrievanceAddress({ contact, className }: { contact: ContactSetting; className: string }) {
  const isTamil = useLocale() === 'ta'
  return (
    <address className={`not-italic ${className}`}>
      <b>{isTamil ? contact.grievanceTa : contact.grievanceEn}</b>
      <br />
      <a href={`mailto:${contact.grievanceMail}`} className="tap-link font-semibold break-all">
        {contact.grievanceMail}
      </a>
      <br />
      {isTamil ? contact.addressTa : contact.addressEn}
    </address>
  )
}
