import { use, useState } from 'react'
import { fieldRupees, MAX_AMOUNT_TEXT, formatRupees, percentOff } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { pricePerKg } from '#src/listings/reference/price-per-kg.ts'
import { readRupees } from '#src/kit/time-money/amounts.ts'
import { plainFigures } from '#src/kit/text/plain-text.ts'
import { Field } from '#src/ui/field.tsx'
import { inHandPrice, receivedAt, recommendedPrice, type PriceSettings } from '../recommended-price.ts'
import { ListingForm, TextQuestion } from './form-parts.tsx'
import { SimilarPrices } from './similar-prices.tsx'

/** Opens the vaccinations below: text with a digit or a word for its size. The server reads the price. */
const PRICE_PATTERN = '.*([\\p{N}]|[ஆா]யிர|லட்ச|நூறு|[Tt]housand|[Ll]akh|[Ll]ac|[Aa]yiram).*'

export function PriceQuestion({ settings, isAnimal }: { settings: PriceSettings; isAnimal: boolean }) {
  const { typed } = use(ListingForm)
  const read = (name: string) => readRupees(typed[name] ?? '')
  const original = read('originalPrice')
  const offer = read('offerPrice')
  const weight = Number(plainFigures(typed.weightKg ?? ''))
  const price = offer && original && offer < original ? offer : original
  const perKg = price && isAnimal && Number.isFinite(weight) ? pricePerKg(price, weight) : null
  return (
    <>
      <TextQuestion
        name="originalPrice"
        label={m.sell_original_price()}
        hint={m.sell_price_hint()}
        isRequired
        before="₹"
        inputMode="decimal"
        maxLength={MAX_AMOUNT_TEXT}
        pattern={PRICE_PATTERN}
        placeholder="85,000"
        data-price
      />
      <SimilarPrices />
      {price !== null && price > 0n && <InHandNow price={price} settings={settings} />}
      <Recommended price={original} settings={settings} />
      <OfferQuestion original={original} offer={offer} />
      {perKg !== null && (
        <p role="status" className="text-sm">
          {m.product_per_kg({ price: formatRupees(perKg) })}
        </p>
      )}
    </>
  )
}

function OfferQuestion({ original, offer }: { original: bigint | null; offer: bigint | null }) {
  const off = original && percentOff(original, offer)
  const isWrong = original !== null && offer !== null && offer > 0n && offer >= original
  return (
    <div>
      <TextQuestion
        name="offerPrice"
        label={m.sell_offer_price()}
        hint={m.sell_offer_hint()}
        before="₹"
        inputMode="decimal"
        maxLength={MAX_AMOUNT_TEXT}
      />
      {isWrong && (
        <p role="status" className="mt-1 font-semibold text-brick">
          {m.field_listing_offer()}
        </p>
      )}
      {off && <p className="mt-1 text-sm font-semibold text-leaf">{m.card_off({ percent: off })}</p>}
    </div>
  )
}

/** The seller's share of the asked price comes before all else about it. */
function InHandNow({ price, settings }: { price: bigint; settings: PriceSettings }) {
  const { received } = receivedAt(price, settings)
  return (
    <p role="status" className="notice text-sm">
      <b className="text-2xl">{m.sell_in_hand_now({ received: formatRupees(received) })}</b>
      <br />
      <Receipt price={price} settings={settings} />
    </p>
  )
}

/** The recommended price of A §9, and beside it what reaches the seller of that price. It is followed only by those who want to. */
function Recommended({ price, settings }: { price: bigint | null; settings: PriceSettings }) {
  const { isAlive, write } = use(ListingForm)
  const [used, setUsed] = useState<bigint | null>(null)
  if (price === null || price === 0n) return <InHand settings={settings} onUse={setUsed} />
  // Applied twice, the margin would be added to itself.
  if (price === used)
    return (
      <p role="status" className="done text-sm">
        ✓ <Receipt price={price} settings={settings} />
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
    <>
      <div role="status" className="note text-sm">
        <p>
          <b>{m.sell_recommended_title({ original: figures.original })}</b>
          <br />
          {offer === null
            ? m.sell_recommended_text(figures)
            : m.sell_recommended_offer({ ...figures, offer: formatRupees(offer), off: settings.recommendedOfferPercent })}{' '}
          <Receipt price={offer ?? original} settings={settings} />
        </p>
        {isAlive && (
          <button
            type="button"
            onClick={() => {
              setUsed(original)
              write('originalPrice', fieldRupees(original))
              if (offer !== null) write('offerPrice', fieldRupees(offer))
            }}
            className="link-button"
          >
            {m.sell_recommended_use({ original: figures.original })}
          </button>
        )}
      </div>
      <InHand settings={settings} onUse={setUsed} />
    </>
  )
}

/** The sum that reaches the seller of a sale through Sandhai at this price, calculated as on the commission invoice. */
function Receipt({ price, settings }: { price: bigint; settings: PriceSettings }) {
  const { commission, received } = receivedAt(price, settings)
  return m.sell_received({
    price: formatRupees(price),
    percent: settings.profitMarginPercent,
    commission: formatRupees(commission),
    received: formatRupees(received),
  })
}

/** The other way round: from what the seller wants in hand to the price that leaves it. Not sent with the form; it needs scripts. */
function InHand({ settings, onUse }: { settings: PriceSettings; onUse: (price: bigint) => void }) {
  const { isAlive, write } = use(ListingForm)
  const [typed, setTyped] = useState('')
  if (!isAlive) return null
  const wanted = readRupees(typed)
  const price = wanted ? inHandPrice(wanted, settings) : null
  return (
    <details className="rounded-control border border-line px-3">
      <summary className="flex min-h-11 cursor-pointer items-center py-2 font-semibold text-leaf">{m.sell_in_hand_open()}</summary>
      <div className="grid gap-2 pb-3">
        <Field
          id="in-hand"
          label={m.sell_in_hand_label()}
          before="₹"
          inputMode="decimal"
          autoComplete="off"
          maxLength={MAX_AMOUNT_TEXT}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          // Enter here must not submit the listing.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
        {price !== null && (
          <div role="status" className="note text-sm">
            <p>
              <b>{m.sell_in_hand_title({ price: formatRupees(price) })}</b>
              <br />
              <Receipt price={price} settings={settings} />
            </p>
            <button
              type="button"
              onClick={() => {
                onUse(price)
                write('originalPrice', fieldRupees(price))
                write('offerPrice', '')
              }}
              className="link-button"
            >
              {m.sell_recommended_use({ original: formatRupees(price) })}
            </button>
          </div>
        )}
      </div>
    </details>
  )
}
