import { useState } from 'react'
import { m } from '#src/paraglide/messages.js'
import { AskedFor } from '#src/ui/asked-for.tsx'
import { Choice } from '#src/ui/choice.tsx'
import { describedBy, Field, FieldError } from '#src/ui/field.tsx'
import { useLocale, useLocalPath } from '#src/ui/language.ts'
import { RadioCards } from '#src/ui/radio-cards.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { PasswordField } from './password-field.tsx'
import { PhoneField } from '#src/accounts/phone-field.tsx'
import { userTitles, userTypes } from '#src/accounts/reference-data.ts'

/** What each type means to a keeper, and its additional field. */
const types: Record<number, { says: () => string; asks?: 'pan' | 'degree' }> = {
  1: { says: m.register_type_buyer },
  2: { says: m.register_type_seller, asks: 'pan' },
  3: { says: m.register_type_both, asks: 'pan' },
  4: { says: m.register_type_agent, asks: 'pan' },
  5: { says: m.register_type_vet, asks: 'degree' },
}

export const typeTexts: Record<number, (() => string) | undefined> = Object.fromEntries(
  Object.entries(types).map(([id, { says }]) => [id, says]),
)

interface RegisterFieldsProps {
  /** Prefix of the fields' ids: page and modal may be in one document. */
  id: string
  errors: Record<string, string>
  typed: Record<string, string>
  /** The code of the referral link. */
  referralCode: string | null
}

/** All of specification A §5. Without scripts PAN and degree are both shown, labelled by type; with them, the matching one. */
export function RegisterFields({ id, errors, typed, referralCode }: RegisterFieldsProps) {
  const locale = useLocale()
  const [typeId, setTypeId] = useState(Number(typed.typeId) || 0)
  return (
    <>
      <PhoneField id={`${id}-phone`} autoComplete="username" defaultValue={typed.phone} error={errors.phone} />
      <PasswordField id={`${id}-password`} isNew error={errors.password} />
      <div className="grid gap-4 xs:grid-cols-[auto_1fr] xs:gap-2">
        <SelectField
          id={`${id}-title`}
          name="titleId"
          label={m.register_salutation()}
          none={m.register_salutation_none()}
          options={userTitles.map((title) => ({ id: title.id, name: title[locale] }))}
          defaultValue={typed.titleId ?? ''}
          autoComplete="honorific-prefix"
        />
        <Field
          id={`${id}-name`}
          name="name"
          autoComplete="name"
          maxLength={100}
          label={m.register_name()}
          defaultValue={typed.name}
          error={errors.name}
        />
      </div>
      <RadioCards
        id={`${id}-type`}
        name="typeId"
        legend={m.register_type()}
        options={userTypes
          .filter((type) => !type.hidden)
          .map((type) => ({ id: type.id, name: <span className="font-semibold">{type[locale]}</span>, more: types[type.id]?.says() }))}
        chosen={typeId}
        onChoose={(chosen) => setTypeId(Number(chosen))}
        error={errors.typeId}
        card="gap-3"
      />
      <AskedByType id={id} asks={types[typeId]?.asks} errors={errors} typed={typed} />
      {referralCode && (
        <p className="rounded-control bg-turmeric-soft p-3 text-sm font-semibold">
          {m.register_invited({ code: referralCode })}
          <input type="hidden" name="referralCode" value={referralCode} />
        </p>
      )}
      <Consent id={`${id}-consent`} error={errors.hasConsented} isTicked={typed.hasConsented !== undefined} />
    </>
  )
}

function AskedByType({ id, asks, errors, typed }: Omit<RegisterFieldsProps, 'referralCode'> & { asks: 'pan' | 'degree' | undefined }) {
  return (
    <>
      <AskedFor isAsked={asks === 'pan'}>
        <Field
          id={`${id}-pan`}
          name="pan"
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          maxLength={20}
          label={m.register_pan()}
          hint={m.register_pan_hint()}
          error={errors.pan}
        />
      </AskedFor>
      <AskedFor isAsked={asks === 'degree'}>
        <Field
          id={`${id}-degree`}
          name="degree"
          autoComplete="off"
          maxLength={80}
          label={m.register_degree()}
          hint={m.register_degree_hint()}
          defaultValue={typed.degree}
          error={errors.degree}
        />
      </AskedFor>
    </>
  )
}

/** The itemised notice stands above the tick, which is never set by us. Its wording has a version (schemas.ts). */
export function Consent({ id, error, isTicked }: { id: string; error: string | undefined; isTicked: boolean }) {
  const to = useLocalPath()
  return (
    <div className="rounded-control border border-line p-3">
      <p className="font-semibold">{m.register_notice()}</p>
      <ul className="mt-1 list-disc space-y-1 pl-5 text-sm">
        <li>{m.register_notice_phone()}</li>
        <li>{m.register_notice_name()}</li>
        <li>{m.register_notice_extra()}</li>
        <li>{m.register_notice_rights()}</li>
      </ul>
      <a href={to('/privacy-policy')} target="_blank" rel="noopener" className="tap-link text-sm">
        {m.accounts_privacy()}
      </a>
      <Choice
        id={id}
        type="checkbox"
        name="hasConsented"
        value="yes"
        defaultChecked={isTicked}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={describedBy(id, false, error)}
        className="gap-3 font-semibold"
        tick="size-6"
      >
        {m.register_consent()}
      </Choice>
      <FieldError id={id} error={error} />
    </div>
  )
}
