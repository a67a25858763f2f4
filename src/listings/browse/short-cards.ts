import { localeOfPath } from '#src/kit/text/locale.ts'

/** An animal in a row of the device's own, with its price in rupees. */
export interface ShortCard {
  id: number
  name: string
  price: number
  image: string | null
}

/** The maximum of one call. */
const IDS_PER_CALL = 12

/** Those of these animals that are still on the market, in order. Rejects when offline. */
export async function fetchShortCards(ids: readonly number[]): Promise<ShortCard[]> {
  const headers = { 'Accept-Language': localeOfPath(location.pathname) }
  const calls = Array.from({ length: Math.ceil(ids.length / IDS_PER_CALL) }, async (_, call) => {
    const some = ids.slice(call * IDS_PER_CALL, (call + 1) * IDS_PER_CALL)
    const response = await fetch(`/api/v1/product-cards/ids=${some.join(',')}`, { headers })
    if (!response.ok) throw new Error(`product-cards answered ${response.status}`)
    return (await response.json()) as ShortCard[]
  })
  return (await Promise.all(calls)).flat()
}
