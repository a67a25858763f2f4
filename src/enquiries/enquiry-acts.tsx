import { useRef } from 'react'
import { Form } from 'react-router'
import { FormFailure } from '#src/accounts/form-failure.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { describedBy, FieldError } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { useKeptWords } from './use-kept-words.ts'
import type { OnePage } from './view-enquiry-view.tsx'

/** A step that needs only its button. */
export function ActForm({ page, act, label, isMain = false }: { page: OnePage; act: string; label: string; isMain?: boolean }) {
  const to = useLocalPath()
  return (
    <Form method="post" action={to(page.path)}>
      <input type="hidden" name="csrf" value={page.csrf} />
      <button type="submit" name="act" value={act} className={isMain ? 'button-primary' : 'button-plain'}>
        {label}
      </button>
    </Form>
  )
}

/** The admin's form: is the enquiry genuine? A verdict can be changed; the form is then collapsed. */
export function Judging({ page, refused }: { page: OnePage; refused: FormRefusal | undefined }) {
  const mine = refused?.typed.comment === undefined ? undefined : refused
  const isDecided = page.enquiry.verified !== 'pending'
  const form = <JudgingForm page={page} refused={mine} />
  return (
    <section aria-labelledby="judging" className="panel border-turmeric bg-turmeric-soft p-4">
      <h2 id="judging" className="mb-2 text-lg">
        {m.enquiry_judge_title()}
      </h2>
      {isDecided ? (
        <details open={mine !== undefined || undefined}>
          <summary className="link min-h-11 content-center font-semibold">{m.enquiry_judge_again()}</summary>
          {form}
        </details>
      ) : (
        form
      )}
    </section>
  )
}

function JudgingForm({ page, refused }: { page: OnePage; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const { errors = {}, typed = {} } = refused ?? {}
  const { verified } = page.enquiry
  const form = useRef<HTMLFormElement>(null)
  useKeptWords(form, refused)
  return (
    <Form ref={form} method="post" action={to(page.path)} noValidate className="space-y-4">
      <input type="hidden" name="csrf" value={page.csrf} />
      {refused && <FormFailure detail={refused.detail} retryAfterSeconds={refused.retryAfterSeconds} />}
      {verified !== 'verified' && (
        <div>
          <label className="flex min-h-11 cursor-pointer items-start gap-2 rounded-control border border-line bg-white px-3 py-2">
            <input
              type="checkbox"
              name="genuine"
              value="1"
              defaultChecked={typed.genuine === '1'}
              aria-invalid={errors.genuine !== undefined || undefined}
              aria-describedby={describedBy('enquiry-genuine', false, errors.genuine)}
              className="mt-0.5 size-6 shrink-0 accent-leaf"
            />
            <span>{m.enquiry_genuine()}</span>
          </label>
          <FieldError id="enquiry-genuine" error={errors.genuine} />
        </div>
      )}
      <div>
        <label htmlFor="enquiry-comment" className="label">
          {m.enquiry_comment()}
        </label>
        <p id="enquiry-comment-hint" className="-mt-0.5 mb-1 text-sm text-stone">
          {m.enquiry_comment_hint()}
        </p>
        <textarea
          id="enquiry-comment"
          name="comment"
          rows={3}
          maxLength={1000}
          defaultValue={typed.comment ?? ''}
          aria-invalid={errors.comment !== undefined || undefined}
          aria-describedby={describedBy('enquiry-comment', true, errors.comment)}
          className="field aria-invalid:border-2 aria-invalid:border-brick"
        />
        <FieldError id="enquiry-comment" error={errors.comment} />
      </div>
      <div className="flex flex-wrap gap-3">
        {verified !== 'verified' && (
          <button type="submit" name="act" value="approve" className="button-primary">
            {m.enquiry_approve()}
          </button>
        )}
        {verified !== 'not-verified' && (
          <button type="submit" name="act" value="refuse" className="button border border-brick bg-paper text-brick hover:bg-brick-soft">
            {m.enquiry_refuse()}
          </button>
        )}
      </div>
    </Form>
  )
}
