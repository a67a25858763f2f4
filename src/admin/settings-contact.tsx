import { FormFailure } from '#src/ui/form-failure.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import type { ContactSetting } from '#src/kit/settings.ts'
import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import type { SettingsData } from './settings-page.tsx'
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

/** Contact data of Sandhai: for the footer of every page, Support, and messages. */
export function ContactForm({ contact, csrf, refused }: Pick<SettingsData, 'contact' | 'csrf'> & { refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const hasFieldError = refused && Object.keys(refused.errors).length > 0
  return (
    <form id="contact" method="post" action={to('/admin/settings#contact')} noValidate onSubmit={sendOnce} className="form-panel">
      <h2 className="text-lg">{m.settings_contact()}</h2>
      <p className="text-sm text-stone">{m.settings_contact_hint()}</p>
      <input type="hidden" name="csrf" value={csrf} />
      <input type="hidden" name="key" value="contact" />
      <input type="hidden" name="seen" value={contact.seen} />
      <div className="grid items-start gap-3 md:grid-cols-2">
        {names.map((name) => (
          <Field
            key={name}
            id={`contact-${name}`}
            name={name}
            label={fields[name]()}
            autoComplete="off"
            maxLength={200}
            defaultValue={refused?.typed[name] ?? contact.values[name]}
            error={refused?.errors[name]}
          />
        ))}
      </div>
      <Field
        id="contact-password"
        name="password"
        type="password"
        autoComplete="current-password"
        label={m.users_own_password()}
        error={refused?.errors.password}
      />
      {refused && !hasFieldError && (
        <FormFailure {...refused} detail={refused.code === 'VERSION' ? m.settings_contact_now() : refused.detail} />
      )}
      <button type="submit" className="button-primary justify-self-start">
        {m.settings_save()}
      </button>
    </form>
  )
}

/** Only the lines that changed, for another admin to look at. */
export const contactChanges = (from: ContactSetting, to: ContactSetting): [string, string][] =>
  names
    .filter((name) => from[name] !== to[name])
    .map((name) => [`${fields[name]()}: ${from[name] || m.settings_contact_empty()}`, to[name] || m.settings_contact_empty()])
