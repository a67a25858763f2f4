import { FormFailure } from '#src/ui/form-failure.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import type { ShownPlace } from '#src/addresses/addresses-view.server.ts'
import { PincodeField } from '#src/addresses/pincode-field.tsx'
import type { PincodeAnswer } from '#src/addresses/use-pincode-place.ts'
import { useSendOnce } from '#src/ui/send-once.ts'
import { m } from '#src/paraglide/messages.js'
import { Field, fieldsOf, MoneyField, Unit } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { PostForm } from '#src/ui/post-form.tsx'
import { RadioCards } from '#src/ui/radio-cards.tsx'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import type { EnquiryChoices } from './enquiry-choices.server.ts'
import { Choice } from './enquiry-form-parts.tsx'
import { useResubmitAfterLogin } from './use-resubmit-after-login.ts'

interface EnquiryFormProps {
  choices: EnquiryChoices
  typed: Record<string, string>
  /** Without JavaScript: the result of the PIN code look-up. */
  place: ShownPlace | null
  refused: FormRefusal | undefined
}

interface Entered {
  typed: Record<string, string>
  errors: Record<string, string>
}
/** `text`: the props of the text field with this name. */
type TextProps = Entered & { text: (name: string) => { id: string; name: string; defaultValue: string; error: string | undefined } }

/** CSS shows the fields of the chosen type, without JavaScript. Written out because the style sheet is generated from the classes found here. */
const whenType: Record<number, string> = {
  1: "hidden group-has-[input[name=categoryTypeId][value='1']:checked]/form:grid",
  2: "hidden group-has-[input[name=categoryTypeId][value='2']:checked]/form:grid",
  3: "hidden group-has-[input[name=categoryTypeId][value='3']:checked]/form:grid",
  4: "hidden group-has-[input[name=categoryTypeId][value='4']:checked]/form:grid",
  5: "hidden group-has-[input[name=categoryTypeId][value='5']:checked]/form:grid",
}
const whenCategory: Record<number, string> = {
  1: "hidden group-has-[input[name=categoryId][value='1']:checked]/form:block",
  2: "hidden group-has-[input[name=categoryId][value='2']:checked]/form:block",
  3: "hidden group-has-[input[name=categoryId][value='3']:checked]/form:block",
  4: "hidden group-has-[input[name=categoryId][value='4']:checked]/form:block",
  5: "hidden group-has-[input[name=categoryId][value='5']:checked]/form:block",
  6: "hidden group-has-[input[name=categoryId][value='6']:checked]/form:block",
}
const whenAnimal =
  "hidden group-has-[input[name=categoryTypeId][value='1']:checked]/form:grid group-has-[input[name=categoryTypeId][value='2']:checked]/form:grid"

const MAX_COUNT = 10

/** B §5: the enquiry as one plain form. */
export function EnquiryForm({ choices, typed, place, refused }: EnquiryFormProps) {
  const to = useLocalPath()
  const form = useFocusOnError(refused)
  const { isBusy, onSubmit } = useSendOnce(refused ?? place ?? undefined)
  const errors = refused?.errors ?? {}
  useResubmitAfterLogin(form, refused)
  const field = fieldsOf('enquiry', { typed, errors })
  const text = (name: string) => ({ ...field(name), autoComplete: 'off' })
  return (
    <PostForm ref={form} action={to('/add-enquiry')} onSubmit={onSubmit} noValidate className="group/form grid gap-4">
      <input type="hidden" name="key" value={typed.key} />
      {/* Enter presses the first button. */}
      <button type="submit" name="act" value="post" tabIndex={-1} aria-hidden className="sr-only" />
      {refused && <FormFailure detail={refused.detail || m.enquiry_failed()} isStored={refused.isStored} />}
      <section className="panel grid min-w-0 gap-5 p-4 sm:p-5">
        <Kind choices={choices} typed={typed} errors={errors} />
        <TextAreaField
          {...field('description')}
          rows={4}
          maxLength={2000}
          label={m.enquiry_details()}
          hint={m.enquiry_details_hint()}
          isRequired
        />
        <Amount text={text} typed={typed} errors={errors} />
      </section>
      <section className="panel grid min-w-0 gap-5 p-4 sm:p-5">
        <Poster text={text} typed={typed} errors={errors} place={place} />
        <p className="text-sm text-stone">{m.enquiry_free()}</p>
        <button type="submit" name="act" value="post" aria-disabled={isBusy} className="button-primary min-h-14 text-lg">
          {isBusy ? m.enquiry_sending() : m.enquiry_post()}
        </button>
      </section>
    </PostForm>
  )
}

