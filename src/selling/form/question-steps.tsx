import { use } from 'react'
import { m } from '#src/paraglide/messages.js'
import { fieldTable } from '#src/listings/fields/field-table.ts'
import { MAX_VACCINES, questionsFor, type AskedOf } from '#src/listings/listing-questions.ts'
import { FactQuestions, hasFactQuestions } from './fact-questions.tsx'
import { Choice } from '#src/ui/choice.tsx'
import { ChoiceQuestion, CountQuestion, ListingForm, LongQuestion, RadioQuestion, Step, TextQuestion, TickQuestion } from './form-parts.tsx'
import type { FormLookups } from '#src/selling/lookups.server.ts'
import type { PriceSettings } from '#src/selling/recommended-price.ts'
import { PriceQuestion } from './price-question.tsx'

/** The same limits as the checks have (listing-input.ts), which a browser need not load. */
const MAX_NAME = 120
const MAX_DESCRIPTION = 2000

interface StepsProps {
  category: AskedOf
  lookups: FormLookups
  settings: PriceSettings
  /** Today in India: the last possible day. */
  today: string
  /** A tag is on record; nobody is shown its digits. */
  hasTag?: boolean
  table?: typeof fieldTable
}

/**
 * Every question for this species. A question that depends on an answer within it (a female's milk, the age of a young dog, vaccinations
 * once there is a price) is opened by the style sheet, so that it needs no script.
 */
export function QuestionSteps({ category, lookups, settings, today, hasTag = false, table = fieldTable }: StepsProps) {
  const asks = questionsFor(category, null)
  const breeds = lookups.breeds.filter(({ categoryId }) => categoryId === category.id)
  return (
    <>
      <Step id="about" title={asks.animal ? m.sell_about_title() : m.sell_about_thing()}>
        <TextQuestion
          name="name"
          label={m.sell_name()}
          hint={category.id === CATTLE ? m.sell_name_hint() : asks.animal ? m.sell_name_animal() : m.sell_name_thing()}
          isRequired
          maxLength={MAX_NAME}
        />
        {asks.breed && <ChoiceQuestion name="breedId" label={m.product_breed()} options={breeds} isRequired />}
        {asks.animal && <RadioQuestion name="genderId" label={m.product_gender()} options={lookups.genders} isRequired />}
        {asks.age && <ChoiceQuestion name="ageId" label={m.product_age()} options={lookups.ages} isRequired />}
        {category.id === DOGS && (
          <div className="hidden group-has-[select[name=ageId]_option[value='1']:checked]/form:block">
            <TickQuestion name="isOldEnough" label={m.sell_weeks()} />
          </div>
        )}
        {asks.animal && <ChoiceQuestion name="colorId" label={m.product_color()} options={lookups.colors} isRequired />}
        <CountQuestion name="stock" label={m.sell_stock()} hint={m.sell_stock_hint()} min={1} max={10_000} isRequired />
        <CountQuestion
          name="weightKg"
          label={m.sell_weight()}
          hint={m.sell_weight_hint()}
          min={0}
          max={5000}
          step={0.5}
          after={m.sell_kg()}
          isRequired
        />
        <FactQuestions step="about" categoryId={category.id} ages={lookups.ages} table={table} />
        <LongQuestion
          name="description"
          label={m.product_description()}
          hint={asks.animal ? m.sell_description_hint() : m.sell_description_thing()}
          rows={4}
          maxLength={MAX_DESCRIPTION}
          isRequired
        />
      </Step>
      {(asks.tag || hasFactQuestions('more', category.id, table)) && (
        <Step id="more" title={m.sell_more_title()} hint={m.sell_more_hint()}>
          <FactQuestions step="more" categoryId={category.id} ages={lookups.ages} table={table} />
          {asks.tag && <TagQuestion hasTag={hasTag} />}
        </Step>
      )}
      <Step id="price" title={m.sell_price_title()} hint={m.sell_free_hint()}>
        <PriceQuestion settings={settings} isAnimal={asks.animal} />
      </Step>
      {asks.vaccines && <Vaccinations lookups={lookups} categoryId={category.id} today={today} />}
    </>
  )
}
const CATTLE = 1
const DOGS = 5

function TagQuestion({ hasTag }: Required<Pick<StepsProps, 'hasTag'>>) {
  const { typed } = use(ListingForm)
  return (
    <div>
      <TextQuestion
        name="tag"
        label={m.sell_tag()}
        hint={hasTag ? m.edit_tag_hint() : m.sell_tag_hint()}
        inputMode="numeric"
        maxLength={24}
        placeholder="1234 5678 9012"
      />
      {hasTag && (
        <Choice
          type="checkbox"
          name="isTagGone"
          value="1"
          defaultChecked={typed.isTagGone === '1'}
          className="mt-1 gap-2 text-sm"
          tick="accent-brick"
        >
          {m.edit_tag_gone()}
        </Choice>
      )}
    </div>
  )
}

/** Up to two, each with its dose and its day; with a valid price, as the specification has it. */
function Vaccinations({ lookups, categoryId, today }: { lookups: FormLookups; categoryId: number; today: string }) {
  const { typed } = use(ListingForm)
  const vaccines = lookups.vaccines.filter(({ categoryIds }) => categoryIds.includes(categoryId))
  return (
    <div className="hidden group-has-[[data-price]:valid:not(:placeholder-shown)]/form:block">
      <Step id="vaccines" title={m.product_tab_vaccination()} hint={m.sell_vaccines_hint()}>
        {Array.from({ length: MAX_VACCINES }, (_, index) => index + 1).map((n) => (
          <details
            key={n}
            open={n === 1 || Boolean(typed[`vaccine${n}`]) || undefined}
            className="rounded-control border border-line bg-field"
          >
            <summary className="min-h-11 content-center px-3 font-semibold">{m.sell_vaccine_number({ number: n })}</summary>
            <div className="grid gap-3 p-3 pt-0 sm:grid-cols-3">
              <ChoiceQuestion name={`vaccine${n}`} label={m.product_vaccine()} options={vaccines} />
              <ChoiceQuestion name={`dose${n}`} label={m.product_dose()} options={lookups.doses} />
              <TextQuestion name={`vaccinated${n}`} label={m.product_given_on()} type="date" max={today} />
            </div>
          </details>
        ))}
      </Step>
    </div>
  )
}
