import { useState } from 'react'
import { Form, useNavigation } from 'react-router'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { AskedFor } from '#src/ui/asked-for.tsx'
import { describedBy, Field, FieldError } from '#src/ui/field.tsx'
import { useLocale, useLocalPath } from '#src/ui/language.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { FormFailure, useFocusOnWrong } from '#src/accounts/form-failure.tsx'
import { PasswordField } from '#src/accounts/sign-in/password-field.tsx'
import { PhoneField } from '#src/accounts/phone-field.tsx'
import type { ProfilePageData } from './profile-page.tsx'
import { userTitles } from '#src/accounts/reference-data.ts'
import { ADMIN_TYPE, REQUESTED_TYPES, SELLER_TYPES } from '#src/accounts/rules.ts'

const choiceClass =
  'flex min-h-11 cursor-pointer items-center gap-3 rounded-control border border-line bg-white px-3 py-2 has-checked:border-leaf has-checked:bg-leaf-soft has-checked:ring-1 has-checked:ring-leaf'

/** 'Edit Profile'. Fields that depend on a choice (PAN, degree, password) are always shown without scripts. */
export function ProfileEdit({ profile, types, csrf, refused }: ProfilePageData & { refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const locale = useLocale()
  const form = useFocusOnWrong(refused)
  const isBusy = useNavigation().formMethod === 'POST'
  const typed = refused?.typed
  const errors = refused?.errors ?? {}
  const [typeId, setTypeId] = useState(Number(typed?.typeId ?? profile.requestedTypeId ?? profile.typeId))
  const [phone, setPhone] = useState(typed?.phone ?? profile.phone)
  // A rough check: the server decides whether the number is another.
  const isNewPhone = errors.password !== undefined || lastDigits(phone) !== lastDigits(profile.phone)
  const asks = types.find((type) => type.id === typeId)?.asks ?? null
  const language = typed?.locale ?? profile.locale
  return (
    <div className="mx-auto max-w-xl py-2">
      <h1 className="text-2xl">{m.profile_edit()}</h1>
      <Form
        ref={form}
        method="post"
        noValidate
        onInput={({ target }) => target instanceof HTMLInputElement && target.name === 'phone' && setPhone(target.value)}
        className="panel mt-4 grid gap-4 p-4"
      >
        <input type="hidden" name="csrf" value={csrf} />
        <input type="hidden" name="act" value="save" />
        <div className="grid gap-4 sm:grid-cols-[auto_1fr] sm:gap-2">
          <SelectField
            id="profile-title"
            name="titleId"
            label={m.profile_salutation()}
            none={m.profile_no_title()}
            options={userTitles.map((title) => ({ id: title.id, name: title[locale] }))}
            defaultValue={typed?.titleId ?? profile.titleId ?? ''}
            autoComplete="honorific-prefix"
          />
          <Field
            id="profile-name"
            name="name"
            autoComplete="name"
            maxLength={100}
            label={m.profile_name()}
            defaultValue={typed?.name ?? profile.name}
            error={errors.name}
          />
        </div>
        <PhoneField id="profile-phone" defaultValue={typed?.phone ?? profile.phone} error={errors.phone} />
        <AskedFor isAsked={isNewPhone}>
          <div>
            <PasswordField id="profile-password" label={m.profile_phone_password()} error={errors.password} />
            <p className="mt-1 text-sm text-stone">{m.profile_phone_hint()}</p>
          </div>
        </AskedFor>
        <Field
          id="profile-email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          maxLength={254}
          label={m.profile_email()}
          hint={m.profile_email_hint()}
          defaultValue={typed?.email ?? profile.email ?? ''}
          error={errors.email}
        />
        {profile.typeId !== ADMIN_TYPE && (
          <fieldset
            aria-invalid={errors.typeId !== undefined || undefined}
            aria-describedby={describedBy('profile-type', true, errors.typeId)}
            role="radiogroup"
          >
            <legend className="label">{m.profile_type()}</legend>
            <p id="profile-type-hint" className="mb-2 text-sm text-stone">
              {m.profile_type_hint()}
            </p>
            <div className="grid gap-2">
              {types.map((type) => (
                <label key={type.id} className={choiceClass}>
                  <input
                    type="radio"
                    name="typeId"
                    value={type.id}
                    defaultChecked={type.id === typeId}
                    onChange={() => setTypeId(type.id)}
                    className="size-5 shrink-0 accent-leaf"
                  />
                  <span>
                    {type.name}
                    {REQUESTED_TYPES.includes(type.id) && type.id !== profile.typeId && (
                      <span className="block text-sm text-stone">
                        {type.id === profile.requestedTypeId ? m.profile_type_waiting() : m.profile_type_asked()}
                      </span>
                    )}
                  </span>
                </label>
              ))}
            </div>
            {sells(profile.typeId) && (
              <AskedFor isAsked={!sells(typeId)}>
                <p className="mt-2 rounded-control bg-turmeric-soft p-3 text-sm">{m.profile_type_hides()}</p>
              </AskedFor>
            )}
            <FieldError id="profile-type" error={errors.typeId} />
            {errors.typeId !== undefined && asks === 'pan' && (
              <a href={to('/my-addresses/sell/selleraddress')} className="link inline-flex min-h-11 items-center font-semibold">
                {m.profile_add_address()}
              </a>
            )}
          </fieldset>
        )}
        <AskedFor isAsked={asks === 'pan'}>
          <Field
            id="profile-pan"
            name="pan"
            autoComplete="off"
            autoCapitalize="characters"
            maxLength={20}
            label={m.profile_pan()}
            hint={profile.maskedPan ? m.profile_pan_known({ pan: profile.maskedPan }) : m.profile_pan_hint()}
            error={errors.pan}
          />
        </AskedFor>
        <AskedFor isAsked={asks === 'degree'}>
          <Field
            id="profile-degree"
            name="degree"
            maxLength={80}
            label={m.profile_degree()}
            defaultValue={typed?.degree ?? profile.degree ?? ''}
            error={errors.degree}
          />
        </AskedFor>
        <fieldset role="radiogroup">
          <legend className="label">{m.profile_language()}</legend>
          <div className="grid grid-cols-2 gap-2">
            {(['ta', 'en'] as const).map((each) => (
              <label key={each} className={choiceClass}>
                <input type="radio" name="locale" value={each} defaultChecked={each === language} className="size-5 shrink-0 accent-leaf" />
                <span lang={each}>{each === 'ta' ? 'தமிழ்' : 'English'}</span>
              </label>
            ))}
          </div>
        </fieldset>
        {profile.isVerified && <p className="rounded-control bg-turmeric-soft p-3 text-sm">{m.profile_badge_ends()}</p>}
        {profile.vetApproved && <p className="rounded-control bg-turmeric-soft p-3 text-sm">{m.profile_vet_name_ends()}</p>}
        {refused && <FormFailure detail={failureText(refused)} retryAfterSeconds={refused.retryAfterSeconds} />}
        <div className="grid gap-2 sm:grid-cols-2">
          <button type="submit" aria-busy={isBusy} className="button-primary">
            {m.profile_save()}
          </button>
          <a href={to(`/userprofile/${profile.id}`)} className="button-plain">
            {m.profile_cancel()}
          </a>
        </div>
      </Form>
    </div>
  )
}

const sells = (typeId: number) => SELLER_TYPES.includes(typeId)

const lastDigits = (phone: string) => phone.replace(/\D/g, '').slice(-10)

const failureText = ({ code, detail }: FormRefusal) =>
  code === 'INTERNAL' || code === 'UNAVAILABLE' || code === 'MALFORMED' ? m.profile_save_failed() : detail
