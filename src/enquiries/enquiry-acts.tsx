import { FormFailure } from '#src/ui/form-failure.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { ReadyAnswers, type ReadyAnswer } from '#src/ready-answers/ready-answers.tsx'
import { ChoiceCard } from '#src/ui/radio-cards.tsx'
import { describedBy, FieldError, fieldsOf } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { PostForm } from '#src/ui/post-form.tsx'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { useResubmitAfterLogin } from './use-resubmit-after-login.ts'
import type { OnePage } from './enquiry-view.server.ts'

/** The form of a step without fields. */
export function ActForm({ page, act, label, isMain = false }: { page: OnePage; act: string; label: string; isMain?: boolean }) {
  const to = useLocalPath()
  return (
    <PostForm action={to(page.path)}>
      <input type="hidden" name="seen" value={page.enquiry.seen} />
      <button type="submit" name="act" value={act} className={isMain ? 'button-primary' : 'button-plain'}>
        {label}
      </button>
    </PostForm>
  )
}

interface JudgingProps {
  page: Pick<OnePage, 'path' | 'enquiry'>
  refused: FormRefusal | undefined
  /** In the poster's language. */
  answers?: ReadyAnswer[]
}

/** The admin's verdict: is the enquiry genuine? Collapsed once there is a verdict, which can be changed. */
export function Judging({ page, refused, answers }: JudgingProps) {
  const mine = refused?.typed.comment === undefined ? undefined : refused
  const isDecided = page.enquiry.verified !== 'pending'
  const form = <JudgingForm page={page} refused={mine} answers={answers} />
  return (
    <section aria-labelledby="judging" className="notice-panel p-4">
      <h2 id="judging" className="mb-2 text-lg">
        {m.enquiry_judge_title()}
      </h2>
      {isDecided ? (
        <details open={mine !== undefined || undefined}>
          <summary className="tap-link font-semibold">{m.enquiry_judge_again()}</summary>
          {form}
        </details>
      ) : (
        form
      )}
    </section>
  )
}

function JudgingForm({ page, refused, answers }: JudgingProps) {
  const to = useLocalPath()
  const { errors = {}, typed = {} } = refused ?? {}
  const { verified } = page.enquiry
  const form = useFocusOnError(refused)
  useResubmitAfterLogin(form, refused)
  return (
    <PostForm ref={form} action={to(page.path)} noValidate className="space-y-4">
      <input type="hidden" name="seen" value={page.enquiry.seen} />
      {refused && <FormFailure detail={refused.detail} />}
      {verified !== 'verified' && (
        <div>
          <ChoiceCard
            type="checkbox"
            name="genuine"
            value="1"
            defaultChecked={typed.genuine === '1'}
            aria-invalid={errors.genuine !== undefined || undefined}
            aria-describedby={describedBy('enquiry-genuine', false, errors.genuine)}
            tick="size-6"
          >
            {m.enquiry_genuine()}
          </ChoiceCard>
          <FieldError id="enquiry-genuine" error={errors.genuine} />
        </div>
      )}
      {answers && <ReadyAnswers field="enquiry-comment" answers={answers} desk="enquiries" />}
      <TextAreaField
        {...fieldsOf('enquiry', refused)('comment')}
        rows={3}
        maxLength={1000}
        label={m.enquiry_comment()}
        hint={m.enquiry_comment_hint()}
      />
      <div className="flex flex-wrap gap-3">
        {verified !== 'verified' && (
          <button type="submit" name="act" value="approve" className="button-primary">
            {m.enquiry_approve()}
          </button>
        )}
        {verified !== 'not-verified' && (
          <button type="submit" name="act" value="refuse" className="button-danger">
            {m.enquiry_refuse({ number: page.enquiry.code })}
          </button>
        )}
      </div>
    </PostForm>
  )
}
