import type { ReactNode } from 'react'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Field, fieldsOf } from '#src/ui/field.tsx'
import { FileField } from '#src/ui/file-field.tsx'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { useSendOnce } from '#src/ui/send-once.ts'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { AmountPaid } from '#src/orders/card/amount-paid.tsx'
import { CallUs } from '#src/orders/card/order-card.tsx'
import { PaymentMethod } from '#src/orders/handover/handover-bearer.tsx'
import type { ShownStop } from './run-sheet.server.ts'

type Act = 'fetch' | 'close' | 'refuse'
/** Handovers that an older page stored on the phone name no act. */
const actOf = (refused: FormRefusal | undefined): Act => (refused?.typed.act || 'close') as Act

/** The refused form belongs to this stop. */
export const isRefusedAt = (stop: ShownStop, refused: FormRefusal | undefined): boolean =>
  refused?.typed.id === String(stop.id) && (stop.kind === 'fetch') === (actOf(refused) === 'fetch')

interface StopProps {
  stop: ShownStop
  /** The number of the office. */
  phone: string
  refused: FormRefusal | undefined
}

/** One stop of the day. The first one is the next and stands open; a tap opens the others. */
export function StopCard({ stop, number, phone, refused }: StopProps & { number: number }) {
  const isFetch = stop.kind === 'fetch'
  const isNext = number === 1
  return (
    <article
      aria-label={`${number}. ${isFetch ? m.run_fetch() : m.run_bring()} ${stop.orderNo}`}
      className={`panel wrap-anywhere ${isNext ? 'border-2 border-leaf' : ''}`}
    >
      <details open={isNext || refused !== undefined || undefined} className="group">
        <summary className="grid min-h-11 cursor-pointer grid-cols-[auto_minmax(0,1fr)_auto] gap-x-2 p-4">
          <span className="grid size-9 place-items-center rounded-full bg-leaf text-lg font-bold text-white">{number}</span>
          <h2 className="text-lg">
            {isNext && <span className="block text-sm text-leaf">{m.bring_next()}</span>}
            {isFetch ? m.run_fetch() : m.run_bring()}: {stop.animal}
          </h2>
          <span aria-hidden="true" className="self-start fold-arrow" />
          <span className="col-start-2 text-sm text-stone">
            {stop.orderNo} · {stop.code}
            {stop.when && ` · ${stop.when}`}
          </span>
        </summary>
        <div className="space-y-3 px-4 pb-4">
          <Place stop={stop} />
          {isFetch ? <Fetching stop={stop} phone={phone} refused={refused} /> : <Bringing stop={stop} phone={phone} refused={refused} />}
        </div>
      </details>
    </article>
  )
}

function Place({ stop: { kind, place } }: Pick<StopProps, 'stop'>) {
  return (
    <>
      <address className="not-italic">
        <bdi className="font-semibold">{place.name}</bdi>
        {place.lines.map((line) => (
          <bdi key={line} className="block">
            {line}
          </bdi>
        ))}
      </address>
      <div className="grid gap-2 sm:grid-cols-2">
        {place.phone && (
          <a href={`tel:${place.phone}`} className="button-plain px-2">
            <Icon name="phone" size={20} className="shrink-0" />
            {kind === 'fetch' ? m.bring_call_seller() : m.bring_call_buyer()}
          </a>
        )}
        {/* `geo:` opens the phone's own map app, so no third party learns the address. */}
        <a href={`geo:0,0?q=${encodeURIComponent(place.lines.join(', '))}`} className="button-plain px-2">
          <Icon name="pin" size={20} className="shrink-0" />
          {m.bring_way()}
        </a>
      </div>
    </>
  )
}

/** At the seller's: the digits to say, and the form for the digits that the seller says. */
function Fetching({ stop, phone, refused }: StopProps) {
  const say = stop.say && (
    <p className="notice">
      {m.bring_say()} <b className="text-3xl tracking-widest tabular-nums">{stop.say}</b>
    </p>
  )
  if (!stop.isReady)
    return (
      <>
        {say}
        <p>
          {m.bring_not_ready()} <CallUs phone={phone} />
        </p>
      </>
    )
  return (
    <>
      {say}
      <ActForm act="fetch" title={m.bring_fetch()} send={m.bring_fetch()} stop={stop} phone={phone} refused={refused}>
        <Digits stop={stop} label={m.bring_fetch_code()} error={refused?.errors.code} />
      </ActForm>
    </>
  )
}

