import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { PostForm } from '#src/ui/post-form.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { OtpField } from '#src/accounts/sign-in/otp-field.tsx'
import { phoneText } from '../phone-text.ts'
import type { ProfilePageData } from './profile-view.server.ts'

/** Second step of a phone change: the code. The address holds the sealed number. */
export function ProfilePhone({ profile, newPhone, refused }: ProfilePageData & { refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const form = useFocusOnError(refused)
  return (
    <div className="mx-auto max-w-md py-2">
      <h1 className="text-2xl">{m.profile_phone_title()}</h1>
      <p className="mt-2">{m.profile_phone_sent({ phone: phoneText(newPhone ?? '') })}</p>
      <PostForm ref={form} reloadDocument noValidate className="form-panel mt-4">
        <input type="hidden" name="act" value="phone-code" />
        <OtpField id="profile-otp" error={refused?.errors.otp} />
        {refused && <FormFailure {...refused} />}
        <button type="submit" className="button-primary">
          {m.profile_phone_submit()}
        </button>
        <a href={to(`/userprofile/${profile.id}?edit=1`)} className="tap-link justify-center">
          {m.profile_phone_again()}
        </a>
      </PostForm>
    </div>
  )
}
