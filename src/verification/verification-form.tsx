import { useEffect, useState, type ReactNode } from 'react'
import { FormFailure } from '#src/ui/form-failure.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { ChoiceCard } from '#src/ui/radio-cards.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { CsrfField, HiddenFields } from '#src/ui/post-form.tsx'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import { useFetcherForm } from '#src/ui/use-fetcher-form.ts'
import { VerdictField } from './verdict-field.tsx'
import { isPhraseOf, phrases, phraseText } from './verification-phrases.ts'

interface VerificationFormProps {
  listingId: number
  /** The state that this page shows (`seenMark`), so that no verdict covers a change or replaces a verdict that the admin has not seen. */
  seen: string
  /** The page to return to: the animal's page, or the next in the queue. */
  from: 'product' | 'queue'
  /** The queue's filter and position, as a query string. */
  query?: string
  /** The next listing of the queue, as a query string. */
  next?: string
  /** The refusal of a page that was rendered again without scripts. */
  refused?: FormRefusal | undefined
}

/** Id of the verdict form of a listing, and the fetcher key of its submit. */
export const verdictForm = (listingId: number) => `verdict-${listingId}`
export const verdictKey = (listingId: number | undefined) => `verdict-${listingId ?? 0}`

/** Pass or Fail with a comment. Posts to the queue's page from every page that contains it; a refused form keeps the typed text. */
export function VerificationForm({ listingId, seen, from, query = `?id=${listingId}`, next, refused: rendered }: VerificationFormProps) {
  const to = useLocalPath()
  const { Form, form, isBusy, refused } = useFetcherForm(rendered, verdictKey(listingId))
  const { typed = {}, errors = {} } = refused ?? {}
  const id = `verify-${listingId}`
  const isAtFoot = from === 'queue'
  const reason = refused?.code === 'VALIDATION' ? '' : refused?.detail || m.verify_offline()
  return (
    <Form
      {...form}
      id={verdictForm(listingId)}
      action={to(`/admin/verification${query}`)}
      noValidate
      className="group/form grid grid-cols-1 gap-3"
    >
      <CsrfField refused={refused} />
      <HiddenFields listing={listingId} seen={seen} from={from} />
      <VerdictField
        id={`${id}-passed`}
        name="passed"
        label={m.verify_verdict()}
        pass={m.verify_pass()}
        fail={m.verify_fail()}
        typed={typed.passed}
        error={errors.passed}
        hasHiddenLegend={isAtFoot}
      />
      <Phrases verdict="yes" typed={typed} />
      <Phrases verdict="no" typed={typed} />
      <div className={`contents ${isAtFoot ? openWhenChosen : ''}`}>
        <TextAreaField
          id={`${id}-comment`}
          name="comment"
          rows={2}
          maxLength={1000}
          label={m.verify_comment()}
          hint={m.verify_comment_hint()}
          defaultValue={typed.comment}
          error={errors.comment}
        />
        {refused && <FormFailure detail={`${m.verify_failed()} ${reason}`.trim()} />}
        <Save form={verdictForm(listingId)} isBusy={isBusy} isAtFoot={isAtFoot}>
          {refused && GONE.includes(refused.code) && <LookAgain {...{ listingId, from, query, next }} />}
        </Save>
      </div>
    </Form>
  )
}

/** The listing was changed or decided meanwhile. */
const GONE: readonly string[] = ['VERSION', 'LISTING_STEP']

function LookAgain({ listingId, from, query, next }: Pick<VerificationFormProps, 'listingId' | 'from' | 'query' | 'next'>) {
  const to = useLocalPath()
  return (
    <>
      <a
        href={to(from === 'product' ? `/product/${listingId}?tab=verification` : `/admin/verification${query}`)}
        className="tap-link font-semibold"
      >
        {m.verify_look_again()}
      </a>
      {next !== undefined && (
        <a href={to(`/admin/verification${next}`)} className="tap-link font-semibold">
          {m.verify_queue_next()}
        </a>
      )}
    </>
  )
}

