import { use, useState } from 'react'
import { formatRupees, parseRupees, percentOff } from '#src/kit/money.ts'
import { m } from '#src/paraglide/messages.js'
import { plainRupees } from '#src/listings/schemas.ts'
import { plainFigures } from '#src/listings/typed-figures.ts'
import { ListingForm, TextQuestion } from './form-parts.tsx'
import { pricePerKg, recommendedPrice, type PriceSettings } from './recommended-price.ts'

/** A price as one writes it: Tamil digits and the commas of 85,000 are forgiven. The vaccinations below open when it is one. */
const PRICE_PATTERN = '[₹\\s]*[0-9௦-௯][0-9௦-௯,\\s]*(\\.[0-9௦-௯]{1,4})?\\s*'

export function PriceQuestion({ settings, isAnimal }: { settings: PriceSettings; isAnimal: boolean }) {
  const { typed } = use(ListingForm)
  const read = (name: string) => parseRupees(plainFigures(typed[name] ?? ''))
  const original = read('originalPrice')
  const offer = read('offerPrice')
  const weight = Number(plainFigures(typed.weightKg ?? ''))
  const price = offer && original && offer < original ? offer : original
  const perKg = price && isAnimal && Number.isFinite(weight) ? pricePerKg(price, weight) : null
  const off = original && percentOff(original, offer)
  const isOfferWrong = original !== null && offer !== null && offer > 0n && offer >= original
  return (
    <>
      <TextQuestion
        name="originalPrice"
        label={m.sell_original_price()}
        hint={m.sell_price_hint()}
        isRequired
        before="₹"
        inputMode="decimal"
        maxLength={20}
        pattern={PRICE_PATTERN}
        placeholder="85,000"
        data-price
      />
      <Recommended price={original} settings={settings} />
      <div>
        <TextQuestion
          name="offerPrice"
          label={m.sell_offer_price()}
          hint={m.sell_offer_hint()}
          before="₹"
          inputMode="decimal"
          maxLength={20}
        />
        {isOfferWrong && (
          <p role="status" className="mt-1 font-semibold text-brick">
            {m.field_listing_offer()}
          </p>
        )}
        {off && <p className="mt-1 text-sm font-semibold text-leaf">{m.card_off({ percent: off })}</p>}
      </div>
      {perKg !== null && (
        <p role="status" className="text-sm">
          {m.product_per_kg({ price: formatRupees(perKg) })}
        </p>
      )}
    </>
  )
}

/** One sentence with its arithmetic. It is followed only by who wants to. */
function Recommended({ price, settings }: { price: bigint | null; settings: PriceSettings }) {
  const { isAlive, write } = use(ListingForm)
  const [used, setUsed] = useState<bigint | null>(null)
  if (price === null || price === 0n) return null
  // Reckoned upon once more, the commission would be added to itself.
  if (price === used)
    return (
      <p role="status" className="rounded-control bg-leaf-soft p-3 text-sm font-semibold">
        {m.sell_recommended_used({ percent: settings.profitMarginPercent })}
      </p>
    )
  const { profit, original, offer } = recommendedPrice(price, settings)
  const figures = {
    price: formatRupees(price),
    percent: settings.profitMarginPercent,
    profit: formatRupees(profit),
    original: formatRupees(original),
  }
  return (
    <div role="status" className="rounded-control bg-leaf-soft p-3 text-sm">
      <p>
        <b>{m.sell_recommended_title({ original: figures.original })}</b>
        <br />
        {offer === null
          ? m.sell_recommended_text(figures)
          : m.sell_recommended_offer({ ...figures, offer: formatRupees(offer), off: settings.recommendedOfferPercent })}
      </p>
      {isAlive && (
        <button
          type="button"
          onClick={() => {
            setUsed(original)
            write('originalPrice', plainRupees(original))
            if (offer !== null) write('offerPrice', plainRupees(offer))
          }}
          className="link min-h-11 cursor-pointer font-semibold"
        >
          {m.sell_recommended_use({ original: figures.original })}
        </button>
      )}
    </div>
  )
}