/** At the buyer's: the amount, the form for the buyer's digits, and the form for an animal that the buyer does not take. */
function Bringing({ stop, phone, refused }: StopProps) {
  const ofClose = actOf(refused) === 'close' ? refused : undefined
  const ofRefuse = actOf(refused) === 'refuse' ? refused : undefined
  const id = `bring-${stop.id}`
  return (
    <>
      <p className="note">
        {m.run_collect()} <b className="text-2xl whitespace-nowrap">{stop.amount}</b>
      </p>
      {!stop.isOnTheWay && <p className="text-sm text-stone">{m.bring_not_yet()}</p>}
      <ActForm act="close" title={m.handover_close()} send={m.bring_close()} stop={stop} phone={phone} refused={ofClose}>
        <Digits stop={stop} label={m.handover_code_label()} error={ofClose?.errors.code} />
        <PaymentMethod id={`${id}-method`} typed={ofClose?.typed.paymentMethod} error={ofClose?.errors.paymentMethod} />
        <AmountPaid id={`${id}-amount`} typed={ofClose?.typed.amountPaid} payable={stop.payableRupees} error={ofClose?.errors.amountPaid} />
      </ActForm>
      <ActForm act="refuse" title={m.bring_refuse()} send={m.bring_refuse_send()} stop={stop} phone={phone} refused={ofRefuse}>
        <p>{m.bring_refuse_text()}</p>
        <TextAreaField {...fieldsOf(id, ofRefuse)('reason')} rows={3} maxLength={500} label={m.bring_refuse_reason()} />
        <FileField
          id={`${id}-photo`}
          name="photo"
          capture="environment"
          label={m.bring_refuse_photo()}
          hint={m.bring_refuse_photo_hint()}
          error={ofRefuse?.errors.photo}
        />
      </ActForm>
    </>
  )
}

interface ActFormProps extends StopProps {
  act: Act
  title: string
  send: string
  children: ReactNode
}

/** A form behind a button. Only an admin takes the step once the tries of its digits are used up. */
function ActForm({ act, title, send, stop, phone, refused, children }: ActFormProps) {
  const { isBusy, onSubmit } = useSendOnce(refused)
  const form = useFocusOnError(refused)
  if (act !== 'refuse' && stop.triesLeft === 0)
    return (
      <p>
        {m.handover_locked()} <CallUs phone={phone} />
      </p>
    )
  return (
    <details open={refused !== undefined || undefined}>
      <summary className={`w-full ${act === 'refuse' ? 'button-danger' : 'button-primary'}`}>{title}</summary>
      <PostForm
        ref={form}
        preventScrollReset
        onSubmit={onSubmit}
        encType={act === 'refuse' ? 'multipart/form-data' : undefined}
        className="mt-3 space-y-4"
      >
        {/* The phone lists `what` while the act waits for a connection. */}
        <HiddenFields act={act} id={stop.id} what={`${title}: ${stop.orderNo} · ${stop.animal}`} />
        {refused && Object.keys(refused.errors).length === 0 && <FormFailure detail={refused.detail} isStored={refused.isStored} />}
        {children}
        <button
          type="submit"
          aria-disabled={isBusy || undefined}
          className={`w-full ${act === 'refuse' ? 'button-danger' : 'button-primary'}`}
        >
          {isBusy ? m.handover_sending() : send}
        </button>
      </PostForm>
    </details>
  )
}

const Digits = ({ stop, label, error }: { stop: ShownStop; label: string; error: string | undefined }) => (
  <Field
    id={`${stop.key}-code`}
    name="code"
    inputMode="numeric"
    autoComplete="off"
    maxLength={12}
    label={label}
    hint={stop.triesLeft === 1 ? m.handover_tries_one() : m.handover_tries({ count: stop.triesLeft })}
    error={error}
    className="max-w-40 text-center text-lg"
  />
)
