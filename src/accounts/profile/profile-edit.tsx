import { useEffect, useState } from 'react'
import { useNavigation } from 'react-router'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { AskedFor } from '#src/ui/asked-for.tsx'
import { Field, fieldsOf } from '#src/ui/field.tsx'
import { useLocale, useLocalPath } from '#src/ui/language.ts'
import { RadioCards } from '#src/ui/radio-cards.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { PostForm } from '#src/ui/post-form.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { PasswordField } from '#src/accounts/sign-in/password-field.tsx'
import { PhoneField } from '../phone-field.tsx'
import type { ProfilePageData } from './profile-view.server.ts'
import { userTitles } from '../reference-data.ts'
import { ADMIN_TYPE, REQUESTED_TYPES, SELLER_TYPES } from '../rules.ts'

interface FieldsProps {
  profile: ProfilePageData['profile']
  refused: FormRefusal | undefined
}

/** 'Edit Profile'. Without scripts, fields that depend on a choice (PAN, degree, password) are always visible. */
export function ProfileEdit({ profile, types, hasPassword, refused }: ProfilePageData & { refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const form = useFocusOnError(refused)
  const isBusy = useNavigation().formMethod === 'POST'
  const typed = refused?.typed
  const errors = refused?.errors ?? {}
  const [phone, setPhone] = useState(typed?.phone ?? profile.phone)
  useEffect(() => {
    // A person may have typed before the scripts loaded.
    if (form.current) setPhone(String(new FormData(form.current).get('phone')))
  }, [form])
  // An approximation; the server decides whether the number is new.
  const isNewPhone = errors.password !== undefined || lastDigits(phone) !== lastDigits(profile.phone)
  return (
    <div className="mx-auto max-w-xl py-2">
      <h1 className="text-2xl">{m.profile_edit()}</h1>
      <PostForm
        ref={form}
        noValidate
        onInput={({ target }) => target instanceof HTMLInputElement && target.name === 'phone' && setPhone(target.value)}
        className="form-panel mt-4"
      >
        <input type="hidden" name="act" value="save" />
        <NameFields profile={profile} refused={refused} />
        <PhoneField id="profile-phone" defaultValue={typed?.phone ?? profile.phone} error={errors.phone} />
        <AskedFor isAsked={isNewPhone}>
          <PhoneProof profileId={profile.id} hasPassword={hasPassword} error={errors.password} />
        </AskedFor>
        <Field
          {...fieldsOf('profile', refused)('email', profile.email ?? '')}
          type="email"
          inputMode="email"
          autoComplete="email"
          maxLength={254}
          label={m.profile_email()}
          hint={m.profile_email_hint()}
        />
        <TypeFields profile={profile} types={types} refused={refused} />
        <LanguageField chosen={typed?.locale ?? profile.locale} />
        {profile.isVerified && <p className="notice text-sm">{m.profile_badge_ends()}</p>}
        {profile.vetApproved && <p className="notice text-sm">{m.profile_vet_name_ends()}</p>}
        {refused && <FormFailure detail={failureText(refused)} />}
        <div className="grid gap-2 sm:grid-cols-2">
          <button type="submit" aria-busy={isBusy} className="button-primary">
            {m.profile_save()}
          </button>
          <a href={to(`/userprofile/${profile.id}`)} className="button-plain">
            {m.profile_cancel()}
          </a>
        </div>
      </PostForm>
    </div>
  )
}

/** A new number needs proof of identity: the password, or a code to the current number. */
function PhoneProof({ profileId, hasPassword, error }: { profileId: number; hasPassword: boolean; error: string | undefined }) {
  const to = useLocalPath()
  return (
    <div>
      {hasPassword ? (
        <PasswordField id="profile-password" label={m.profile_phone_password()} error={error} />
      ) : (
        <p>
          {m.profile_phone_proof()}{' '}
          <a href={to(`/login?again=1&next=${encodeURIComponent(to(`/userprofile/${profileId}?edit=1`))}`)} className="link">
            {m.profile_phone_prove()}
          </a>
        </p>
      )}
      <p className="mt-1 text-sm text-stone">{m.profile_phone_hint()}</p>
    </div>
  )
}

function LanguageField({ chosen }: { chosen: string }) {
  return (
    <RadioCards
      id="profile-locale"
      name="locale"
      legend={m.profile_language()}
      options={[
        { id: 'ta', name: <span lang="ta">தமிழ்</span> },
        { id: 'en', name: <span lang="en">English</span> },
      ]}
      chosen={chosen}
      columns="grid-cols-2"
      card="gap-3"
    />
  )
}

function NameFields({ profile, refused }: FieldsProps) {
  const locale = useLocale()
  const { typed } = refused ?? {}
  const field = fieldsOf('profile', refused)
  return (
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
      <Field {...field('name', profile.name)} autoComplete="name" maxLength={100} label={m.profile_name()} />
    </div>
  )
}

/** User type, and the fields that the chosen type needs. */
function TypeFields({ profile, types, refused }: FieldsProps & Pick<ProfilePageData, 'types'>) {
  const { typed, errors = {} } = refused ?? {}
  const [typeId, setTypeId] = useState(Number(typed?.typeId ?? profile.requestedTypeId ?? profile.typeId))
  const asks = types.find((type) => type.id === typeId)?.asks ?? null
  return (
    <>
      {profile.typeId !== ADMIN_TYPE && (
        <RadioCards
          id="profile-type"
          name="typeId"
          legend={m.profile_type()}
          hint={m.profile_type_hint()}
          options={types.map((type) => ({
            id: type.id,
            name: type.name,
            more:
              REQUESTED_TYPES.includes(type.id) &&
              type.id !== profile.typeId &&
              (type.id === profile.requestedTypeId ? m.profile_type_waiting() : m.profile_type_asked()),
          }))}
          chosen={typeId}
          onChoose={(chosen) => setTypeId(Number(chosen))}
          error={errors.typeId}
          card="gap-3"
        >
          {sells(profile.typeId) && (
            <AskedFor isAsked={!sells(typeId)}>
              <p className="mt-2 notice text-sm">{m.profile_type_hides()}</p>
            </AskedFor>
          )}
        </RadioCards>
      )}
      <AskedByType profile={profile} refused={refused} asks={asks} />
    </>
  )
}

function AskedByType({ profile, refused, asks }: FieldsProps & { asks: ProfilePageData['types'][number]['asks'] }) {
  const to = useLocalPath()
  const { errors = {} } = refused ?? {}
  const field = fieldsOf('profile', refused)
  return (
    <>
      {errors.typeId !== undefined && asks === 'pan' && (
        <a href={to('/my-addresses/sell/selleraddress')} className="tap-link -mt-4 font-semibold">
          {m.profile_add_address()}
        </a>
      )}
      <AskedFor isAsked={asks === 'pan'}>
        <Field
          id="profile-pan"
          name="pan"
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={60}
          label={m.profile_pan()}
          hint={profile.maskedPan ? m.profile_pan_known({ pan: profile.maskedPan }) : m.profile_pan_hint()}
          error={errors.pan}
        />
      </AskedFor>
      <AskedFor isAsked={asks === 'degree'}>
        <Field {...field('degree', profile.degree ?? '')} maxLength={80} label={m.profile_degree()} />
      </AskedFor>
    </>
  )
}

const sells = (typeId: number) => SELLER_TYPES.includes(typeId)

const lastDigits = (phone: string) => phone.replace(/\D/g, '').slice(-10)

const failureText = ({ code, detail }: FormRefusal) =>
  code === 'INTERNAL' || code === 'UNAVAILABLE' || code === 'MALFORMED' ? m.profile_save_failed() : detail
