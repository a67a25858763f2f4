import { FormFailure } from '#src/ui/form-failure.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import type { FormAct } from '#src/kit/device/offline-form.ts'
import { Field, fieldsOf } from '#src/ui/field.tsx'
import { FileField } from '#src/ui/file-field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { CsrfField, HiddenFields } from '#src/ui/post-form.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import { useFetcherForm } from '#src/ui/use-fetcher-form.ts'
import { VerdictField } from '#src/verification/verdict-field.tsx'
import { useCheckDraft } from './check-draft.ts'
import { findingTexts, findingWords, type FindingPart } from './vet-findings.ts'

interface VetCheckFormProps {
  listingId: number
  lastCheckId: number
  /** The page to return to: the product page or the vets' desk. */
  from: 'product' | 'desk'
  isFemale: boolean
  /** YYYY-MM-DD, in India. */
  listedOn: string
  today: string
  /** Set when the page was rendered again because there are no scripts. */
  refused?: FormRefusal | undefined
}

/** In halves, the scale of vets. */
const CONDITIONS = ['1', '1.5', '2', '2.5', '3', '3.5', '4', '4.5', '5']
const conditionTexts: Record<string, () => string> = { 1: m.vet_condition_thin, 3: m.vet_condition_right, 5: m.vet_condition_fat }

/** The form for a vet's finding. It posts to the desk's page from wherever it is shown, and keeps the typed text after a refusal. */
export function VetCheckForm({ listingId, lastCheckId, from, isFemale, listedOn, today, refused: rendered }: VetCheckFormProps) {
  const to = useLocalPath()
  const { Form, form, isBusy, refused } = useFetcherForm(rendered, undefined, checkLater)
  const draft = useCheckDraft(listingId, lastCheckId, rendered !== undefined)
  const { typed = draft.typed, errors = {} } = refused ?? {}
  const said = `${m.vet_failed()} ${refused?.code === 'VALIDATION' ? '' : refused?.detail || m.verify_offline()}`.trim()
  const isAtFoot = from === 'desk'
  const parts: FindingPart[] = isFemale ? ['teeth', 'udder', 'gait', 'skin'] : ['teeth', 'gait', 'skin']
  return (
    <Form
      {...form}
      key={draft.generation}
      onChange={draft.onChange}
      action={to(`/vet-verify/${listingId}`)}
      encType="multipart/form-data"
      noValidate
      className="border-line bg-paper max-sm:-mx-4 max-sm:border-y sm:rounded-card sm:border"
    >
      <CsrfField refused={refused} />
      <HiddenFields act="check" from={from} after={lastCheckId} />
      <div className="grid grid-cols-1 gap-3 p-4">
        <h3 className="text-lg font-bold">{m.vet_form_title()}</h3>
        <p role="status" className="text-sm text-stone empty:hidden">
          {draft.says === 'restored' ? m.vet_form_restored() : draft.says === 'stored' ? m.vet_form_kept() : null}
        </p>
        <Verdict listedOn={listedOn} today={today} typed={typed} errors={errors} />
        <Findings parts={parts} typed={typed} errors={errors} />
        <FileField id="vet-photos" name="photos" multiple label={m.vet_photos()} hint={m.vet_photos_hint()} error={errors.photos} />
        {refused && <FormFailure {...refused} detail={refused.isStored ? refused.detail : said} />}
      </div>
      {/* Outside of the grid, whose cell would hold it in its place. */}
      <div data-desk-foot={isAtFoot || undefined} className={`grid bg-paper px-4 ${isAtFoot ? foot : 'pb-4'}`}>
        <button type="submit" disabled={isBusy || refused?.isStored} className="button-primary disabled:opacity-60 sm:justify-self-start">
          {isBusy ? m.verify_saving() : m.vet_save()}
        </button>
      </div>
    </Form>
  )
}

/** At the foot of the screen. On the animal's page that place is taken. */
const foot = 'sticky bottom-0 z-10 border-t border-line py-2 sm:rounded-b-card short:static'

/** A stable has no signal, so the check with its photos waits on the phone until the connection returns. */
export const checkLater = (form: FormData): FormAct | null =>
  form.get('act') === 'check' && form.get('approved') && form.get('comments')
    ? { kind: 'check', words: String(form.get('comments')) }
    : null

interface FindingsProps {
  parts: FindingPart[]
  typed: Record<string, string>
  errors: Record<string, string>
}

/** Passed or not, the day, and the reason. */
function Verdict({ listedOn, today, typed, errors }: Pick<VetCheckFormProps, 'listedOn' | 'today'> & Omit<FindingsProps, 'parts'>) {
  return (
    <>
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
      <TextAreaField
        {...fieldsOf('vet', { typed, errors })('comments')}
        rows={2}
        maxLength={1000}
        label={m.vet_comments()}
        hint={m.vet_comments_hint()}
      />
    </>
  )
}

function Findings({ parts, typed, errors }: FindingsProps) {
  const findings = (['good', 'watch', 'bad'] as const).map((id) => ({ id, name: findingWords[id]() }))
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-2">
      <legend className="mb-1 font-bold">{m.vet_findings()}</legend>
      <div className="grid grid-cols-2 items-end gap-3 sm:grid-cols-3">
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
        <SelectField
          id="vet-condition"
          name="bodyCondition"
          label={m.vet_condition()}
          none={m.vet_not_looked()}
          options={CONDITIONS.map((score) => ({ id: score, name: conditionTexts[score]?.() ?? score }))}
          defaultValue={typed.bodyCondition ?? ''}
          error={errors.bodyCondition}
        />
        {parts.map((part) => (
          <SelectField
            key={part}
            id={`vet-${part}`}
            name={part}
            label={findingTexts[part]()}
            none={m.vet_not_looked()}
            options={findings}
            defaultValue={typed[part] ?? ''}
            error={errors[part]}
          />
        ))}
      </div>
    </fieldset>
  )
}
