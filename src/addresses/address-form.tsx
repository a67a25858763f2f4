import { useLocation } from 'react-router'
import { MAX_ADDRESS_LINE } from './address-limits.ts'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Field, fieldsOf } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'
import { PostForm } from '#src/ui/post-form.tsx'
import { RadioCards } from '#src/ui/radio-cards.tsx'
import { shownPhone, Undeliverable } from './address-lines.tsx'
import type { ShownAddress, ShownPlace } from './addresses-view.server.ts'
import { PincodeField } from './pincode-field.tsx'
import type { PincodeAnswer } from './use-pincode-place.ts'
import { useSendOnce } from '#src/ui/send-once.ts'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'

type FieldName = 'name' | 'phone' | 'typeId' | 'address1' | 'address2' | 'pincode'

interface AddressFormProps {
  /** The address to change; null for a new one. */
  address: ShownAddress | null
  /** Known values of a new address. */
  own?: { name: string; phone: string }
  types: { id: number; name: string }[]
  /** Path of the address page. */
  path: string
  /** The first address of a person: the PIN code has the focus. */
  isFirst?: boolean
  refused: FormRefusal | undefined
  /** Without scripts: the result of the PIN code lookup, and the other typed values. */
  looked: { place: ShownPlace; typed: Record<string, string> } | undefined
}

export function AddressForm({ address, own = NOBODY, types, path, isFirst = false, refused, looked }: AddressFormProps) {
  const { pathname, search } = useLocation()
  const { isBusy, onSubmit } = useSendOnce(refused)
  const ref = useFocusOnError(refused)
  const errors = refused?.errors ?? {}
  const stored: Record<FieldName, string> = address
    ? { ...address, typeId: String(address.typeId), phone: national(address.phone), pincode: address.place.pincode }
    : { ...own, phone: national(own.phone), typeId: HOME, address1: '', address2: '', pincode: '' }
  const typed = { ...stored, ...refused?.typed, ...looked?.typed }
  const known = looked?.place ?? (address && typed.pincode === address.place.pincode ? address.place : null)
  return (
    <PostForm ref={ref} action={pathname + search} onSubmit={onSubmit} noValidate className="panel mt-3 grid gap-5 p-3 sm:p-5">
      {address && <input type="hidden" name="id" value={address.id} />}
      {/* Enter submits by the first button. */}
      <button type="submit" name="act" value={address ? 'change' : 'add'} tabIndex={-1} aria-hidden className="sr-only" />
      <Failure refused={refused} path={path} />
      <PincodeField
        id="address-pincode"
        label={m.address_pincode()}
        hint={m.address_place_hint()}
        typed={typed.pincode}
        error={errors.pincode}
        known={known}
        isFocused={isFirst}
      >
        {(answer) => <Place answer={answer} />}
      </PincodeField>
      <TextFields text={fieldsOf('address', { typed, errors })} types={types} />
      <Buttons address={address} path={path} isFirst={isFirst} isBusy={isBusy} />
    </PostForm>
  )
}

const NOBODY = { name: '', phone: '' }

const HOME = '1'

/** The street, the contact person and the type of place; the last are prefilled for most people. */
function TextFields({ text, types }: { text: ReturnType<typeof fieldsOf> } & Pick<AddressFormProps, 'types'>) {
  const { defaultValue, ...type } = text('typeId')
  return (
    <>
      <Field
        {...text('address1')}
        label={m.address_line1()}
        hint={m.address_line1_hint()}
        autoComplete="address-line1"
        maxLength={MAX_ADDRESS_LINE}
      />
      <Field
        {...text('address2')}
        label={m.address_line2()}
        hint={m.address_line2_hint()}
        autoComplete="address-line2"
        maxLength={MAX_ADDRESS_LINE}
      />
      <Field {...text('name')} label={m.address_name()} hint={m.address_name_hint()} autoComplete="name" maxLength={200} />
      <Field
        {...text('phone')}
        label={m.address_phone()}
        before="+91"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        maxLength={40}
        placeholder="98765 43210"
      />
      <RadioCards
        {...type}
        legend={m.address_type()}
        options={types}
        chosen={defaultValue}
        columns="grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] sm:grid-cols-3"
        card="gap-1.5 px-2"
      />
    </>
  )
}

function Buttons({ address, path, isFirst, isBusy }: Pick<AddressFormProps, 'address' | 'path' | 'isFirst'> & { isBusy: boolean }) {
  const to = useLocalPath()
  return (
    <div data-place-bar={isFirst || undefined} className={isFirst ? 'action-bar flex' : 'flex flex-wrap gap-3'}>
      <button type="submit" name="act" value={address ? 'change' : 'add'} aria-disabled={isBusy} className="button-primary grow sm:grow-0">
        {isBusy ? m.address_saving() : m.address_save()}
      </button>
      {address && (
        <Link to={to(path)} className="button-plain">
          {m.address_cancel()}
        </Link>
      )}
    </div>
  )
}

/** Ten digits without the fixed +91; numbers of other countries in full. */
const national = (phone: string) => shownPhone(phone).replace(/^\+91 /, '')

/** The place of the PIN code, which replaces four fields. A live region announces changes. */
function Place({ answer }: { answer: PincodeAnswer }) {
  const place = answer.kind === 'known' ? answer.place : null
  const facts = place && [
    [m.address_taluk(), place.taluk],
    [m.address_district(), place.district],
    [m.address_state(), place.state],
    [m.address_country(), m.address_india()],
  ]
  return (
    <div role="status" className="mt-2">
      {facts && (
        <dl className="flex flex-wrap gap-x-1 text-sm font-semibold">
          {facts.map(([name, value]) => (
            <div key={name} className="not-last:after:content-[',']">
              <dt className="sr-only">{name}</dt>
              <dd className="inline">{value || '–'}</dd>
            </div>
          ))}
        </dl>
      )}
      {answer.kind === 'looking' && <p className="text-sm">{m.address_looking()}</p>}
      {answer.kind === 'failed' && <p className="text-sm font-semibold text-brick">{m.address_lookup_failed()}</p>}
      {place && !place.isDeliverable && <Undeliverable isTyping />}
    </div>
  )
}

function Failure({ refused, path }: { refused: FormRefusal | undefined; path: string }) {
  const to = useLocalPath()
  if (!refused) return null
  const isOurs = refused.code === 'INTERNAL' || refused.code === 'UNAVAILABLE'
  return (
    <p role="alert" tabIndex={-1} data-failure className="failure">
      {isOurs ? m.address_save_failed() : refused.detail}{' '}
      {refused.code === 'AUTH_REQUIRED' && (
        <a href={to(`/login?next=${encodeURIComponent(to(path))}`)} className="underline">
          {m.frame_login()}
        </a>
      )}
    </p>
  )
}
