/**
 * Which question is asked of which animal or thing (A §5, decisions.md §3), besides those of the optional facts (fields/field-table.ts). A
 * question that is not asked has no answer, whatever was typed before another species was chosen.
 */
export interface AskedOf {
  /** Id and the two numbers of its category. */
  id: number
  typeId: number
  variantType: number
}

interface Questions {
  /** An animal, or a lot of them: colour, sex and the tick about the law. */
  animal: boolean
  breed: boolean
  age: boolean
  vaccines: boolean
  /** The twelve digits of the ear tag. */
  tag: boolean
  /** The owner must know that the dog is older than eight weeks. */
  weeks: boolean
}

const DOGS = 5
const LIVESTOCK_TYPE = 1
const PETS_TYPE = 2
/** The only age band in which a dog may be younger than eight weeks. */
const YOUNGEST_AGE = 1
/** Gender id 0 is female, and a real value. */
export const FEMALE = 0 as const

/** By the type of its category: a living animal, livestock or pet, and no goods. */
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

/** Up to two vaccines stand on the form. */
export const MAX_VACCINES = 2
export const MAX_PHOTOS = 3

/** Kilograms by tape in centimetres: girth² × length ÷ this. A rule of thumb for cattle, good to about a tenth. */
const TAPE_DIVISOR = 10_840

/** In whole kilograms; null unless both are measurements of a beast. */
export function weightByTape(girthCm: number, lengthCm: number): number | null {
  if (![girthCm, lengthCm].every((cm) => cm >= MIN_TAPE_CM && cm <= MAX_TAPE_CM)) return null
  return Math.round((girthCm * girthCm * lengthCm) / TAPE_DIVISOR)
}
export const MIN_TAPE_CM = 20
export const MAX_TAPE_CM = 350
