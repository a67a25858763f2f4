import { use, useEffect, useState } from 'react'
import { m } from '#src/paraglide/messages.js'
import { formatRupees, rupees } from '#src/kit/time-money/money.ts'
import { ListingForm } from './form-parts.tsx'

interface Range {
  low: number
  high: number
  count: number
}
interface Prices {
  asked: Range | null
  fetched: Range | null
}

/**
 * Shows the asked and the paid prices of animals of the same breed and sex. It needs scripts; offline there is
 * nothing to read.
 */
export function SimilarPrices() {
  const { typed } = use(ListingForm)
  const { breedId, genderId } = typed
  const [prices, setPrices] = useState<Prices | null>(null)
  useEffect(() => {
    setPrices(null)
    if (!breedId || !genderId) return
    const leave = new AbortController()
    fetch(`/api/v1/similarprices/breed=${breedId}&gender=${genderId}`, { signal: leave.signal })
      .then(async (response) => response.ok && setPrices((await response.json()) as Prices))
      .catch(() => {})
    return () => leave.abort()
  }, [breedId, genderId])
  if (!prices?.asked && !prices?.fetched) return null
  return (
    <div role="status" className="grid gap-1 rounded-control bg-husk-dark p-3 text-sm">
      <b>{m.sell_similar_title()}</b>
      {prices.asked && <span>{m.sell_similar_asked(shown(prices.asked))}</span>}
      {prices.fetched && <span>{m.sell_similar_fetched(shown(prices.fetched))}</span>}
    </div>
  )
}

const shown = ({ low, high, count }: Range) => ({ low: formatRupees(rupees(low)), high: formatRupees(rupees(high)), count })
