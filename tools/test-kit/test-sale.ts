import sharp from 'sharp'
import { makeClip } from './make-clip.ts'
import { noFacts } from '#src/listings/fields/field-table.ts'
import type { ListingFacts } from '#src/listings/write/listing-input.ts'

/** Test data: a cow in the form's fields, a picture of a phone, a call's body. */

export const cowFacts = (changes: Partial<ListingFacts> = {}): ListingFacts => ({
  categoryId: 1,
  breedId: 101,
  ageId: 7,
  genderId: 0,
  colorId: 6,
  name: 'காங்கேயம் பசு',
  description: 'நல்ல குணம்',
  stock: 1,
  weightKg: 320,
  originalPrice: 850_000_000n,
  offerPrice: null,
  ...noFacts,
  tag: null,
  vaccinations: [],
  ...changes,
})

/** A distinct picture per seed that is fast to encode. */
export function picture(seed: number, side = 96): Promise<Buffer> {
  const pixels = Buffer.alloc(side * side * 3, seed % 251)
  for (let n = 0; n < 300; n++) pixels[(n * 7919 * (seed + 1)) % pixels.length] = (n * seed) % 256
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .jpeg()
    .toBuffer()
}

/** A picture in multipart form, each one different. */
export async function pictureForm(name: string, fields: Record<string, string> = {}): Promise<{ form: FormData }> {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  form.append(name, new File([new Uint8Array(await picture(Math.floor(Math.random() * 1e6)))], 'cow.jpg'))
  return { form }
}

export async function clipForm(fields: Record<string, string> = {}): Promise<{ form: FormData }> {
  const form = new FormData()
  for (const [key, value] of Object.entries({ kind: 'video', ...fields })) form.set(key, value)
  form.set('clip', new File([new Uint8Array(await makeClip(fields.kind === 'voice' ? { video: null, sound: 'aac' } : {}))], 'clip'))
  return { form }
}

/** Headers of the first part of a ten-byte clip. */
export const partHeaders = {
  'Tus-Resumable': '1.0.0',
  'Upload-Length': '10',
  'Upload-Offset': '0',
  'Content-Type': 'application/offset+octet-stream',
}

export const firstId = async (answer: Promise<Response>, list: string): Promise<number> =>
  ((await (await answer).json()) as Record<string, { id: number }[]>)[list]![0]!.id

export const wireBody = (sellerId: number, pickup: number, changes: { product?: object; variant?: object; vaccines?: object[] } = {}) => ({
  product: {
    name: 'Kangayam cow',
    description: 'Calm',
    seller: sellerId,
    created_by: sellerId,
    pickup,
    categorytype: 1,
    categorytypename: 'Livestock',
    category: 1,
    categoryname: 'Cattle',
    breed: 101,
    breedname: 'Kangayam',
    ...changes.product,
  },
  product_variant: [
    {
      age: 7,
      gender: 0,
      feedtype: 2,
      stock: 1,
      adult_teeth_pair_count: 4,
      original_price: 85000,
      offer_price: 80000.5,
      weight: 320.25,
      color: 6,
      is_pregnant: 1,
      milk_produce_per_Day: 8.5,
      no_of_offsprings: 1,
      ...changes.variant,
    },
  ],
  vaccines: changes.vaccines ?? [{ vaccine: 1, completed_dose: 2, vaccinated_on: '2026-05-04' }],
})

/** A listing as a phone sends it that was offline; its single picture was uploaded before. */
export const waitingCow = ({ key, pickup }: { key: string; pickup: number }, changes: Record<string, string> = {}) => ({
  typed: {
    key,
    pickup: String(pickup),
    isAllowed: '1',
    categoryId: '1',
    breedId: '101',
    ageId: '7',
    genderId: '0',
    colorId: '6',
    name: 'Kangayam cow',
    description: 'Calm',
    stock: '1',
    weightKg: '320',
    originalPrice: '85000',
    ...changes,
  },
  photos: [{ at: 0 }],
})

/** The fields of a seller's own listing in the API that tests read. */
export interface WireProduct {
  state: string
  name: string
  verification_comment: string | null
  breed: { id: number }
  product_variant: Record<string, unknown>[]
}
