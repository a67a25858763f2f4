import tamil from './tamil-names.json' with { type: 'json' }
import towns from './towns.json' with { type: 'json' }

/**
 * Everyday names of places in Tamil Nadu, beyond those in `reference/pincodes.tsv`. A name here wins over the same name in another state
 * (Kovai is Coimbatore, not Khowai in Tripura). Distances are measured from the coordinates of the PIN code.
 */
interface MarketTown {
  /** Spelt as in `reference/pincodes.tsv` when the table has the place. */
  name: string
  /** Only when neither `reference-data.ts` nor `tamilNames` has the name. */
  ta?: string
  pincode: string
  /** Only when the table has the PIN code in another district than the town. */
  district?: string
  /** Everyday names and spellings in either script, separated by spaces. */
  also?: string
}

/** The towns of Tamil Nadu and Puducherry, the head towns of the districts first, then the cities of other states. */
export const marketTowns: MarketTown[] = towns

/** The taluks of Tamil Nadu and Puducherry whose name differs from that of their district, and some districts of the neighbouring states. */
export const tamilNames: Record<string, string> = tamil
