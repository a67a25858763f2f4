import { useFetcher } from 'react-router'
import { FormFailure, useFocusOnWrong } from '#src/accounts/form-failure.tsx'
import type { FormRefusal, FormResult } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { useLineGuard } from '#src/ui/dead-line.ts'
import { describedBy, FieldError } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { VerdictField } from './verdict-field.tsx'
import { passPhrases, phrases, phraseText, type Phrase } from './verification-phrases.ts'

interface VerificationFormProps {
  listingId: number
  /** The version of the listing that this page shows: a change by the seller meanwhile is not passed unseen. */
  version: number
  csrf: string
  /** The page to come back to: the animal's page, or the next in the queue. */
  from: 'product' | 'queue'
  /** Set on a page that was rendered again because there are no scripts. */
  refused?: FormRefusal | undefined
}

/** Pass or Fail, and why. The queue's page takes it, wherever the form stands; the typed text stays when it is refused. */
export function VerificationForm({ listingId, version, csrf, from, refused: rendered }: VerificationFormProps) {
  const to = useLocalPath()
  const fetcher = useFetcher<FormResult<never>>()
  const { isLineDead, guard } = useLineGuard(fetcher)
  const refused = fetcher.state === 'idle' ? (fetcher.data?.refused ?? rendered) : undefined
  const form = useFocusOnWrong(refused)
  const { typed = {}, errors = {} } = refused ?? {}
  const id = `verify-${listingId}`
  const isBusy = fetcher.state !== 'idle'
  return (
    <fetcher.Form
      ref={form}
      method="post"
      action={to(`/admin/verification?id=${listingId}`)}
      noValidate
      onSubmit={guard}
      className="grid grid-cols-1 gap-4"
    >
      <input type="hidden" name="csrf" value={csrf} />
      <input type="hidden" name="listing" value={listingId} />
      <input type="hidden" name="version" value={version} />
      <input type="hidden" name="from" value={from} />
      <VerdictField
        id={`${id}-passed`}
        name="passed"
        label={m.verify_verdict()}
        pass={m.verify_pass()}
        fail={m.verify_fail()}
        typed={typed.passed}
        error={errors.passed}
      />
      <fieldset className="min-w-0">
        <legend className="label">{m.verify_phrases()}</legend>
        <div className="grid grid-cols-1 gap-1.5 sm:grid-cols-2">
          {phrases.map((phrase) => (
            <PhraseBox key={phrase} phrase={phrase} isTicked={typed[`phrase-${phrase}`] === 'on'} />
          ))}
        </div>
      </fieldset>
      <div>
        <label htmlFor={`${id}-comment`} className="label">
          {m.verify_comment()}
        </label>
        <p id={`${id}-comment-hint`} className="mb-1 text-sm text-stone">
          {m.verify_comment_hint()}
        </p>
        <textarea
          id={`${id}-comment`}
          name="comment"
          rows={3}
          maxLength={1000}
          defaultValue={typed.comment}
          aria-invalid={errors.comment !== undefined || undefined}
          aria-describedby={describedBy(`${id}-comment`, true, errors.comment)}
          className="field aria-invalid:border-2 aria-invalid:border-brick"
        />
        <FieldError id={`${id}-comment`} error={errors.comment} />
      </div>
      {refused && (
        <FormFailure
          detail={`${m.verify_failed()} ${refused.code === 'VALIDATION' ? '' : refused.detail}`.trim()}
          retryAfterSeconds={refused.retryAfterSeconds}
        />
      )}
      {(refused?.code === 'VERSION' || refused?.code === 'LISTING_STEP') && (
        <a
          href={to(from === 'product' ? `/product/${listingId}?tab=verification` : `/admin/verification?id=${listingId}`)}
          className="link inline-flex min-h-11 items-center font-semibold"
        >
          {m.verify_look_again()}
        </a>
      )}
      {isLineDead && <FormFailure detail={`${m.verify_failed()} ${m.verify_offline()}`} />}
      <button type="submit" disabled={isBusy} className="button-primary justify-self-start disabled:opacity-60">
        {isBusy ? m.verify_saving() : m.verify_save()}
      </button>
    </fetcher.Form>
  )
}

const PhraseBox = ({ phrase, isTicked }: { phrase: Phrase; isTicked: boolean }) => (
  <label className="flex min-h-11 cursor-pointer items-center gap-2.5 rounded-control border border-line bg-white px-3 py-1.5 text-sm leading-snug has-checked:border-leaf has-checked:bg-leaf-soft">
    <input
      type="checkbox"
      name={`phrase-${phrase}`}
      defaultChecked={isTicked}
      className={`size-5 shrink-0 ${passPhrases.includes(phrase) ? 'accent-leaf' : 'accent-brick'}`}
    />
    {phraseText(phrase)}
  </label>
)
