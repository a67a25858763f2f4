import { m } from '#src/paraglide/messages.js'
import { hashOf, stepOf } from './steps.ts'

const names: Record<string, () => string> = {
  image: m.sell_step_photos,
  breedId: m.product_breed,
  genderId: m.product_gender,
  ageId: m.product_age,
  isOldEnough: m.product_age,
  colorId: m.product_color,
  stock: m.sell_stock,
  weightKg: m.product_weight,
  originalPrice: m.sell_original_price,
  pickup: m.sell_step_place,
  ownerName: m.sell_owner_name,
  ownerPhone: m.sell_owner_phone,
  ownerFee: m.sell_owner_fee,
}

/**
 * Lists what the steps still need, each with a link to it; nothing without scripts, which know what was typed since.
 */
export function MissingList({ missing, isAlive }: { missing: string[]; isAlive: boolean }) {
  const named = missing.filter((name) => names[name] !== undefined)
  if (!isAlive || named.length === 0) return null
  return (
    <p className="notice">
      {m.sell_still_missing()}{' '}
      {named.map((name, index) => (
        <span key={name}>
          {index > 0 && ', '}
          <a href={hashOf(stepOf(name))} className="inline-link font-semibold">
            {names[name]!()}
          </a>
        </span>
      ))}
    </p>
  )
}
