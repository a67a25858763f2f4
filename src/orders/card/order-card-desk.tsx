import { useEffect, useState } from 'react'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { AskedFor } from '#src/ui/asked-for.tsx'
import { Field, fieldsOf } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { ReasonFields } from '#src/ui/reason-fields.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { useSendOnce } from '#src/ui/send-once.ts'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { AmountPaid } from './amount-paid.tsx'
import type { ShownOrder } from './order-view.server.ts'

type Desk = NonNullable<ShownOrder['desk']>

interface DeskProps {
  order: ShownOrder
  desk: Desk
  action: string
  refused: FormRefusal | undefined
  bearers: { id: number; name: string }[]
}

/** An admin's forms for one order: status, delivery day and bearer. */
export function OrderDesk(props: DeskProps) {
  if (props.order.isOver)
    return (
      <div className="grid content-start gap-4 *:min-w-0">
        {props.order.isPaymentOpen && <PaymentForm {...props} />}
        {props.desk.commission && <Settled {...props} settled={props.desk.commission.settled} />}
      </div>
    )
  return (
    <div className="grid content-start gap-3 *:min-w-0 sm:grid-cols-2">
      <StatusForm {...props} />
      <PlanForm {...props} />
      <EndForm {...props} />
    </div>
  )
}

/** Labels have one or two lines: align the fields at the bottom, until one field shows an error below it. */
const recordGrid = 'grid content-start items-end gap-2 has-aria-invalid:items-start sm:grid-cols-2'

/** Money between Sandhai and a seller is recorded at the seller's page only, which counts what the seller holds. */
function Settled({ order, desk, settled }: DeskProps & { settled: string | null }) {
  const to = useLocalPath()
  return (
    <p className="row gap-x-3">
      <b className={settled === null ? '' : 'text-leaf'}>{settled ?? m.order_commission_open()}</b>
      <a href={to(`/admin/money/${desk.seller.id}?sale=${order.id}#sale-${order.id}`)} className="tap-link font-semibold">
        {m.order_commission_link()}
      </a>
    </p>
  )
}

/** Without scripts the button is always enabled; saving the current status is refused. */
function StatusForm({ order, desk, action, refused }: DeskProps) {
  const [isAlive, setIsAlive] = useState(false)
  const ownRefusal = refused?.typed.act === 'step' ? refused : undefined
  const form = useFocusOnError(ownRefusal)
  // Keep the chosen status, unless it is no longer a choice.
  const first = desk.choices.find((choice) => String(choice.id) === ownRefusal?.typed.to)?.id ?? order.status
  const [chosen, setChosen] = useState<number>(first)
  useEffect(() => {
    setIsAlive(true)
    // The admin may have chosen before the scripts loaded.
    if (form.current) setChosen(Number(new FormData(form.current).get('to')))
  }, [form])
  const id = `status-${order.id}`
  const isEnd = desk.ends.some(({ to }) => to === chosen)
  return (
    <PostForm ref={form} key={order.status} action={action} className="grid content-start gap-2">
      <HiddenFields act="step" id={order.id} from={order.status} />
      <SelectField
        id={id}
        name="to"
        label={m.order_status()}
        options={desk.choices}
        defaultValue={first}
        onChange={(event) => setChosen(Number(event.target.value))}
      />
      {/* Without scripts the choice is unknown, so show every field that may apply. */}
      {desk.closing && (
        <AskedFor isAsked={chosen === desk.closing}>
          <PaymentFields id={id} desk={desk} ownRefusal={ownRefusal} />
        </AskedFor>
      )}
      <AskedFor isAsked={chosen !== order.status}>
        <Field
          {...fieldsOf(id, ownRefusal)('note')}
          autoComplete="off"
          maxLength={500}
          label={!isAlive ? m.order_note_or_reason() : isEnd ? m.order_reason_label() : m.order_note_label()}
          isRequired={isEnd}
          {...(chosen === desk.closing && { isRequired: true, hint: m.field_order_note() })}
        />
      </AskedFor>
      <button type="submit" disabled={isAlive && chosen === order.status} className="button-primary disabled:opacity-50">
        {m.order_save()}
      </button>
    </PostForm>
  )
}

const reasonsOfPeople = [m.order_end_asked, m.order_end_unreachable, m.order_end_sold]
const endReasons = [...reasonsOfPeople, m.order_end_facts, m.order_end_transport]

/** Each way to end the order without a sale has a button of its own, too. Both sides read the reason. */
function EndForm({ order, desk, action, refused }: DeskProps) {
  const ownRefusal = refused?.typed.act === 'end' ? refused : undefined
  const form = useFocusOnError(ownRefusal)
  const { onSubmit } = useSendOnce(ownRefusal)
  const reasons = order.isAnimal ? [...endReasons, m.order_end_ill] : endReasons
  return (
    <details open={ownRefusal && true} className="rounded-control border border-line px-3 sm:col-span-full">
      <summary className="tap-link font-semibold text-brick">{m.order_end()}</summary>
      <PostForm ref={form} action={action} onSubmit={onSubmit} className="grid content-start gap-2 pb-3">
        <HiddenFields act="end" id={order.id} from={order.status} />
        <ReasonFields
          id={`end-${order.id}`}
          label={m.order_reason_label()}
          reasons={reasons.map((text) => ({ id: text(), name: text() }))}
          own={{ name: 'note', maxLength: 400 }}
          refused={ownRefusal}
        />
        <div className="flex flex-wrap gap-2">
          {desk.ends.map(({ to, text }) => (
            <button key={to} type="submit" name="to" value={to} className="button-danger">
              {text}
            </button>
          ))}
        </div>
      </PostForm>
    </details>
  )
}

