import { useState } from 'react'
import { m } from '#src/paraglide/messages.js'
import { AskedFor } from '#src/ui/asked-for.tsx'
import { Choice } from '#src/ui/choice.tsx'
import { describedBy, Field, FieldError } from '#src/ui/field.tsx'
import { useLocale, useLocalPath } from '#src/ui/language.ts'
import { RadioCards } from '#src/ui/radio-cards.tsx'
import { PasswordField } from './password-field.tsx'
import { userTypes } from '#src/accounts/reference-data.ts'
import { VET_TYPE } from '#src/accounts/rules.ts'

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
  /** Preset user type; null asks for it. */
  typeId: number | null
  choices: readonly number[]
  referralCode: string | null
}

/** Fields for a new person: name, type, consent; for vets also degree and password. Everything else is asked when it is first needed. */
export function PersonFields({ id, errors, typed, typeId, choices, referralCode }: PersonFieldsProps) {
  const locale = useLocale()
  const [chosen, setChosen] = useState(typeId ?? Number(typed.typeId))
  return (
    <>
      <Field
        id={`${id}-name`}
        name="name"
        autoComplete="name"
        maxLength={100}
        label={m.register_name()}
        defaultValue={typed.name}
        error={errors.name}
      />
      {typeId === null ? (
        <RadioCards
          id={`${id}-type`}
          name="typeId"
          legend={m.register_type()}
          options={userTypes
            .filter((type) => choices.includes(type.id))
            .map((type) => ({ id: type.id, name: <span className="font-semibold">{type[locale]}</span>, more: typeTexts[type.id]?.() }))}
          chosen={chosen}
          onChoose={(now) => setChosen(Number(now))}
          error={errors.typeId}
          card="gap-3"
        />
      ) : (
        <input type="hidden" name="typeId" value={typeId} />
      )}
      {typeId === null && choices.includes(VET_TYPE) && <VetFields id={id} isAsked={chosen === VET_TYPE} errors={errors} typed={typed} />}
      {referralCode && (
        <p className="notice text-sm font-semibold">
          {m.register_invited({ code: referralCode })}
          <input type="hidden" name="referralCode" value={referralCode} />
        </p>
      )}
      <Consent id={`${id}-consent`} error={errors.hasConsented} isTicked={typed.hasConsented !== undefined} />
    </>
  )
}

function VetFields({ id, isAsked, errors, typed }: Pick<PersonFieldsProps, 'id' | 'errors' | 'typed'> & { isAsked: boolean }) {
  return (
    <AskedFor isAsked={isAsked}>
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
      <PasswordField id={`${id}-password`} isNew label={m.register_password()} error={errors.password} />
    </AskedFor>
  )
}

/** The itemised notice above the tick, which we never preset. Its text has a version (schemas.ts). */
function Consent({ id, error, isTicked }: { id: string; error: string | undefined; isTicked: boolean }) {
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
