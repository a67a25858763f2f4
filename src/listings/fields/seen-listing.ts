import { factsFrom, fieldTable, type Facts } from './field-table.ts'

/** The stored snapshot of a listing as an admin saw it for a verdict. Prices in 1/10,000 rupee as text. */
export interface SeenListing extends Facts {
  name: string
  nameEn: string | null
  description: string
  descriptionEn: string | null
  categoryId: number
  breedId: number | null
  ageId: number | null
  genderId: number | null
  colorId: number | null
  weightKg: number
  stock: number
  originalPrice: string
  offerPrice: string | null
  district: string
  /** Media keys in order. */
  photos: string[]
  /** Missing in verdicts from before clips were recorded. */
  clips?: SeenClip[]
}

/** A clip as the admin saw it, with the seller's caption. */
interface SeenClip {
  key: string
  caption: string
}

type Listing = Omit<SeenListing, 'originalPrice' | 'offerPrice' | 'photos' | 'clips'> & { originalPrice: bigint; offerPrice: bigint | null }

export function seenListing(listing: Listing, photos: string[], clips: SeenClip[]): SeenListing {
  const { name, nameEn, description, descriptionEn, categoryId, breedId, ageId, genderId, colorId, weightKg, stock, district } = listing
  return {
    name,
    nameEn,
    description,
    descriptionEn,
    categoryId,
    breedId,
    ageId,
    genderId,
    colorId,
    weightKg,
    stock,
    district,
    ...factsFrom(fieldTable, (fact) => listing[fact]),
    originalPrice: String(listing.originalPrice),
    offerPrice: listing.offerPrice === null ? null : String(listing.offerPrice),
    photos,
    clips,
  }
}
