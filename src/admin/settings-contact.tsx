import type { FormRefusal } from '#src/kit/http/page.server.ts'
import type { ContactSetting } from '#src/kit/settings.ts'
import { m } from '#src/paraglide/messages.js'
import { Field, fieldsOf, OwnPasswordField } from '#src/ui/field.tsx'
import { SettingFrame } from './settings-frame.tsx'
import type { SettingsData } from './settings-view.server.ts'
import type { ContactField } from './settings-rules.ts'

/** In the order of the form. */
const fields: Record<ContactField, () => string> = {
  phone: m.settings_contact_phone,
  whatsapp: m.settings_contact_whatsapp,
  mail: m.settings_contact_mail,
  grievanceMail: m.settings_contact_grievance_mail,
  addressTa: m.settings_contact_address_ta,
  addressEn: m.settings_contact_address_en,
  grievanceTa: m.settings_contact_grievance_ta,
  grievanceEn: m.settings_contact_grievance_en,
  facebook: m.settings_contact_facebook,
  instagram: m.settings_contact_instagram,
  youtube: m.settings_contact_youtube,
}
const names = Object.keys(fields) as ContactField[]

/** Sandhai's contact data: for the footer of every page, Support, and messages. */
export function ContactForm({ contact, refused }: Pick<SettingsData, 'contact'> & { refused: FormRefusal | undefined }) {
  return (
    <SettingFrame name="contact" title={m.settings_contact()} hint={m.settings_contact_hint()} seen={contact.seen} refused={refused}>
      <div className="grid items-start gap-3 md:grid-cols-2">
        {names.map((name) => (
          <Field
            key={name}
            {...fieldsOf('contact', refused)(name, contact.values[name])}
            label={fields[name]()}
            autoComplete="off"
            maxLength={200}
          />
        ))}
      </div>
      <OwnPasswordField id="contact-password" error={refused?.errors.password} />
    </SettingFrame>
  )
}

/** The changed lines only, for the history that other admins read. */
export const contactChanges = (from: ContactSetting, to: ContactSetting): [string, string][] =>
  names
    .filter((name) => from[name] !== to[name])
    .map((name) => [`${fields[name]()}: ${from[name] || m.settings_contact_empty()}`, to[name] || m.settings_contact_empty()])
