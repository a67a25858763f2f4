/**
 * The standard questions that apply to each animal or product (A §5, decisions.md §3); fields/field-table.ts has the optional facts. A question that
 * does not apply has no answer, whatever the person typed before they chose another species.
 */
export interface AskedOf {
  /** The category's id and its two type numbers. */
  id: number
  typeId: number
  variantType: number
}

interface Questions {
  /** An animal or a lot of animals: colour, sex and the legal confirmation. */
  animal: boolean
  breed: boolean
  age: boolean
  vaccines: boolean
  /** The twelve digits of the ear tag. */
  tag: boolean
  /** The owner must confirm that the dog is older than eight weeks. */
  weeks: boolean
}

const CHICKENS = 4
const DOGS = 5
const HORSES = 6
const LIVESTOCK_TYPE = 1
const PETS_TYPE = 2
/** The only age band that includes dogs younger than eight weeks. */
const YOUNGEST_AGE = 1
const SEVEN_YEARS = 10
const CASTRATED = 2
const DARK_BAY = 17
/** Gender id 0 is female and a real value. */
export const FEMALE = 0 as const

/** Whether the category type is livestock or pets, and not goods. */
export const isAnimalType = (typeId: number) => typeId === LIVESTOCK_TYPE || typeId === PETS_TYPE

export function questionsFor(category: AskedOf | null, ageId: number | null): Questions {
  const typeId = category?.typeId ?? 0
  const animal = isAnimalType(typeId)
  return {
    animal,
    breed: animal,
    age: animal,
    vaccines: typeId === LIVESTOCK_TYPE,
    tag: category?.variantType === 1,
    weeks: category?.id === DOGS && ageId === YOUNGEST_AGE,
  }
}

/** Answers that no animal of a species has, such as a horse's colour of a goat. The forms leave them out; the calls take each. */
const UNFIT: Record<'genderId' | 'ageId' | 'colorId', (categoryId: number, id: number) => boolean> = {
  genderId: (categoryId, id) => categoryId === CHICKENS && id === CASTRATED,
  ageId: (categoryId, id) => categoryId === CHICKENS && id >= SEVEN_YEARS,
  colorId: (categoryId, id) => categoryId !== HORSES && id === DARK_BAY,
}

/** The answers that a form offers for a species, and the one that was chosen before. */
export const fitting = <T extends { id: number }>(
  field: keyof typeof UNFIT,
  categoryId: number,
  options: T[],
  chosen: string | undefined,
): T[] => options.filter(({ id }) => !UNFIT[field](categoryId, id) || String(id) === chosen)

/** The form has two vaccine rows. */
export const MAX_VACCINES = 2
export const MAX_PHOTOS = 3

/** Kilograms from centimetres: girth² × length ÷ this. A rule of thumb for cattle, accurate to about a tenth. */
const TAPE_DIVISOR = 10_840

/** Whole kilograms; null unless both measurements are plausible. */
export function weightByTape(girthCm: number, lengthCm: number): number | null {
  if (![girthCm, lengthCm].every((cm) => cm >= MIN_TAPE_CM && cm <= MAX_TAPE_CM)) return null
  return Math.round((girthCm * girthCm * lengthCm) / TAPE_DIVISOR)
}
export const MIN_TAPE_CM = 20
export const MAX_TAPE_CM = 350
