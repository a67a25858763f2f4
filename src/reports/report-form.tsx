import type { ReactNode } from 'react'
import { Form } from 'react-router'
import { FormFailure, useFocusOnWrong } from '#src/accounts/form-failure.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { describedBy, FieldError } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'

interface ReportFormProps {
  title: string
  lead: string
  /** The page that the reader came from, and goes back to. */
  back: { path: string; label: string }
  /** What is reported, so that the reader recognises it. */
  subject: ReactNode
  /** By the name that is sent, in the order in which they are offered. */
  reasons: [string, () => string][]
  /** The form's own page. */
  path: string
  csrf: string
  isSent: boolean
  refused: FormRefusal | undefined
}

/** The whole page on which somebody says what is wrong with an animal, a seller or a post: one reason, and optional words. */
export function ReportForm({ title, lead, back, subject, reasons, path, csrf, isSent, refused }: ReportFormProps) {
  const to = useLocalPath()
  const { errors = {}, typed = {} } = refused ?? {}
  const form = useFocusOnWrong(refused)
  return (
    <div className="mx-auto max-w-xl space-y-4 py-2">
      <a href={to(back.path)} className="link inline-flex min-h-11 items-center font-semibold">
        {back.label}
      </a>
      <h1 className="text-2xl">{title}</h1>
      {isSent && !refused ? (
        <p role="status" className="rounded-control bg-leaf-soft p-4 text-lg font-semibold">
          {m.report_sent()}
        </p>
      ) : (
        <>
          {subject}
          <p className="text-stone">{lead}</p>
          {refused && <FormFailure detail={refused.detail} retryAfterSeconds={refused.retryAfterSeconds} />}
          <Form ref={form} method="post" action={to(path)} className="panel space-y-4 p-4">
            <input type="hidden" name="csrf" value={csrf} />
            <fieldset
              aria-describedby={describedBy('report-reason', false, errors.reason)}
              aria-invalid={errors.reason !== undefined || undefined}
            >
              <legend className="sr-only">{title}</legend>
              <div className="space-y-2">
                {reasons.map(([reason, text]) => (
                  <label
                    key={reason}
                    className="flex min-h-12 cursor-pointer items-center gap-3 rounded-control border border-line px-3 py-2 has-[:checked]:border-leaf has-[:checked]:bg-leaf-soft"
                  >
                    <input
                      type="radio"
                      name="reason"
                      value={reason}
                      defaultChecked={typed.reason === reason}
                      className="size-5 shrink-0 accent-leaf"
                    />
                    {text()}
                  </label>
                ))}
              </div>
              <FieldError id="report-reason" error={errors.reason} />
            </fieldset>
            <div>
              <label htmlFor="report-comment" className="label">
                {m.report_comment()}
              </label>
              <textarea
                id="report-comment"
                name="comment"
                rows={4}
                maxLength={1000}
                defaultValue={typed.comment ?? ''}
                aria-invalid={errors.comment !== undefined || undefined}
                aria-describedby={describedBy('report-comment', false, errors.comment)}
                className="field aria-invalid:border-2 aria-invalid:border-brick"
              />
              <FieldError id="report-comment" error={errors.comment} />
            </div>
            <button type="submit" className="button-primary w-full">
              {m.report_send()}
            </button>
          </Form>
        </>
      )}
    </div>
  )
}
