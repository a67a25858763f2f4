/** The steps of a listing's form, in order; each shows the sections named here. Without scripts all sections stand on one long page. */
export const steps = ['photos', 'animal', 'price', 'place', 'check'] as const
export type StepName = (typeof steps)[number]

/** The first section of each is its address on the page. */
const sections: Record<StepName, readonly [string, ...string[]]> = {
  photos: ['photos', 'clips', 'owner'],
  animal: ['species', 'about', 'more'],
  price: ['price', 'vaccines'],
  place: ['pickup'],
  check: ['words', 'send'],
}

export const hashOf = (step: StepName) => `#${sections[step][0]}`

/** The step that an address asks for; null for what is no section. */
export const stepAt = (hash: string): StepName | null =>
  hash === '' ? 'photos' : (steps.find((step) => sections[step].includes(hash.slice(1))) ?? null)

const askedAt: Partial<Record<string, StepName>> = {
  whose: 'photos',
  ownerName: 'photos',
  ownerPhone: 'photos',
  ownerFee: 'photos',
  image: 'photos',
  clip: 'photos',
  voice: 'photos',
  clipCaption1: 'photos',
  clipCaption2: 'photos',
  originalPrice: 'price',
  offerPrice: 'price',
  stock: 'price',
  pickup: 'place',
  name: 'check',
  description: 'check',
  isAllowed: 'check',
}

/** The step that asks for a field; most are about the animal. */
export const stepOf = (field: string): StepName => askedAt[field] ?? (/^(vaccine|dose|vaccinated)\d$/.test(field) ? 'price' : 'animal')
