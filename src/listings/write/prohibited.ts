import { isAnimalType } from '#src/listings/fields/listing-questions.ts'

/**
 * Detects prohibited sales by their words (decisions.md §3); the confirmation on the form covers the rest. Matches whole words only: புலிக்குளம் is a
 * breed of cattle and no tiger. Parrot, peacock and mongoose (கிளி, மயில், கீரி) also name kinds of country fowl.
 */

/** Species under the Wild Life (Protection) Act that people do try to sell. */
const wildlife = [
  'star tortoise', 'tortoise', 'parakeet', 'pangolin', 'monitor lizard', 'peafowl', 'spotted deer', 'sambar',
  'slender loris', 'wild boar', 'antler', 'antlers', 'ivory', 'sand boa', 'hill myna', 'munia',
  'நட்சத்திர ஆமை', 'ஆமை', 'பச்சைக்கிளி', 'பச்சை கிளி', 'எறும்புத்தின்னி', 'உடும்பு', 'புள்ளிமான்', 'புள்ளி மான்',
  'தேவாங்கு', 'காட்டுப்பன்றி', 'காட்டுப் பன்றி', 'மான் கொம்பு', 'யானைத் தந்தம்', 'மண்ணுளிப் பாம்பு', 'மண்ணுளி பாம்பு',
] // oxfmt-ignore

/**
 * Sold on a vet's prescription only, or banned for animals: one rule for all goods, dewormers too. Checked for goods, not for animals, because a cow may have
 * been treated with it.
 */
const medicines = [
  'oxytocin', 'diclofenac', 'aceclofenac', 'ketoprofen', 'nimesulide', 'meloxicam', 'oxytetracycline', 'tetracycline', 'enrofloxacin',
  'ciprofloxacin', 'gentamicin', 'penicillin', 'streptomycin', 'amoxicillin', 'ampicillin', 'ceftriaxone', 'ceftiofur', 'dexamethasone',
  'prednisolone', 'xylazine', 'ketamine', 'colistin', 'chloramphenicol', 'ivermectin', 'doramectin', 'eprinomectin', 'moxidectin',
  'ஆக்ஸிடோசின்', 'ஆக்சிடோசின்', 'டைக்ளோஃபெனாக்', 'டைக்ளோபினாக்', 'பென்சிலின்', 'டெட்ராசைக்ளின்', 'ஐவர்மெக்டின்', 'ஐவெர்மெக்டின்', 'ஐவர்மெக்ட்டின்',
] // oxfmt-ignore

/** Dogs whose sale the Union's circular of March 2024 prohibited. */
const dogs = [
  'pitbull', 'pit bull', 'pitbull terrier', 'tosa', 'tosa inu', 'american staffordshire', 'fila brasileiro', 'dogo argentino', 'american bulldog',
  'boerboel', 'kangal', 'central asian shepherd', 'caucasian shepherd', 'south russian shepherd', 'tornjak', 'sarplaninac', 'akita', 'mastiff',
  'rottweiler', 'rhodesian ridgeback', 'wolf dog', 'wolfdog', 'canario', 'akbash', 'moscow guard dog', 'cane corso', 'bandog',
  'பிட்புல்', 'பிட் புல்', 'ராட்வைலர்', 'ரோட்வீலர்', 'ராட்வீலர்', 'மாஸ்டிஃப்', 'மாஸ்டிப்', 'டோசா', 'டோசா இனு',
] // oxfmt-ignore

/** Whole words with an optional English plural. Does not match Tamil endings on purpose: to miss one is better than to refuse a cow. */
const matcher = (words: string[]) =>
  new RegExp(`(?<![\\p{L}\\p{M}])(?:${words.map((word) => word.replaceAll(' ', '\\s+')).join('|')})s?(?![\\p{L}\\p{M}])`, 'iu')

const matchers = { wildlife: matcher(wildlife), medicines: matcher(medicines), dogs: matcher(dogs) }
const DOGS_CATEGORY = 5

type Prohibited = keyof typeof matchers

/** Returns the violated rule; null for nearly every listing. */
export function prohibitedIn(text: string, category: { id: number; typeId: number }): Prohibited | null {
  const plain = text.normalize('NFC')
  if (matchers.wildlife.test(plain)) return 'wildlife'
  if (!isAnimalType(category.typeId) && matchers.medicines.test(plain)) return 'medicines'
  return category.id === DOGS_CATEGORY && matchers.dogs.test(plain) ? 'dogs' : null
}

/**
 * Names of wild animals. Unlike the words above, they prove nothing: parrot and peacock are kinds of country fowl, and a fox may have taken the hens.
 * So the form accepts them, and an admin gets a hint.
 */
const wildNames = [
  'peacock', 'peahen', 'parrot', 'monkey', 'elephant', 'fox', 'jackal', 'tiger', 'lion', 'leopard', 'wolf', 'deer', 'mongoose',
  'crocodile', 'owl', 'eagle', 'squirrel', 'snake',
  'மயில்', 'கிளி', 'குரங்கு', 'யானை', 'நரி', 'புலி', 'சிங்கம்', 'சிறுத்தை', 'ஓநாய்', 'மான்', 'கீரி', 'முதலை', 'ஆந்தை', 'கழுகு',
  'அணில்', 'பாம்பு', 'கரடி',
] // oxfmt-ignore

/** Also matches plurals and young animals: foxes, கிளிகள், யானைக்குட்டி. */
const wild = new RegExp(
  `(?<![\\p{L}\\p{M}])(?:${wildNames.join('|')})(?:s|es|(?:க்)?கள்|(?:க்)?(?:குட்டி|குஞ்சு)(?:கள்)?)?(?![\\p{L}\\p{M}])`,
  'giu',
)
/** Descriptions of country fowl. */
const FOWL_KINDS = /(?:parrot|கிளி)[\s-]*(?:beak|nose|மூக்கு)|(?:peacock|மயில்)\s*(?:colou?r|feather|நிறம்|வண்ணம்)/giu
const FOWL_CATEGORY = 4

/** The wild animals that the text names, for the admin who verifies it. Empty for nearly every listing. */
export function wildlifeNamed(text: string, categoryId: number): string[] {
  const plain = text.normalize('NFC')
  const looked = categoryId === FOWL_CATEGORY ? plain.replace(FOWL_KINDS, ' ') : plain
  return [...new Set([...looked.matchAll(wild)].map(([word]) => word.toLowerCase()))]
}