function PaymentFields({ id, desk, ownRefusal }: { id: string; desk: Desk; ownRefusal: FormRefusal | undefined }) {
  return (
    <>
      <SelectField
        id={`${id}-method`}
        name="paymentMethod"
        label={m.order_payment_method()}
        none={m.order_method_choose()}
        options={[
          { id: 'cash', name: m.order_cash() },
          { id: 'upi', name: m.order_upi() },
        ]}
        defaultValue={ownRefusal?.typed.paymentMethod ?? ''}
        error={ownRefusal?.errors.paymentMethod}
      />
      <AmountPaid
        id={`${id}-amount`}
        typed={ownRefusal?.typed.amountPaid}
        payable={desk.payableRupees}
        error={ownRefusal?.errors.amountPaid}
      />
    </>
  )
}

/** For an order that was delivered without a stated payment. */
function PaymentForm({ order, desk, action, refused }: DeskProps) {
  const ownRefusal = refused?.typed.act === 'payment' ? refused : undefined
  const form = useFocusOnError(ownRefusal)
  const id = `payment-${order.id}`
  return (
    <PostForm ref={form} action={action} className={recordGrid}>
      <HiddenFields act="payment" id={order.id} />
      <p className="col-span-full font-semibold">{m.order_payment_why()}</p>
      <PaymentFields id={id} desk={desk} ownRefusal={ownRefusal} />
      <Field {...fieldsOf(id, ownRefusal)('note')} autoComplete="off" maxLength={500} label={m.order_note_label()} isRequired />
      <button type="submit" className="button-primary col-span-full">
        {m.order_payment_record()}
      </button>
    </PostForm>
  )
}

function PlanForm({ order, desk, action, refused, bearers }: DeskProps) {
  // After VERSION, drop the typed values and show the plan of the other admin.
  const ownRefusal = refused?.typed.act === 'plan' && refused.code !== 'VERSION' ? refused : undefined
  const form = useFocusOnError(ownRefusal)
  const id = `plan-${order.id}`
  return (
    <PostForm ref={form} key={desk.seen} action={action} className="grid content-start gap-2">
      <HiddenFields act="plan" id={order.id} seen={desk.seen} />
      <Field
        id={`${id}-day`}
        name="deliverOn"
        type="date"
        min={desk.deliverOn !== '' && desk.deliverOn < desk.today ? desk.deliverOn : desk.today}
        max={desk.lastDay}
        label={m.order_plan_day()}
        defaultValue={ownRefusal?.typed.deliverOn ?? desk.deliverOn}
        error={ownRefusal?.errors.deliverOn}
      />
      <SelectField
        id={`${id}-window`}
        name="deliverWindow"
        label={m.order_plan_window()}
        none={m.order_plan_any()}
        options={windows()}
        defaultValue={ownRefusal?.typed.deliverWindow ?? desk.deliverWindow}
      />
      <SelectField
        id={`${id}-listed`}
        name="listedBearerId"
        label={m.order_plan_listed()}
        none={bearers.length > 0 ? m.order_plan_listed_none() : m.order_plan_listed_empty()}
        options={bearers}
        defaultValue={ownRefusal?.typed.listedBearerId ?? desk.listedBearer?.id ?? ''}
        error={ownRefusal?.errors.listedBearerId}
      />
      <OtherBearer id={`${id}-bearer`} desk={desk} refused={ownRefusal} />
      <button type="submit" className="button-plain">
        {m.order_plan_save()}
      </button>
    </PostForm>
  )
}

const windows = () => [
  { id: 'morning', name: m.order_window_morning() },
  { id: 'midday', name: m.order_window_midday() },
  { id: 'evening', name: m.order_window_evening() },
]

/** A bearer who is not in the list, by phone number. */
function OtherBearer({ id, desk, refused }: Pick<DeskProps, 'desk' | 'refused'> & { id: string }) {
  return (
    <details open={!desk.listedBearer || undefined}>
      <summary className="tap-link font-semibold">{m.order_plan_other()}</summary>
      <Field
        id={id}
        name="bearerPhone"
        type="tel"
        inputMode="tel"
        autoComplete="off"
        maxLength={40}
        label={m.order_plan_bearer()}
        hint={desk.bearer && !desk.listedBearer ? desk.bearer.name : undefined}
        defaultValue={refused?.typed.bearerPhone ?? (desk.listedBearer ? '' : desk.bearer?.raw)}
        error={refused?.errors.bearerPhone}
      />
    </details>
  )
}
