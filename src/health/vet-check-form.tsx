import { useFetcher } from 'react-router'
import { FormFailure, useFocusOnWrong } from '#src/accounts/form-failure.tsx'
import type { FormRefusal, FormResult } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { useLineGuard } from '#src/ui/dead-line.ts'
import { describedBy, Field, FieldError } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { VerdictField } from '#src/verification/verdict-field.tsx'
import { findingTexts, findingWords, type FindingPart } from './vet-findings.ts'

interface VetCheckFormProps {
  listingId: number
  csrf: string
  /** The page to come back to: the animal's page, or the vets' desk. */
  from: 'product' | 'desk'
  isFemale: boolean
  /** YYYY-MM-DD, in India. */
  listedOn: string
  today: string
  /** Set on a page that was rendered again because there are no scripts. */
  refused?: FormRefusal | undefined
}

/** In halves, as vets score. */
const CONDITIONS = ['1', '1.5', '2', '2.5', '3', '3.5', '4', '4.5', '5']

/** What the vet found. The desk's page takes it, wherever the form stands; the typed text stays when it is refused. */
export function VetCheckForm({ listingId, csrf, from, isFemale, listedOn, today, refused: rendered }: VetCheckFormProps) {
  const to = useLocalPath()
  const fetcher = useFetcher<FormResult<never>>()
  const { isLineDead, guard } = useLineGuard(fetcher)
  const isBusy = fetcher.state !== 'idle'
  const refused = isBusy ? undefined : (fetcher.data?.refused ?? rendered)
  const form = useFocusOnWrong(refused)
  const { typed = {}, errors = {} } = refused ?? {}
  const parts: FindingPart[] = isFemale ? ['teeth', 'udder', 'gait', 'skin'] : ['teeth', 'gait', 'skin']
  return (
    <fetcher.Form
      ref={form}
      method="post"
      action={to(`/vet-verify/${listingId}`)}
      noValidate
      onSubmit={guard}
      className="grid grid-cols-1 gap-4 border-line bg-paper p-4 max-sm:-mx-4 max-sm:border-y sm:rounded-card sm:border"
    >
      <input type="hidden" name="csrf" value={csrf} />
      <input type="hidden" name="act" value="check" />
      <input type="hidden" name="from" value={from} />
      <h3 className="text-lg font-bold">{m.vet_form_title()}</h3>
      <VerdictField
        id="vet-approved"
        name="approved"
        label={m.vet_approval()}
        pass={m.product_vet_pass()}
        fail={m.product_vet_fail()}
        typed={typed.approved}
        error={errors.approved}
      />
      <div className="max-w-60">
        <Field
          id="vet-checked-on"
          name="checkedOn"
          type="date"
          min={listedOn}
          max={today}
          label={m.vet_checked_on()}
          defaultValue={typed.checkedOn ?? today}
          error={errors.checkedOn}
        />
      </div>
      <div>
        <label htmlFor="vet-comments" className="label">
          {m.vet_comments()}
        </label>
        <p id="vet-comments-hint" className="mb-1 text-sm text-stone">
          {m.vet_comments_hint()}
        </p>
        <textarea
          id="vet-comments"
          name="comments"
          rows={4}
          maxLength={1000}
          defaultValue={typed.comments}
          aria-invalid={errors.comments !== undefined || undefined}
          aria-describedby={describedBy('vet-comments', true, errors.comments)}
          className="field aria-invalid:border-2 aria-invalid:border-brick"
        />
        <FieldError id="vet-comments" error={errors.comments} />
      </div>
      <fieldset className="grid min-w-0 grid-cols-1 gap-4">
        <legend className="mb-1 font-bold">{m.vet_findings()}</legend>
        <p className="-mt-2 text-sm text-stone">{m.vet_findings_hint()}</p>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            id="vet-temperature"
            name="temperatureC"
            inputMode="decimal"
            autoComplete="off"
            maxLength={5}
            label={m.vet_temperature()}
            defaultValue={typed.temperatureC}
            error={errors.temperatureC}
            after={<span className="flex min-h-11 items-center font-semibold">°C</span>}
          />
          <div>
            <label htmlFor="vet-condition" className="label">
              {m.vet_condition()}
            </label>
            <select
              id="vet-condition"
              name="bodyCondition"
              defaultValue={typed.bodyCondition ?? ''}
              aria-invalid={errors.bodyCondition !== undefined || undefined}
              aria-describedby={describedBy('vet-condition', false, errors.bodyCondition)}
              className="field"
            >
              <option value="">{m.vet_not_looked()}</option>
              {CONDITIONS.map((score) => (
                <option key={score} value={score}>
                  {score === '1'
                    ? m.vet_condition_thin()
                    : score === '3'
                      ? m.vet_condition_right()
                      : score === '5'
                        ? m.vet_condition_fat()
                        : score}
                </option>
              ))}
            </select>
            <FieldError id="vet-condition" error={errors.bodyCondition} />
          </div>
        </div>
        {parts.map((part) => (
          <FindingChoice key={part} part={part} chosen={typed[part] ?? ''} error={errors[part]} />
        ))}
      </fieldset>
      {refused && (
        <FormFailure
          detail={`${m.vet_failed()} ${refused.code === 'VALIDATION' ? '' : refused.detail}`.trim()}
          retryAfterSeconds={refused.retryAfterSeconds}
        />
      )}
      {isLineDead && <FormFailure detail={`${m.vet_failed()} ${m.verify_offline()}`} />}
      <button type="submit" disabled={isBusy} className="button-primary justify-self-start disabled:opacity-60">
        {isBusy ? m.verify_saving() : m.vet_save()}
      </button>
    </fetcher.Form>
  )
}

/** Good, to be watched, bad; untouched it says nothing. */
function FindingChoice({ part, chosen, error }: { part: FindingPart; chosen: string; error: string | undefined }) {
  const id = `vet-${part}`
  const values = [
    ['good', findingWords.good()],
    ['watch', findingWords.watch()],
    ['bad', findingWords.bad()],
    ['', m.vet_not_looked()],
  ] as const
  return (
    <fieldset className="min-w-0" aria-invalid={error !== undefined || undefined} aria-describedby={describedBy(id, false, error)}>
      <legend className="label">{findingTexts[part]()}</legend>
      <div className="grid grid-cols-2 gap-1.5 sm:grid-cols-4">
        {values.map(([value, text]) => (
          <label
            key={value}
            className="flex min-h-11 cursor-pointer items-center gap-1.5 rounded-control border border-line bg-white px-2 py-1.5 text-sm leading-snug has-checked:border-leaf has-checked:bg-leaf-soft has-focus-visible:outline-3 has-focus-visible:outline-turmeric"
          >
            <input type="radio" name={part} value={value} defaultChecked={chosen === value} className="size-5 shrink-0 accent-leaf" />
            {text}
          </label>
        ))}
      </div>
      <FieldError id={id} error={error} />
    </fieldset>
  )
}
