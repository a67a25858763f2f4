import { PasswordField } from '#src/accounts/sign-in/password-field.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Field, fieldsOf } from '#src/ui/field.tsx'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { PostForm } from '#src/ui/post-form.tsx'
import { RadioCards } from '#src/ui/radio-cards.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { TitledPanel } from '#src/ui/panels.tsx'

export interface ShownPayee {
  method: 'upi' | 'bank'
  holder: string
  /** Without its middle. */
  account: string
  changed: string
}

interface SectionProps {
  payee: ShownPayee | null
  hasPassword: boolean
  isDone: boolean
  refused: FormRefusal | undefined
}

/** The account that a seller's earnings are sent to, and the form that changes it. */
export function PayeeSection({ payee, isDone, ...form }: SectionProps) {
  return (
    <TitledPanel id="payee-title" title={m.payee_title()} className="panel space-y-2 p-4">
      {isDone && !form.refused && <FormDone>{m.payee_done()}</FormDone>}
      <p className="break-words">
        {payee ? (
          <>
            <b>{payee.account}</b> · {payee.holder} <span className="text-stone">· {m.payee_since({ day: payee.changed })}</span>
          </>
        ) : (
          m.payee_none()
        )}
      </p>
      <details open={form.refused ? true : undefined}>
        <summary className="tap-link font-semibold">{payee ? m.payee_change() : m.payee_add()}</summary>
        <PayeeForm payee={payee} {...form} />
      </details>
    </TitledPanel>
  )
}

function PayeeForm({ payee, hasPassword, refused }: Omit<SectionProps, 'isDone'>) {
  const to = useLocalPath()
  const form = useFocusOnError(refused)
  const errors = refused?.errors ?? {}
  const field = fieldsOf('payee', refused)
  return (
    <PostForm
      ref={form}
      reloadDocument
      action={to('/earnings')}
      noValidate
      onSubmit={sendOnce}
      className="group/payee mt-2 grid max-w-md gap-3"
    >
      <RadioCards
        id="payee-method"
        name="method"
        legend={m.payee_how()}
        columns="grid-cols-2"
        options={[
          { id: 'upi', name: m.order_upi() },
          { id: 'bank', name: m.payee_bank() },
        ]}
        chosen={refused?.typed.method ?? payee?.method ?? 'upi'}
        error={errors.method}
      />
      <Field {...field('holder', payee?.holder)} maxLength={80} label={m.payee_holder()} />
      <AccountFields refused={refused} />
      {hasPassword && <PasswordField id="payee-password" error={errors.password} />}
      {refused && Object.keys(errors).length === 0 && <FormFailure {...refused} />}
      <div className="row gap-2">
        <button type="submit" name="act" value="payee" className="button-primary">
          {m.payee_save()}
        </button>
        {payee && (
          <button type="submit" name="act" value="payee-remove" className="button-plain">
            {m.payee_remove()}
          </button>
        )}
      </div>
    </PostForm>
  )
}

/** The chosen way hides the fields of the other one. */
function AccountFields({ refused }: Pick<SectionProps, 'refused'>) {
  const field = fieldsOf('payee', refused)
  return (
    <>
      <div className="group-has-[[value=bank]:checked]/payee:hidden">
        <Field {...field('upi')} {...asTyped} inputMode="email" label={m.payee_upi()} placeholder="name@bank" />
      </div>
      <div className="grid gap-3 group-has-[[value=upi]:checked]/payee:hidden">
        <Field {...field('account')} {...asTyped} inputMode="numeric" label={m.payee_account()} />
        <Field {...field('again')} {...asTyped} inputMode="numeric" label={m.payee_again()} />
        <Field {...field('ifsc')} {...asTyped} label={m.payee_ifsc()} hint={m.payee_ifsc_hint()} />
      </div>
    </>
  )
}

/** No keyboard corrects these. */
const asTyped = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false, maxLength: 300 } as const
