import { useState } from 'react'
import { m } from '#src/paraglide/messages.js'
import { AskedFor } from '#src/ui/asked-for.tsx'
import { Choice } from '#src/ui/choice.tsx'
import { describedBy, Field, FieldError, fieldsOf } from '#src/ui/field.tsx'
import { useLocale, useLocalPath } from '#src/ui/language.ts'
import { RadioCards } from '#src/ui/radio-cards.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { PhoneField } from '../phone-field.tsx'
import { PasswordField } from './password-field.tsx'
import { userTitles, userTypes } from '../reference-data.ts'
import { REGISTRABLE_TYPES, SELLER_TYPES, VET_TYPE } from '../rules.ts'

const typeTexts: Record<number, (() => string) | undefined> = {
  1: m.register_type_buyer,
  2: m.register_type_seller,
  3: m.register_type_both,
  4: m.register_type_agent,
  [VET_TYPE]: m.register_type_vet,
}

interface PersonFieldsProps {
  /** Prefix of the fields' ids. */
  id: string
  errors: Record<string, string>
  typed: Record<string, string>
  /** The user type that is chosen at first; null: none. */
  typeId: number | null
  referralCode: string | null
}

/** Fields for a new person after a code: name, type, consent. Everything else is asked when it is first needed. A known type is folded. */
export function PersonFields({ choices, ...props }: PersonFieldsProps & { choices: readonly number[] }) {
  const locale = useLocale()
  const { id, errors, typed, typeId } = props
  const [chosen, setChosen] = useState(Number(typed.typeId ?? typeId))
  const types = <TypeField id={id} choices={choices} chosen={chosen} onChoose={setChosen} error={errors.typeId} />
  return (
    <>
      <NameField {...props} isFocused />
      {typeId === null ? (
        types
      ) : (
        <details open={errors.typeId !== undefined}>
          <summary className="tap-link gap-x-2">
            {m.register_type()} <b>{userTypes.find(({ id: each }) => each === chosen)?.[locale]}</b>
          </summary>
          {types}
        </details>
      )}
      <Invitation {...props} />
      <Consent {...props} />
    </>
  )
}

/**
 * All fields of the specification's registration (A §3). Title, password, PAN and degree may stay empty (decisions §8.2). PAN is shown for
 * types 2, 3 and 4, the degree for type 5 (A §5); without scripts both are visible and say for whom they are.
 */
export function RegistrationFields(props: PersonFieldsProps) {
  const locale = useLocale()
  const { id, errors, typed, typeId } = props
  const [chosen, setChosen] = useState(Number(typed.typeId ?? typeId))
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[auto_1fr] sm:gap-2">
        <SelectField
          id={`${id}-salutation`}
          name="titleId"
          label={m.profile_salutation()}
          none={m.profile_no_title()}
          options={userTitles.map((title) => ({ id: title.id, name: title[locale] }))}
          defaultValue={typed.titleId ?? ''}
          autoComplete="honorific-prefix"
          error={errors.titleId}
        />
        <NameField {...props} />
      </div>
      <PhoneField id={`${id}-phone`} autoComplete="username" defaultValue={typed.phone} error={errors.phone} />
      <PasswordField id={`${id}-password`} isNew hint={m.register_password_hint()} error={errors.password} />
      <TypeField id={id} choices={REGISTRABLE_TYPES} chosen={chosen} onChoose={setChosen} error={errors.typeId} />
      <AskedFor isAsked={SELLER_TYPES.includes(chosen)}>
        <Field
          id={`${id}-pan`}
          name="pan"
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={60}
          label={m.register_pan()}
          hint={m.register_pan_hint()}
          error={errors.pan}
        />
      </AskedFor>
      <AskedFor isAsked={chosen === VET_TYPE}>
        <Field
          {...fieldsOf(id, props)('degree')}
          autoComplete="off"
          maxLength={80}
          label={m.register_degree()}
          hint={m.register_degree_hint()}
        />
      </AskedFor>
      <Invitation {...props} />
      <Consent {...props} />
    </>
  )
}

const NameField = ({ id, isFocused = false, ...entered }: PersonFieldsProps & { isFocused?: boolean }) => (
  <Field
    {...fieldsOf(id, entered)('name')}
    {...(isFocused && { autoFocus: true })}
    autoComplete="name"
    maxLength={100}
    label={m.register_name()}
  />
)

interface TypeFieldProps {
  id: string
  choices: readonly number[]
  chosen: number | string | null
  onChoose?: (typeId: number) => void
  error: string | undefined
}

function TypeField({ id, choices, chosen, onChoose, error }: TypeFieldProps) {
  const locale = useLocale()
  return (
    <RadioCards
      id={`${id}-type`}
      name="typeId"
      legend={m.register_type()}
      options={userTypes
        .filter((type) => choices.includes(type.id))
        .map((type) => ({ id: type.id, name: <span className="font-semibold">{type[locale]}</span>, more: typeTexts[type.id]?.() }))}
      chosen={chosen}
      onChoose={(now) => onChoose?.(Number(now))}
      error={error}
      card="gap-3"
    />
  )
}

function Invitation({ referralCode }: PersonFieldsProps) {
  if (!referralCode) return null
  return (
    <p className="notice text-sm font-semibold">
      {m.register_invited({ code: referralCode })}
      <input type="hidden" name="referralCode" value={referralCode} />
    </p>
  )
}

type ConsentProps = Pick<PersonFieldsProps, 'id' | 'errors' | 'typed'> & { isOpen?: boolean }

/** The itemised notice above the tick, which we never preset. Its text has a version (schemas.ts). */
export function Consent({ id: prefix, isOpen, errors, typed }: ConsentProps) {
  const to = useLocalPath()
  const id = `${prefix}-consent`
  const error = errors.hasConsented
  return (
    <div>
      <details open={isOpen}>
        <summary className="tap-link">{m.register_notice()}</summary>
        <ul className="mt-1 list-disc space-y-1 pl-5 text-sm">
          <li>{m.register_notice_phone()}</li>
          <li>{m.register_notice_name()}</li>
          <li>{m.register_notice_extra()}</li>
          <li>{m.register_notice_rights()}</li>
        </ul>
        <a href={to('/privacy-policy')} target="_blank" rel="noopener" className="tap-link text-sm">
          {m.accounts_privacy()}
        </a>
      </details>
      <Choice
        id={id}
        type="checkbox"
        name="hasConsented"
        value="yes"
        defaultChecked={typed.hasConsented !== undefined}
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
