import { use, type ReactNode } from 'react'
import { m } from '#src/paraglide/messages.js'
import { breedPicture } from '#src/listings/animal-pictures.ts'
import { fieldTable } from '#src/listings/fields/field-table.ts'
import { fitting, MAX_VACCINES, questionsFor, type AskedOf } from '#src/listings/fields/listing-questions.ts'
import { Choice } from '#src/ui/choice.tsx'
import type { FormLookups } from '../lookups.server.ts'
import type { PriceSettings } from '../recommended-price.ts'
import { ColorSwatch } from './color-swatch.tsx'
import { factNames, FactQuestions } from './fact-questions.tsx'
import { ChoiceQuestion, CountQuestion, ListingForm, PictureQuestion, Section, TextQuestion, TickQuestion } from './form-parts.tsx'
import { StepPanel } from './form-steps.tsx'
import { PriceQuestion } from './price-question.tsx'
import { SpeciesPicture, SpeciesQuestion } from './species-question.tsx'

interface StepsProps {
  /** Null: not chosen yet. */
  category: AskedOf | null
  lookups: FormLookups
  settings: PriceSettings
  /** Today in India: the last possible day. */
  today: string
  /** A tag is on record; nobody is shown its digits. */
  hasTag?: boolean
  table?: typeof fieldTable
}

/**
 * The steps "animal" and "price", with every question for this species. A question that depends on an answer within it (a female's milk, the
 * age of a young dog, vaccinations once there is a price) is opened by the style sheet, so that it needs no script.
 */
export function QuestionSteps(steps: StepsProps) {
  const { category, lookups, settings, today } = steps
  const asks = questionsFor(category, null)
  return (
    <>
      <StepPanel step="animal">
        <SpeciesQuestion categories={lookups.categories} isChosen={category !== null} />
        {category && <About key={category.id} {...steps} category={category} />}
      </StepPanel>
      {category && (
        <StepPanel step="price">
          <Section id="price" title={m.sell_price_title()}>
            <PriceQuestion settings={settings} isAnimal={asks.animal} />
            <CountQuestion name="stock" label={m.sell_stock()} hint={m.sell_stock_hint()} min={1} max={10_000} isRequired />
          </Section>
          {asks.vaccines && <Vaccinations key={category.id} lookups={lookups} categoryId={category.id} today={today} />}
        </StepPanel>
      )}
    </>
  )
}
const DOGS = 5

/** All that A §5 asks of an animal stands open; our further questions are folded below it. */
function About({ category, lookups, hasTag = false, table = fieldTable }: StepsProps & { category: AskedOf }) {
  const { typed } = use(ListingForm)
  const asks = questionsFor(category, null)
  const fit = <T extends { id: number }>(field: 'genderId' | 'ageId' | 'colorId', options: T[]) =>
    fitting(field, category.id, options, typed[field])
  const breeds = lookups.breeds
    .filter(({ categoryId }) => categoryId === category.id)
    .map((breed) => ({ ...breed, picture: <BreedPicture breedId={breed.id} categoryId={category.id} /> }))
  const colors = fit('colorId', lookups.colors).map((color) => ({ ...color, picture: <ColorSwatch id={color.id} /> }))
  return (
    <>
      <Section id="about" title={asks.animal ? m.sell_about_title() : m.sell_about_thing()}>
        {asks.breed && <PictureQuestion name="breedId" label={m.product_breed()} options={breeds} isRequired />}
        {asks.animal && (
          <PictureQuestion name="genderId" label={m.product_gender()} options={fit('genderId', lookups.genders)} isRequired />
        )}
        {asks.age && <AgeQuestion ages={fit('ageId', lookups.ages)} isDog={category.id === DOGS} />}
        {asks.animal && <PictureQuestion name="colorId" label={m.product_color()} options={colors} isRequired />}
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
      </Section>
      {(asks.tag || factNames('more', category.id, table).length > 0) && (
        <Folded id="more" title={m.sell_more_title()} hint={m.sell_more_hint()} fields={[...factNames('more', category.id, table), 'tag']}>
          <FactQuestions step="more" categoryId={category.id} ages={lookups.ages} table={table} />
          {asks.tag && <TagQuestion hasTag={hasTag} />}
        </Folded>
      )}
    </>
  )
}

/** A puppy must be older than eight weeks. */
const AgeQuestion = ({ ages, isDog }: { ages: FormLookups['ages']; isDog: boolean }) => (
  <>
    <PictureQuestion name="ageId" label={m.product_age()} options={ages.map(({ id, inWords }) => ({ id, name: inWords }))} isRequired />
    {isDog && (
      <div className="hidden group-has-[input[name=ageId][value='1']:checked]/form:block">
        <TickQuestion name="isOldEnough" label={m.sell_weeks()} />
      </div>
    )}
  </>
)

function BreedPicture({ breedId, categoryId }: { breedId: number; categoryId: number }) {
  const drawing = breedPicture(breedId)
  return drawing ? (
    <img src={drawing} alt="" width={56} height={56} loading="lazy" className="size-14" />
  ) : (
    <SpeciesPicture categoryId={categoryId} size="size-14" />
  )
}

/** A section that opens on a tap; open from the start where something in it was answered, or refused. */
function Folded({ id, title, hint, fields, children }: { id: string; title: string; hint: string; fields: string[]; children: ReactNode }) {
  const { typed, errors } = use(ListingForm)
  return (
    <details id={id} open={fields.some((name) => typed[name] ?? errors[name]) || undefined} className="panel min-w-0">
      <summary className="min-h-11 px-4 py-3 text-lg leading-tight font-bold">
        {title}
        <span className="block text-sm font-normal text-stone">{hint}</span>
      </summary>
      <div className="grid min-w-0 gap-4 px-4 pb-4">{children}</div>
    </details>
  )
}

function TagQuestion({ hasTag }: { hasTag: boolean }) {
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

/** Up to two, each with its dose and its day; they open once a price is typed, as the specification has it. */
function Vaccinations({ lookups, categoryId, today }: { lookups: FormLookups; categoryId: number; today: string }) {
  const vaccines = lookups.vaccines.filter(({ categoryIds }) => categoryIds.includes(categoryId))
  const numbers = Array.from({ length: MAX_VACCINES }, (_, index) => index + 1)
  return (
    <div className="hidden group-has-[[data-price]:valid:not(:placeholder-shown)]/form:block">
      <Section id="vaccines" title={m.product_tab_vaccination()} hint={m.sell_vaccines_hint()}>
        {numbers.map((n) => (
          <fieldset key={n} className="min-w-0 rounded-control border border-line bg-field">
            <legend className="ml-3 px-1 font-semibold">{m.sell_vaccine_number({ number: n })}</legend>
            <div className="grid gap-3 p-3 pt-1 sm:grid-cols-3">
              <ChoiceQuestion name={`vaccine${n}`} label={m.product_vaccine()} options={vaccines} />
              <ChoiceQuestion name={`dose${n}`} label={m.product_dose()} options={lookups.doses} />
              <TextQuestion name={`vaccinated${n}`} label={m.product_given_on()} type="date" max={today} />
            </div>
          </fieldset>
        ))}
      </Section>
    </div>
  )
}
