import { useState } from 'react'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Choice } from '#src/ui/choice.tsx'
import { tableAddress } from '#src/ui/desk-query.ts'
import { fieldsOf, OwnPasswordField } from '#src/ui/field.tsx'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { useSendOnce } from '#src/ui/send-once.ts'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { DeliveryChanges } from './delivery-changes.tsx'
import { deliveryReasons, deliveryReasonTexts } from './delivery-reasons.ts'
import type { PlacesData } from './places-view.server.ts'

type District = NonNullable<PlacesData['district']>
interface Props extends Pick<PlacesData, 'changes' | 'done'> {
  district: District
  refused: FormRefusal | undefined
}

/** The PIN codes of a district by taluk. The admin ticks some, a whole taluk or all, then opens or stops delivery. */
export function DistrictView({ district, changes, done, refused }: Props) {
  const to = useLocalPath()
  const { onSubmit } = useSendOnce(refused)
  const form = useFocusOnError(refused)
  const formKey = useKeyOfSuccess(changes[0]?.id, refused)
  const { key, name, state, stateName, deliverable, pincodes, taluks } = district
  return (
    <div className="space-y-4 py-2">
      <a href={to(tableAddress('/admin/places', { state }))} className="tap-link">
        {m.places_back({ place: stateName })}
      </a>
      <h1 className="text-2xl">{name}</h1>
      <p className="font-semibold">{m.places_of({ place: name, deliverable, pincodes })}</p>
      {done !== null && !refused && <FormDone>{done === 0 ? m.places_unchanged() : m.places_done({ count: done })}</FormDone>}
      {refused && refused.errors.reason === undefined && refused.errors.password === undefined && (
        <FormFailure detail={Object.values(refused.errors)[0] ?? refused.detail} />
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <PostForm
          key={formKey}
          ref={form}
          action={to(tableAddress('/admin/places', { district: key }))}
          noValidate
          onSubmit={onSubmit}
          className="group/places space-y-4"
          aria-label={name}
        >
          <HiddenFields district={key} seen={district.seen} />
          <div className="panel px-4 py-2">
            <Choice type="checkbox" name="all" value="1" defaultChecked={refused?.typed.all === '1'}>
              <b>{m.places_whole_district({ count: pincodes })}</b>
            </Choice>
          </div>
          {taluks.map((taluk) => (
            <Taluk key={taluk.id} taluk={taluk} isChosen={refused?.typed.taluk === taluk.id} />
          ))}
          <ChangeBar refused={refused} />
        </PostForm>
        <DeliveryChanges changes={changes} object={`district:${key}`} />
      </div>
    </div>
  )
}

/** A new key after each change resets the ticked boxes. A refusal keeps them, although another admin has made a change. */
function useKeyOfSuccess(lastChange: number | undefined, refused: FormRefusal | undefined) {
  const [key, setKey] = useState(lastChange)
  if (!refused && key !== lastChange) setKey(lastChange)
  return key
}

function Taluk({ taluk, isChosen }: { taluk: District['taluks'][number]; isChosen: boolean }) {
  const { id, pincodes, deliverable } = taluk
  const name = taluk.name || m.places_no_taluk()
  return (
    <fieldset className="panel min-w-0 px-4 py-2">
      <legend className="float-left w-full pt-2 text-lg font-semibold">
        {m.places_of({ place: name, deliverable, pincodes: pincodes.length })}
      </legend>
      <div className="clear-both">
        <Choice type="checkbox" name="taluk" value={id} defaultChecked={isChosen}>
          {m.places_whole_taluk({ place: name })}
        </Choice>
      </div>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-x-4 border-t border-line pt-1">
        {pincodes.map(({ pincode, isDeliverable }) => (
          <li key={pincode}>
            <Choice type="checkbox" name="pincode" value={pincode} className="gap-2">
              <span className="tabular-nums">
                {pincode}
                {!isDeliverable && <span className="block text-sm text-brick">{m.places_closed()}</span>}
              </span>
            </Choice>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

/** Sticky, so that it stays visible while the admin ticks the PIN codes above it. */
function ChangeBar({ refused }: Pick<Props, 'refused'>) {
  return (
    <div className="panel bottom-0 space-y-3 p-4 md:sticky">
      <SelectField
        {...fieldsOf('places', refused)('reason')}
        label={m.settings_reason()}
        hint={m.places_change_hint()}
        isRequired
        required
        none={m.places_choose()}
        options={deliveryReasons.map((id) => ({ id, name: deliveryReasonTexts[id]() }))}
      />
      <div className="hidden max-w-md group-has-[:is(input[name=all],input[name=taluk]):checked]/places:block">
        <OwnPasswordField id="places-password" hint={m.places_password_hint()} error={refused?.errors.password} />
      </div>
      <div className="flex flex-wrap gap-3">
        <button type="submit" name="act" value="open" className="button-primary">
          {m.places_open()}
        </button>
        <button type="submit" name="act" value="stop" className="button-danger">
          {m.places_stop()}
        </button>
      </div>
    </div>
  )
}
