import { FormFailure } from '#src/ui/form-failure.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { useSendOnce } from '#src/ui/send-once.ts'
import { m } from '#src/paraglide/messages.js'
import { Choice } from '#src/ui/choice.tsx'
import { describedBy, Field, FieldError } from '#src/ui/field.tsx'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { useRefusedAct } from '#src/ui/use-refused-act.ts'
import { AmountPaid } from '#src/orders/card/amount-paid.tsx'
import { CallUs, Place } from '#src/orders/card/order-card.tsx'
import type { HandoverData } from './handover-view.server.ts'

/** For the bearer: destination, amount to collect and the field for the buyer's four digits. An admin gets a note field instead. */
export function HandoverBearer({ page, refused: sent }: { page: HandoverData; refused: FormRefusal | undefined }) {
  const { order, part } = page
  const waited = useRefusedAct('handover')
  const refused = sent ?? waited
  if (order.isOver)
    return (
      <p role="status" className="panel border-leaf bg-leaf-soft p-5 text-lg font-semibold">
        {order.deliveredOn ? m.handover_delivered({ day: order.deliveredOn }) : m.handover_over()} {order.paid}
      </p>
    )
  const isOfField = refused && Object.keys(refused.errors).length > 0
  const isLocked = part === 'bearer' && page.codeTriesLeft === 0
  return (
    <>
      <div className="panel p-4">
        <Place label={m.order_delivery_address()} place={order.delivery} />
        <p className="mt-2 text-lg">
          {m.handover_to_pay()} <b>{order.payable}</b>
        </p>
        {page.say && (
          <p className="mt-2">
            {m.bring_say()} <b className="text-2xl tracking-widest tabular-nums">{page.say}</b>
          </p>
        )}
      </div>
      {refused && !isOfField && <FormFailure detail={refused.detail} isStored={refused.isStored} />}
      {!page.isOnTheWay ? (
        <p className="panel p-4">{m.handover_not_yet_bearer()}</p>
      ) : isLocked ? (
        <p className="panel p-4">
          {m.handover_locked()} <CallUs phone={page.phone} />
        </p>
      ) : (
        <CloseForm key={waited ? 'waited' : 'new'} page={page} refused={refused} />
      )}
    </>
  )
}

/** The amount paid, and the code by which the buyer has accepted the animal. */
function CloseForm({ page, refused }: { page: HandoverData; refused: FormRefusal | undefined }) {
  const { part } = page
  const { isBusy, onSubmit } = useSendOnce(refused)
  const form = useFocusOnError(refused)
  return (
    <PostForm ref={form} onSubmit={onSubmit} className="panel space-y-4 p-4">
      {/* The phone lists `what` while the handover waits for a connection. */}
      <HiddenFields act="close" what={`${page.order.orderNo} · ${page.order.name}`} />
      {part === 'bearer' ? (
        <Field
          id="code"
          name="code"
          inputMode="numeric"
          autoComplete="off"
          maxLength={8}
          label={m.handover_code_label()}
          hint={page.codeTriesLeft === 1 ? m.handover_tries_one() : m.handover_tries({ count: page.codeTriesLeft })}
          defaultValue={refused?.typed.code}
          error={refused?.errors.code}
          className="max-w-40 text-center text-lg"
        />
      ) : (
        <Field
          id="note"
          name="note"
          autoComplete="off"
          maxLength={500}
          label={m.order_note_label()}
          hint={m.handover_note_hint()}
          defaultValue={refused?.typed.note}
          error={refused?.errors.note}
        />
      )}
      <PaymentMethod typed={refused?.typed.paymentMethod} error={refused?.errors.paymentMethod} />
      <AmountPaid id="amountPaid" typed={refused?.typed.amountPaid} payable={page.payableRupees} error={refused?.errors.amountPaid} />
      <button type="submit" aria-disabled={isBusy || undefined} className="button-primary w-full">
        {isBusy ? m.handover_sending() : m.handover_close()}
      </button>
    </PostForm>
  )
}

interface PaymentMethodProps {
  id?: string
  typed: string | undefined
  error: string | undefined
}

export function PaymentMethod({ id = 'payment-method', typed, error }: PaymentMethodProps) {
  return (
    <fieldset aria-describedby={describedBy(id, false, error)}>
      <legend className="label">{m.order_payment_method()}</legend>
      <div className="flex gap-6">
        {(
          [
            ['cash', m.order_cash()],
            ['upi', m.order_upi()],
          ] as const
        ).map(([value, text]) => (
          <Choice key={value} type="radio" name="paymentMethod" value={value} required defaultChecked={typed === value} className="gap-2">
            {text}
          </Choice>
        ))}
      </div>
      <FieldError id={id} error={error} />
    </fieldset>
  )
}
