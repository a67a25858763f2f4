import { use } from 'react'
import { m } from '#src/paraglide/messages.js'
import { MAX_TEETH_PAIRS, teethOf } from '#src/listings/fields/teeth.ts'
import { plainFigures } from '#src/kit/text/plain-text.ts'
import { ListingForm, notKnown, PictureQuestion } from './form-parts.tsx'
import { TeethPicture } from './teeth-picture.tsx'

const CATTLE = 1
/** Pairs of adult teeth to an age band (ids of livestock-age): cattle change theirs between two and four and a half years, goats and sheep a year earlier. A hint only. */
const agesOfCattle = [5, 6, 7, 7, 8]
const agesOfGoats = [4, 5, 6, 6, 7]

/** The age that so many pairs speak for; null beyond a full mouth. */
const ageByTeeth = (pairs: number, categoryId: number): number | null => (categoryId === CATTLE ? agesOfCattle : agesOfGoats)[pairs] ?? null

/** Asked in teeth, as keepers count them; stored in pairs, as the wire has them. */
const pairTexts = [m.sell_teeth_0, m.sell_teeth_1, m.sell_teeth_2, m.sell_teeth_3, m.sell_teeth_4]
/** More pairs than a full mouth, up to the limit of A §5, without a picture. */
const morePairs = Array.from({ length: MAX_TEETH_PAIRS + 1 - pairTexts.length }, (_, n) => pairTexts.length + n)

/** Teeth by picture: a seller who does not know the age can look into the mouth. */
export function TeethQuestion({ categoryId, ages }: { categoryId: number; ages: { id: number; name: string }[] }) {
  const { typed, isAlive, write } = use(ListingForm)
  const written = plainFigures(typed.teethPairs ?? '')
  const pairs = /^\d{1,2}$/.test(written) ? Number(written) : null
  const suggested = pairs === null ? null : ageByTeeth(pairs, categoryId)
  const age = ages.find(({ id }) => id === suggested)
  return (
    <div className="grid gap-3">
      <PictureQuestion
        name="teethPairs"
        label={m.product_teeth()}
        hint={m.sell_teeth_hint()}
        options={[
          ...pairTexts.map((text, count) => ({ id: count, name: text(), picture: <TeethPicture pairs={count} /> })),
          notKnown(),
          ...morePairs.map((pairs) => ({ id: pairs, name: m.sell_teeth_more({ teeth: teethOf(pairs) }) })),
        ]}
      />
      {age && typed.ageId !== String(age.id) && isAlive && (
        <p role="status" className="row gap-x-3 gap-y-1 notice text-sm">
          {m.sell_teeth_age({ age: age.name })}
          <button type="button" onClick={() => write('ageId', String(age.id))} className="link-button">
            {m.sell_use()}
          </button>
        </p>
      )}
    </div>
  )
}
