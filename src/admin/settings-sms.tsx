import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Field, fieldsOf } from '#src/ui/field.tsx'
import { SettingFrame } from './settings-frame.tsx'
import type { SettingsData } from './settings-view.server.ts'

/** The price of an SMS, with which the message desk computes costs (admin/messages-page.tsx). */
export function SmsForm({ sms, refused }: Pick<SettingsData, 'sms'> & { refused: FormRefusal | undefined }) {
  return (
    <SettingFrame name="smsPaise" title={m.settings_sms()} hint={m.settings_sms_hint()} seen={sms.seen} refused={refused}>
      <Field
        {...fieldsOf('sms', refused)('paise', String(sms.paise))}
        label={m.message_desk_paise()}
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
      />
    </SettingFrame>
  )
}
