import type { ReactNode } from 'react'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { fieldsOf } from '#src/ui/field.tsx'
import { PostForm } from '#src/ui/post-form.tsx'
import { RadioCards } from '#src/ui/radio-cards.tsx'
import { TextAreaField } from '#src/ui/text-area-field.tsx'

interface ReportFormProps {
  title: string
  lead: string
  /** The page that the viewer came from and returns to. */
  back: { path: string; label: string }
  /** The reported subject, for recognition. */
  subject: ReactNode
  /** Wire name and text, in display order. */
  reasons: [string, () => string][]
  path: string
  isSent: boolean
  refused: FormRefusal | undefined
}

/** The page for reporting an animal, a seller or a post: one reason, and an optional comment. */
export function ReportForm({ title, lead, back, subject, reasons, path, isSent, refused }: ReportFormProps) {
  const to = useLocalPath()
  const { errors = {}, typed = {} } = refused ?? {}
  const form = useFocusOnError(refused)
  const field = fieldsOf('report', refused)
  return (
    <div className="page-column max-w-xl">
      <a href={to(back.path)} className="tap-link font-semibold">
        {back.label}
      </a>
      <h1 className="text-2xl">{title}</h1>
      {isSent && !refused ? (
        <p role="status" className="done p-4 text-lg">
          {m.report_sent()}
        </p>
      ) : (
        <>
          {subject}
          <p className="text-stone">{lead}</p>
          {refused && <FormFailure detail={refused.detail} />}
          <PostForm ref={form} action={to(path)} className="panel space-y-4 p-4">
            <RadioCards
              id="report-reason"
              name="reason"
              legend={title}
              hasHiddenLegend
              options={reasons.map(([reason, text]) => ({ id: reason, name: text() }))}
              chosen={typed.reason}
              error={errors.reason}
              card="min-h-12 gap-3"
            />
            <TextAreaField {...field('comment')} rows={4} maxLength={1000} label={m.report_comment()} />
            <button type="submit" className="button-primary w-full">
              {m.report_send()}
            </button>
          </PostForm>
        </>
      )}
    </div>
  )
}
