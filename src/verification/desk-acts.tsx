import { Form } from 'react-router'
import { fieldsOf } from '#src/ui/field.tsx'
import { LostDecision } from '#src/ui/desk-beside.tsx'
import { FormFailure } from '#src/ui/form-failure.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { CsrfField } from '#src/ui/post-form.tsx'
import { sendOnce, useSendOnce } from '#src/ui/send-once.ts'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import { UndoButton } from '#src/ui/undo-button.tsx'
import { queuePath, type QueueFilter } from './queue-filter.ts'
import type { ShownToVerify } from './verification-facts.server.ts'
import type { VerificationPageData } from './verification-view.server.ts'

type Page = VerificationPageData & { refused: FormRefusal | undefined }

/** A verdict that was refused because another admin decided the listing first. */
export interface LostVerdict {
  refused: FormRefusal
  code: string
  listingId: number
  /** The listing that the desk shows since. */
  during: number
}

/** In the desk's head; on a phone above Pass and Fail. So it moves nothing. */
const RESULT = 'max-lg:fixed max-lg:inset-x-2 max-lg:bottom-24 max-lg:z-20 max-lg:shadow-card noscript:static short:static'

/** The result of the last act, with an undo button for ten seconds. */
export function DeskResult({ page, isSaving, lost }: { page: Page; isSaving: boolean; lost: LostVerdict | undefined }) {
  const to = useLocalPath()
  const { done, missed, result, refused } = page
  if (isSaving)
    return (
      <p role="status" className={`rounded-control bg-husk-dark px-3 py-1 font-semibold ${RESULT}`}>
        {m.verify_saving()}
      </p>
    )
  if (refused?.typed.act === 'undo')
    return (
      <div className={RESULT}>
        <FormFailure detail={refused.detail} />
      </div>
    )
  if (lost)
    return (
      <div className={`rounded-card bg-paper ${RESULT}`}>
        <a href={to(`/product/${lost.listingId}?tab=verification`)} className="tap-link px-3 font-semibold">
          {lost.code}
        </a>
        <LostDecision refused={lost.refused} gone={lost.refused.detail} />
      </div>
    )
  if (refused || (done.length === 0 && result === null)) return null
  return (
    <div role="status" className={`flex items-center gap-x-4 done px-3 py-1 leading-snug lg:py-0 ${RESULT}`}>
      {result === 'undone' && (
        <div>
          {m.verify_undone()} <Missed missed={missed} />
        </div>
      )}
      {result === 'asked' && <p>{m.verify_asked()}</p>}
      {done.length > 0 && <Saved page={page} />}
    </div>
  )
}

function Saved({ page: { done, missed, filter } }: { page: Page }) {
  const to = useLocalPath()
  return (
    <>
      <div>
        {m.verify_saved()}{' '}
        {done.length === 1 ? (
          <a href={to(`/product/${done[0]}?tab=verification`)} className="tap-link">
            {m.verify_queue_done()}
          </a>
        ) : (
          m.verify_saved_count({ count: done.length })
        )}
        <Missed missed={missed} />
      </div>
      <UndoButton key={done.join()} id="verify-undo" action={to(queuePath(filter))} fields={{ listing: done.join(','), act: 'undo' }}>
        <kbd className="hidden rounded border border-line px-1 text-sm text-stone lg:inline">U</kbd>
      </UndoButton>
    </>
  )
}

/** The listings that an act on several left out, with who decided them meanwhile. */
function Missed({ missed }: Pick<Page, 'missed'>) {
  const to = useLocalPath()
  if (missed.length === 0) return null
  return (
    <ul className="max-h-24 overflow-y-auto">
      {missed.map(({ id, code, says }) => (
        <li key={id}>
          <a href={to(`/product/${id}?tab=verification`)} className="link font-semibold text-brick">
            {code}
          </a>{' '}
          {says}
        </li>
      ))}
    </ul>
  )
}

interface AsideProps {
  shown: ShownToVerify
  filter: QueueFilter
  refused: FormRefusal | undefined
}

/** The alternatives to a verdict: put the listing off, or ask the seller. */
export function Aside({ shown, filter, refused }: AsideProps) {
  const to = useLocalPath()
  const action = to(queuePath(filter, { id: shown.id }))
  const ask = refused?.typed.act === 'ask' ? refused : undefined
  const askOnce = useSendOnce(ask)
  const hidden = (
    <>
      <CsrfField />
      <input type="hidden" name="listing" value={shown.id} />
    </>
  )
  if (shown.state !== 'pending') return null
  return (
    <div className="flex flex-wrap items-start gap-x-5 gap-y-2">
      <Form method="post" action={action} onSubmit={sendOnce}>
        {hidden}
        <button id="verify-skip" type="submit" name="act" value="skip" className="button-plain px-3">
          {m.verify_skip()} <kbd className="hidden rounded border border-line px-1 text-sm text-stone lg:inline">S</kbd>
        </button>
      </Form>
      <details id="verify-ask" open={ask !== undefined} className="open:basis-full">
        <summary className="tap-link inline-flex min-h-11 items-center gap-2 font-semibold">
          {m.verify_ask()} <kbd className="hidden rounded border border-line px-1 text-sm text-stone lg:inline">A</kbd>
        </summary>
        <Form method="post" action={action} onSubmit={askOnce.onSubmit} noValidate className="mt-1 space-y-2">
          {hidden}
          <TextAreaField
            {...fieldsOf(`ask-${shown.id}`, ask)('question')}
            rows={2}
            maxLength={600}
            label={m.verify_question()}
            hint={m.verify_question_hint()}
          />
          {ask && ask.code !== 'VALIDATION' && <FormFailure detail={ask.detail} />}
          <button type="submit" name="act" value="ask" className="button-plain px-3">
            {m.verify_question_send()}
          </button>
        </Form>
      </details>
      <Questions questions={shown.questions} />
    </div>
  )
}

const Questions = ({ questions }: Pick<ShownToVerify, 'questions'>) => (
  <ul className={questions.length === 0 ? 'hidden' : 'basis-full space-y-2'}>
    {questions.map(({ question, answer, on }, index) => (
      <li key={index} className="remark">
        <p className="whitespace-pre-line">{question}</p>
        <p className="font-semibold whitespace-pre-line">{answer === null ? m.verify_no_answer() : m.verify_answer({ answer })}</p>
        <p className="text-sm text-stone">{on}</p>
      </li>
    ))}
  </ul>
)