interface SaveProps {
  /** Id of the form. */
  form: string
  isBusy: boolean
  /** Sticks to the bottom of the desk's column, or of the phone's screen, so that the button is always in sight. */
  isAtFoot: boolean
  children: ReactNode
}

/** With ticked listings the button says the verdict and their number. */
function Save({ form, isBusy, isAtFoot, children }: SaveProps) {
  const { passed, count } = useChosen(form)
  const look = count > 1 && passed === 'no' ? 'button-danger' : 'button-primary'
  const many = count > 1 && (passed === 'yes' ? m.verify_pass_many : passed === 'no' && m.verify_fail_many)
  return (
    <div className={`row gap-x-4 ${isAtFoot ? 'sticky -bottom-3 -mx-3 bg-paper px-3 py-2 lg:bottom-0' : ''}`}>
      <button type="submit" disabled={isBusy} className={`${look} disabled:opacity-60`}>
        {isBusy ? m.verify_saving() : many ? many({ count }) : m.verify_save()}
      </button>
      {children}
      {isAtFoot && (
        <button
          type="button"
          onClick={({ currentTarget }) => closeAgain(currentTarget.form)}
          className="tap-link ml-auto lg:hidden noscript:hidden"
        >
          {m.close()}
        </button>
      )}
    </div>
  )
}

/** On a phone the form closes when nothing is chosen; the typed text stays. */
function closeAgain(form: HTMLFormElement | null): void {
  for (const box of form?.querySelectorAll<HTMLInputElement>('[name=passed]:checked') ?? []) {
    box.checked = false
    box.dispatchEvent(new Event('change', { bubbles: true }))
    box.focus()
  }
}

/** The chosen verdict, and on how many listings it is. The ticks of the queue are outside the form's element. */
function useChosen(id: string): { passed: string; count: number } {
  const [chosen, setChosen] = useState({ passed: '', count: 1 })
  useEffect(() => {
    const read = () => {
      const form = document.getElementById(id)
      if (!(form instanceof HTMLFormElement)) return
      const data = new FormData(form)
      setChosen({ passed: String(data.get('passed') ?? ''), count: 1 + data.getAll('also').length })
    }
    read()
    document.addEventListener('change', read)
    return () => document.removeEventListener('change', read)
  }, [id])
  return chosen
}

/** The phrases of one verdict, shown once it is chosen; each has a digit as keyboard shortcut. */
function Phrases({ verdict, typed }: { verdict: keyof typeof shownFor; typed: Record<string, string> }) {
  return (
    <fieldset data-reasons={verdict} className={`min-w-0 ${shownFor[verdict]}`}>
      <legend className="label">{m.verify_phrases()}</legend>
      <div className="grid grid-cols-1 gap-1">
        {phrases
          .filter((phrase) => isPhraseOf(phrase, verdict === 'yes'))
          .map((phrase, index) => (
            <ChoiceCard
              key={phrase}
              type="checkbox"
              name={`phrase-${phrase}`}
              defaultChecked={typed[`phrase-${phrase}`] === 'on'}
              className="text-sm leading-snug"
              tick={verdict === 'yes' ? '' : 'accent-brick'}
            >
              <kbd aria-hidden="true" className="mr-1.5 hidden rounded border border-line px-1 text-stone lg:inline">
                {index + 1}
              </kbd>
              {phraseText(phrase)}
            </ChoiceCard>
          ))}
      </div>
    </fieldset>
  )
}

const openWhenChosen = 'max-lg:hidden max-lg:group-has-[input[name=passed]:checked]/form:contents'
const shownFor = {
  yes: 'hidden group-has-[input[name=passed][value=yes]:checked]/form:block',
  no: 'hidden group-has-[input[name=passed][value=no]:checked]/form:block',
}
