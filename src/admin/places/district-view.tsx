import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Choice } from '#src/ui/choice.tsx'
import { tableAddress } from '#src/ui/desk-query.ts'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { DeliveryChanges } from './delivery-changes.tsx'
import { deliveryReasons, deliveryReasonTexts } from './delivery-reasons.ts'
import type { PlacesData } from './places-page.tsx'

type District = NonNullable<PlacesData['district']>
interface Props extends Pick<PlacesData, 'changes' | 'csrf' | 'done'> {
  district: District
  refused: FormRefusal | undefined
}

/** The PIN codes of a district by taluk: some, a whole taluk or all of them are chosen, then opened or stopped. */
export function DistrictView({ district, changes, csrf, done, refused }: Props) {
  const to = useLocalPath()
  const { key, name, state, stateName, deliverable, pincodes, taluks } = district
  return (
    <div className="space-y-4 py-2">
      <a href={to(tableAddress('/admin/places', { state }))} className="tap-link">
        {m.places_back({ place: stateName })}
      </a>
      <h1 className="text-2xl">{name}</h1>
      <p className="font-semibold">{m.places_of({ place: name, deliverable, pincodes })}</p>
      {done !== null && !refused && (
        <p role="status" className="done">
          {done === 0 ? m.places_unchanged() : m.places_done({ count: done })}
        </p>
      )}
      {refused && <FormFailure detail={Object.values(refused.errors)[0] ?? refused.detail} retryAfterSeconds={refused.retryAfterSeconds} />}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <form
          method="post"
          action={to(tableAddress('/admin/places', { district: key }))}
          onSubmit={sendOnce}
          className="space-y-4"
          aria-label={name}
        >
          <input type="hidden" name="csrf" value={csrf} />
          <input type="hidden" name="district" value={key} />
          <div className="panel px-4 py-2">
            <Choice type="checkbox" name="all" value="1">
              <b>{m.places_whole_district({ count: pincodes })}</b>
            </Choice>
          </div>
          {taluks.map((taluk) => (
            <Taluk key={taluk.id} taluk={taluk} />
          ))}
          <ChangeBar reason={refused?.typed.reason} />
        </form>
        <DeliveryChanges changes={changes} object={`district:${key}`} />
      </div>
    </div>
  )
}

function Taluk({ taluk }: { taluk: District['taluks'][number] }) {
  const { id, pincodes, deliverable } = taluk
  const name = taluk.name || m.places_no_taluk()
  return (
    <fieldset className="panel min-w-0 px-4 py-2">
      <legend className="float-left w-full pt-2 text-lg font-semibold">
        {m.places_of({ place: name, deliverable, pincodes: pincodes.length })}
      </legend>
      <div className="clear-both">
        <Choice type="checkbox" name="taluk" value={id}>
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

/** Stays in sight while the PIN codes above it are ticked. */
function ChangeBar({ reason }: { reason: string | undefined }) {
  return (
    <div className="panel bottom-0 space-y-3 p-4 md:sticky">
      <SelectField
        id="places-reason"
        name="reason"
        label={m.settings_reason()}
        hint={m.places_change_hint()}
        isRequired
        required
        none={m.places_choose()}
        options={deliveryReasons.map((id) => ({ id, name: deliveryReasonTexts[id]() }))}
        defaultValue={reason ?? ''}
      />
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