/** The wanted animal or goods; only the fields of the chosen type are visible. */
function Kind({ choices, typed, errors }: Entered & { choices: EnquiryChoices }) {
  return (
    <>
      <RadioCards
        id="enquiry-categoryTypeId"
        name="categoryTypeId"
        legend={m.enquiry_type()}
        options={choices.types}
        chosen={typed.categoryTypeId}
        error={errors.categoryTypeId}
        columns={asManyAsFit}
        isRequired
      />
      {choices.types.map((type) => (
        <div key={type.id} className={`${whenType[type.id]} min-w-0 gap-5`}>
          <OfType type={type} typed={typed} errors={errors} />
        </div>
      ))}
      <div className={`${whenAnimal} min-w-0 gap-5 sm:grid-cols-3`}>
        <Choice name="genderId" label={m.product_gender()} options={choices.genders} any={m.enquiry_any()} typed={typed} errors={errors} />
        <Choice name="ageId" label={m.product_age()} options={choices.ages} any={m.enquiry_any()} typed={typed} errors={errors} />
        <Choice name="colorId" label={m.product_color()} options={choices.colors} any={m.enquiry_any()} typed={typed} errors={errors} />
      </div>
    </>
  )
}

function Amount({ text, typed, errors }: TextProps) {
  return (
    <div className="grid min-w-0 items-start gap-5 sm:grid-cols-3">
      <Choice
        name="requiredCount"
        label={m.enquiry_count()}
        hint={m.enquiry_count_hint()}
        options={[...Array(MAX_COUNT).keys()]
          .map((n) => ({ id: n + 1, name: String(n + 1) }))
          .concat({ id: 0, name: m.enquiry_count_open() })}
        any=""
        typed={typed}
        errors={errors}
        isRequired
      />
      <Field
        {...text('weightKg')}
        label={m.enquiry_weight()}
        hint={m.enquiry_weight_hint()}
        inputMode="decimal"
        maxLength={10}
        after={<Unit>{m.enquiry_kg()}</Unit>}
        isRequired
      />
      <MoneyField {...text('acceptablePrice')} label={m.enquiry_price()} hint={m.enquiry_price_hint()} isRequired />
    </div>
  )
}

/** Whom sellers call, and where. */
function Poster({ text, typed, errors, place }: TextProps & { place: ShownPlace | null }) {
  return (
    <>
      <PincodeField
        id="enquiry-pincode"
        label={m.enquiry_around()}
        hint={m.enquiry_around_hint()}
        typed={typed.pincode ?? ''}
        error={errors.pincode}
        known={place}
        isRequired
      >
        {(answer) => <Around answer={answer} />}
      </PincodeField>
      <Field {...text('postedFor')} label={m.enquiry_for()} hint={m.enquiry_for_hint()} autoComplete="name" maxLength={200} isRequired />
      <Field
        {...text('contact')}
        defaultValue={(typed.contact ?? '').replace(/^\+91/, '')}
        label={m.address_phone()}
        hint={m.enquiry_contact_hint()}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        maxLength={40}
        before="+91"
        isRequired
      />
    </>
  )
}

const asManyAsFit = 'grid-cols-[repeat(auto-fit,minmax(10.5rem,1fr))]'

/** The fields of this type: required for livestock and pets, optional for the others. */
function OfType({ type, typed, errors }: Entered & { type: EnquiryChoices['types'][number] }) {
  const isMine = typed.categoryTypeId === String(type.id)
  return (
    <>
      <RadioCards
        id={`enquiry-category-${type.id}`}
        name="categoryId"
        legend={type.isAnimal ? m.enquiry_category() : m.enquiry_category_thing()}
        options={type.categories}
        chosen={isMine ? typed.categoryId : undefined}
        error={isMine ? errors.categoryId : undefined}
        columns={asManyAsFit}
        isRequired={type.isAnimal}
      />
      {type.categories.map(
        ({ id, breeds }) =>
          breeds.length > 0 && (
            <div key={id} className={whenCategory[id]}>
              <Choice
                name={`breed-${id}`}
                label={m.product_breed()}
                options={breeds}
                any={m.enquiry_any_breed()}
                typed={typed}
                errors={typed.categoryId === String(id) && errors.breedId ? { [`breed-${id}`]: errors.breedId } : {}}
              />
            </div>
          ),
      )}
    </>
  )
}

/** The place of the PIN code; announced when it changes. */
function Around({ answer }: { answer: PincodeAnswer }) {
  const place = answer.kind === 'known' ? answer.place : null
  return (
    <p role="status" className="mt-1 min-h-6 text-sm font-semibold">
      {place && [...new Set([place.taluk, place.district, place.state])].filter(Boolean).join(', ')}
      {answer.kind === 'looking' && m.address_looking()}
      {answer.kind === 'failed' && m.address_lookup_failed()}
    </p>
  )
}
