import type { ReactNode } from 'react'
import type { ShownAddress } from '#src/addresses/addresses-view.server.ts'
import type { AskedOf } from '#src/listings/fields/listing-questions.ts'
import type { FormLookups } from '../lookups.server.ts'
import type { PriceSettings } from '../recommended-price.ts'
import { FormSteps, StepFoot, StepPanel } from './form-steps.tsx'
import { PickupSection } from './pickup-section.tsx'
import { QuestionSteps } from './question-steps.tsx'
import type { StepName } from './steps.ts'
import { WhoseSection } from './whose-section.tsx'
import { WordsSection } from './words-section.tsx'

interface ListingStepsProps {
  step: StepName
  marks: { missing: string[]; isMarked: boolean }
  category: AskedOf | null
  page: { lookups: FormLookups; settings: PriceSettings; today: string; book: ShownAddress[] | null; maySellFor?: boolean }
  hasTag?: boolean
  addPath: string
  photos: ReactNode
  /** The end of the last step. */
  end: ReactNode
  /** The button that submits, which knows by itself on which step it stands. */
  submit: ReactNode
}

/** The steps of a listing's form: the same for a new listing and for one that is changed. */
export function ListingSteps({ step, marks, category, page, hasTag = false, addPath, photos, end, submit }: ListingStepsProps) {
  return (
    <FormSteps step={step} {...marks} isOpen={category !== null}>
      {/* An agent says it first, because the owner has to agree. */}
      {page.maySellFor && (
        <StepPanel step="photos">
          <WhoseSection />
        </StepPanel>
      )}
      <QuestionSteps category={category} {...page} hasTag={hasTag} />
      {category && (
        <>
          <StepPanel step="place">
            <PickupSection book={page.book} addPath={addPath} />
          </StepPanel>
          <StepPanel step="check">
            <WordsSection category={category} lookups={page.lookups} />
          </StepPanel>
        </>
      )}
      {/* After the words: without scripts pictures travel with the form, and a slow line must not keep anybody from writing. */}
      <StepPanel step="photos">{photos}</StepPanel>
      {category && <StepPanel step="check">{end}</StepPanel>}
      <StepFoot isOpen={category !== null}>{category && submit}</StepFoot>
    </FormSteps>
  )
}
