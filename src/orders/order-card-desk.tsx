import { useEffect, useState } from 'react'
import { Form } from 'react-router'
import type { FormRefusal } from '#src/kit/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Field, FieldError } from '#src/ui/field.tsx'
import { AmountPaid } from './amount-paid.tsx'
import type { ShownOrder } from './order-shown.server.ts'

type Desk = NonNullable<ShownOrder['desk']>

interface DeskProps {
  order: ShownOrder
  desk: Desk
  csrf: string
  action: string
  refused: FormRefusal | undefined
}

/** What an admin does with an order: its status along the graph, its day, and who brings it. */
export function OrderDesk(props: DeskProps) {
  if (props.order.isOver) return props.desk.commission ? <Settling {...props} settledOn={props.desk.commission.settledOn} /> : <div />
  return (
    <div className="grid content-start gap-3 *:min-w-0 sm:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2">
      <StatusForm {...props} />
      <PlanForm {...props} />
    </div>
  )
}

function Hidden({ act, order, csrf }: { act: string } & Pick<DeskProps, 'order' | 'csrf'>) {
  return (
    <>
      <input type="hidden" name="csrf" value={csrf} />
      <input type="hidden" name="act" value={act} />
      <input type="hidden" name="id" value={order.id} />
    </>
  )
}

/** The seller has been paid, less the commission: said once, for good. */
function Settling({ order, csrf, action, settledOn }: DeskProps & { settledOn: string | null }) {
  if (settledOn !== null) return <p className="self-start font-semibold text-leaf">{m.invoice_settled({ day: settledOn })}</p>
  return (
    <Form method="post" action={action} className="grid content-start gap-2">
      <Hidden act="settle" order={order} csrf={csrf} />
      <p>{m.order_commission_open()}</p>
      <button type="submit" className="button-plain justify-self-start">
        {m.order_settle()}
      </button>
    </Form>
  )
}

/** Without scripts the button is always there; saving what it is already is refused. */
function StatusForm({ order, desk, csrf, action, refused }: DeskProps) {
  const [isAlive, setIsAlive] = useState(false)
  useEffect(() => setIsAlive(true), [])
  const its = refused?.typed.act === 'step' ? refused : undefined
  // What was chosen stays, unless it is no choice any more.
  const first = desk.choices.find((choice) => String(choice.id) === its?.typed.to)?.id ?? order.status
  const [chosen, setChosen] = useState<number>(first)
  const id = `status-${order.id}`
  // Without scripts nobody knows what is chosen: then everything that may be said stands there.
  const isClosing = !isAlive ? desk.choices.some((choice) => choice.id === 6) : chosen === 6
  return (
    <Form key={order.status} method="post" action={action} className="grid content-start gap-2">
      <Hidden act="step" order={order} csrf={csrf} />
      <div>
        <label htmlFor={id} className="label">
          {m.order_status()}
        </label>
        <select id={id} name="to" defaultValue={first} onChange={(event) => setChosen(Number(event.target.value))} className="field">
          {desk.choices.map((choice) => (
            <option key={choice.id} value={choice.id}>
              {choice.name}
            </option>
          ))}
        </select>
      </div>
      {isClosing && (
        <>
          <div>
            <label htmlFor={`${id}-method`} className="label">
              {m.order_payment_method()}
            </label>
            <select
              id={`${id}-method`}
              name="paymentMethod"
              defaultValue={its?.typed.paymentMethod ?? ''}
              aria-invalid={its?.errors.paymentMethod !== undefined || undefined}
              aria-describedby={its?.errors.paymentMethod ? `${id}-method-error` : undefined}
              className="field aria-invalid:border-2 aria-invalid:border-brick"
            >
              <option value="">{m.order_method_choose()}</option>
              <option value="cash">{m.order_cash()}</option>
              <option value="upi">{m.order_upi()}</option>
            </select>
            <FieldError id={`${id}-method`} error={its?.errors.paymentMethod} />
          </div>
          <AmountPaid id={`${id}-amount`} typed={its?.typed.amountPaid} payable={desk.payableRupees} error={its?.errors.amountPaid} />
        </>
      )}
      {(!isAlive || chosen !== order.status) && (
        <Field
          id={`${id}-note`}
          name="note"
          autoComplete="off"
          maxLength={500}
          label={!isAlive ? m.order_note_or_reason() : chosen >= 100 ? m.order_reason_label() : m.order_note_label()}
          defaultValue={its?.typed.note}
          error={its?.errors.note}
        />
      )}
      <button type="submit" disabled={isAlive && chosen === order.status} className="button-primary disabled:opacity-50">
        {m.order_save()}
      </button>
    </Form>
  )
}

function PlanForm({ order, desk, csrf, action, refused }: DeskProps) {
  // Of an older form nothing stays: what another has promised stands there, to be looked at.
  const its = refused?.typed.act === 'plan' && refused.code !== 'VERSION' ? refused : undefined
  const id = `plan-${order.id}`
  return (
    <Form key={desk.seen} method="post" action={action} className="grid content-start gap-2">
      <Hidden act="plan" order={order} csrf={csrf} />
      <input type="hidden" name="seen" value={desk.seen} />
      <Field
        id={`${id}-day`}
        name="deliverOn"
        type="date"
        min={desk.deliverOn !== '' && desk.deliverOn < desk.today ? desk.deliverOn : desk.today}
        max={desk.lastDay}
        label={m.order_plan_day()}
        defaultValue={its?.typed.deliverOn ?? desk.deliverOn}
        error={its?.errors.deliverOn}
      />
      <div>
        <label htmlFor={`${id}-window`} className="label">
          {m.order_plan_window()}
        </label>
        <select id={`${id}-window`} name="deliverWindow" defaultValue={its?.typed.deliverWindow ?? desk.deliverWindow} className="field">
          <option value="">{m.order_plan_any()}</option>
          <option value="morning">{m.order_window_morning()}</option>
          <option value="midday">{m.order_window_midday()}</option>
          <option value="evening">{m.order_window_evening()}</option>
        </select>
      </div>
      <Field
        id={`${id}-bearer`}
        name="bearerPhone"
        type="tel"
        inputMode="tel"
        autoComplete="off"
        maxLength={24}
        label={m.order_plan_bearer()}
        hint={desk.bearer ? desk.bearer.name : undefined}
        defaultValue={its?.typed.bearerPhone ?? desk.bearer?.raw}
        error={its?.errors.bearerPhone}
      />
      <button type="submit" className="button-plain">
        {m.order_plan_save()}
      </button>
    </Form>
  )
}
