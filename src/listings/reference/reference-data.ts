/**
 * The fixed lists behind a listing. Their ids are part of the wire and of the database: never renumber one.
 * docs/glossary.md lists the Tamil names that differ from the specification's.
 */

import type { Named } from '#src/accounts/reference-data.ts'
import { breeds, buffaloBreedIds, buffaloWords, type Breed } from './breeds-data.ts'

export type { Breed }
export { breeds, buffaloBreedIds, buffaloWords }

interface CategoryType extends Named {
  asksBreedAndAge: boolean
  asksVaccination: boolean
}

export interface Category extends Named {
  typeId: number
  /** The word on the round button. */
  shortEn: string
  shortTa: string
  /** 1: the form asks for teeth, pregnancy, milk and offspring. 2: other animals. 0: not an animal. */
  variantType: 0 | 1 | 2
}

export interface Vaccine extends Named {
  /** The short name on the card, as vets write it. */
  code: string
  categoryIds: number[]
}

interface AnimalWord {
  en: string
  ta: string
}

interface AnimalWords {
  categoryId: number
  female: AnimalWord
  male: AnimalWord
  young: AnimalWord
  /** Set if keepers have a word for it; otherwise the name of the gender. */
  castrated?: AnimalWord
}

interface MarketWord {
  /** Spellings; Latin ones in lower case. */
  words: string[]
  /** The meaning, for screen readers and for people new to the trade. */
  en: string
  categoryIds: number[]
  colorIds: number[]
}

export const categoryTypes: CategoryType[] = [
  { id: 1, en: 'Livestock', ta: 'கால்நடைகள்', asksBreedAndAge: true, asksVaccination: true },
  { id: 2, en: 'Pets', ta: 'செல்லப் பிராணிகள்', asksBreedAndAge: true, asksVaccination: false },
  { id: 3, en: 'Accessories', ta: 'உபகரணங்கள்', asksBreedAndAge: false, asksVaccination: false },
  { id: 4, en: 'Feeds', ta: 'தீவனங்கள்', asksBreedAndAge: false, asksVaccination: false },
  { id: 5, en: 'Medicines', ta: 'மருந்துகள்', asksBreedAndAge: false, asksVaccination: false },
]

/** The button before the categories. Id 0 is never stored. */
export const allAnimals: Named = { id: 0, en: 'Animals', ta: 'அனைத்தும்' }

export const categories: Category[] = [
  { id: 1, typeId: 1, en: 'Cattle', ta: 'மாடுகள்', shortEn: 'Cow', shortTa: 'மாடு', variantType: 1 },
  { id: 2, typeId: 1, en: 'Goat', ta: 'வெள்ளாடுகள்', shortEn: 'Goat', shortTa: 'ஆடு', variantType: 1 },
  { id: 3, typeId: 1, en: 'Sheep', ta: 'செம்மறியாடுகள்', shortEn: 'Sheep', shortTa: 'செம்மறி', variantType: 1 },
  { id: 4, typeId: 1, en: 'Chicken', ta: 'கோழிகள்', shortEn: 'Chicken', shortTa: 'கோழி', variantType: 2 },
  { id: 5, typeId: 2, en: 'Country Dogs', ta: 'நாட்டு நாய்கள்', shortEn: 'Dog', shortTa: 'நாய்', variantType: 2 },
  { id: 6, typeId: 1, en: 'Horses', ta: 'குதிரைகள்', shortEn: 'Horse', shortTa: 'குதிரை', variantType: 2 },
  { id: 11, typeId: 3, en: 'Ropes, bells and halters', ta: 'கயிறு, மணி, முகக்கயிறு', shortEn: 'Ropes', shortTa: 'கயிறு', variantType: 0 },
  { id: 12, typeId: 3, en: 'Milking and dairy equipment', ta: 'பால் பண்ணை உபகரணங்கள்', shortEn: 'Dairy', shortTa: 'பால் உபகரணம்', variantType: 0 },
  { id: 13, typeId: 3, en: 'Feeders, drinkers and cages', ta: 'தீவனத் தொட்டி, கூண்டு', shortEn: 'Cages', shortTa: 'கூண்டு', variantType: 0 },
  { id: 14, typeId: 3, en: 'Chaff cutters and machines', ta: 'தீவனம் வெட்டும் இயந்திரம்', shortEn: 'Machines', shortTa: 'இயந்திரம்', variantType: 0 },
  { id: 15, typeId: 3, en: 'Saddles, leashes, pet items', ta: 'சேணம், நாய்ச் சங்கிலி', shortEn: 'Pet items', shortTa: 'சேணம்', variantType: 0 },
  { id: 21, typeId: 4, en: 'Cattle feed and oil cake', ta: 'மாட்டுத் தீவனம், பிண்ணாக்கு', shortEn: 'Feed', shortTa: 'பிண்ணாக்கு', variantType: 0 },
  { id: 22, typeId: 4, en: 'Green fodder and straw', ta: 'பசுந்தீவனம், வைக்கோல்', shortEn: 'Fodder', shortTa: 'வைக்கோல்', variantType: 0 },
  { id: 23, typeId: 4, en: 'Mineral mixture', ta: 'தாது உப்புக் கலவை', shortEn: 'Minerals', shortTa: 'தாது உப்பு', variantType: 0 },
  { id: 24, typeId: 4, en: 'Poultry feed', ta: 'கோழித் தீவனம்', shortEn: 'Poultry feed', shortTa: 'கோழித் தீவனம்', variantType: 0 },
  { id: 25, typeId: 4, en: 'Dog food', ta: 'நாய் உணவு', shortEn: 'Dog food', shortTa: 'நாய் உணவு', variantType: 0 },
  { id: 31, typeId: 5, en: 'Dewormers', ta: 'குடற்புழு நீக்க மருந்து', shortEn: 'Dewormer', shortTa: 'புழு மருந்து', variantType: 0 },
  { id: 32, typeId: 5, en: 'Tick and lice control', ta: 'உண்ணி, பேன் மருந்து', shortEn: 'Ticks', shortTa: 'உண்ணி மருந்து', variantType: 0 },
  { id: 33, typeId: 5, en: 'Herbal and first aid', ta: 'மூலிகை, முதலுதவி மருந்து', shortEn: 'First aid', shortTa: 'மூலிகை', variantType: 0 },
]

export const vaccines: Vaccine[] = [
  { id: 1, code: 'FMD', en: 'Foot and mouth disease', ta: 'கோமாரி நோய்', categoryIds: [1, 2, 3] },
  { id: 2, code: 'HS', en: 'Haemorrhagic septicaemia', ta: 'தொண்டை அடைப்பான் நோய்', categoryIds: [1, 2, 3] },
  { id: 3, code: 'BQ', en: 'Black quarter', ta: 'சப்பை நோய்', categoryIds: [1, 3] },
  { id: 4, code: 'AX', en: 'Anthrax (endemic areas only)', ta: 'அடைப்பான் நோய் (நோய் உள்ள பகுதிகளில் மட்டும்)', categoryIds: [1, 2, 3] },
  { id: 5, code: 'BRU', en: 'Brucellosis (female calves only)', ta: 'கன்று வீச்சு நோய் (கிடேரிக் கன்றுகளுக்கு மட்டும்)', categoryIds: [1] },
  { id: 6, code: 'THL', en: 'Theileriosis', ta: 'தைலேரியாசிஸ்', categoryIds: [1] },
  { id: 7, code: 'LSD', en: 'Lumpy skin disease', ta: 'தோல் கழலை (லம்பி) நோய்', categoryIds: [1] },
  { id: 8, code: 'RAB', en: 'Rabies', ta: 'வெறிநாய்க்கடி (ரேபிஸ்)', categoryIds: [1, 5, 6] },
  { id: 9, code: 'PPR', en: 'Peste des petits ruminants', ta: 'ஆட்டுக்கொல்லி நோய்', categoryIds: [2, 3] },
  { id: 10, code: 'ET', en: 'Enterotoxaemia', ta: 'துள்ளுமாரி நோய்', categoryIds: [2, 3] },
  { id: 11, code: 'GP', en: 'Goat pox', ta: 'வெள்ளாட்டு அம்மை நோய்', categoryIds: [2] },
  { id: 12, code: 'SP', en: 'Sheep pox', ta: 'செம்மறியாட்டு அம்மை நோய்', categoryIds: [3] },
  { id: 13, code: 'BT', en: 'Bluetongue', ta: 'நீலநாக்கு நோய்', categoryIds: [3] },
  { id: 14, code: 'TT', en: 'Tetanus', ta: 'ரணஜன்னி (டெட்டனஸ்)', categoryIds: [2, 3, 6] },
  { id: 15, code: 'CCPP', en: 'Contagious caprine pleuropneumonia', ta: 'வெள்ளாட்டுத் தொற்று நுரையீரல் அழற்சி', categoryIds: [2] },
  { id: 16, code: 'RD', en: 'Ranikhet (Newcastle), F1 / Lasota / R2B', ta: 'இராணிக்கெட் (வெள்ளைக் கழிச்சல்) நோய்', categoryIds: [4] },
  { id: 17, code: 'FP', en: 'Fowl pox', ta: 'கோழி அம்மை நோய்', categoryIds: [4] },
  { id: 18, code: 'IBD', en: 'Infectious bursal disease (Gumboro)', ta: 'கம்போரோ நோய்', categoryIds: [4] },
  { id: 19, code: 'MD', en: "Marek's disease", ta: 'மாரெக்ஸ் நோய்', categoryIds: [4] },
  { id: 20, code: 'IB', en: 'Infectious bronchitis', ta: 'தொற்று மூச்சுக்குழல் அழற்சி', categoryIds: [4] },
  { id: 21, code: 'DHPPi', en: 'Canine distemper, hepatitis, parvo, parainfluenza', ta: 'நாய்களுக்கான கூட்டுத் தடுப்பூசி (டிஸ்டெம்பர், பார்வோ)', categoryIds: [5] },
  { id: 22, code: 'LEP', en: 'Leptospirosis', ta: 'எலிக்காய்ச்சல் (லெப்டோஸ்பைரோசிஸ்)', categoryIds: [5] },
  { id: 23, code: 'EI', en: 'Equine influenza', ta: 'குதிரை இன்ஃப்ளூயன்சா', categoryIds: [6] },
]

export const vaccineDoses: Named[] = [
  { id: 1, en: 'Primary dose', ta: 'முதல் தவணை' },
  { id: 2, en: 'Booster dose', ta: 'பூஸ்டர் (ஊக்கத் தவணை)' },
  { id: 3, en: 'Revaccination dose', ta: 'மறு தவணை (ஆண்டுதோறும்)' },
]

export const livestockAges: Named[] = [
  { id: 1, en: '0-3 months', ta: '0-3 மாதங்கள்' },
  { id: 2, en: '3-6 months', ta: '3-6 மாதங்கள்' },
  { id: 3, en: '6-9 months', ta: '6-9 மாதங்கள்' },
  { id: 4, en: '9-12 months', ta: '9-12 மாதங்கள்' },
  { id: 5, en: '1-2 years', ta: '1-2 ஆண்டுகள்' },
  { id: 6, en: '2-3 years', ta: '2-3 ஆண்டுகள்' },
  { id: 7, en: '3-4 years', ta: '3-4 ஆண்டுகள்' },
  { id: 8, en: '4-5 years', ta: '4-5 ஆண்டுகள்' },
  { id: 9, en: '5-7 years', ta: '5-7 ஆண்டுகள்' },
  { id: 10, en: '7-10 years', ta: '7-10 ஆண்டுகள்' },
  { id: 11, en: 'Above 10 years', ta: '10 ஆண்டுகளுக்கு மேல்' },
]

export const colors: Named[] = [
  { id: 1, en: 'White', ta: 'வெள்ளை' },
  { id: 2, en: 'Black', ta: 'கருப்பு' },
  { id: 3, en: 'Brown', ta: 'பழுப்பு' },
  { id: 4, en: 'Red', ta: 'சிவப்பு' },
  { id: 5, en: 'Red-brown', ta: 'செவலை' },
  { id: 6, en: 'Grey', ta: 'சாம்பல் (மயிலை)' },
  { id: 7, en: 'Dark grey', ta: 'கருஞ்சாம்பல்' },
  { id: 8, en: 'Fawn, light brown', ta: 'இளம்பழுப்பு' },
  { id: 9, en: 'Cream', ta: 'சந்தன நிறம்' },
  { id: 10, en: 'Black and white', ta: 'கருப்பு வெள்ளை' },
  { id: 11, en: 'Brown and white', ta: 'பழுப்பு வெள்ளை' },
  { id: 12, en: 'Red and white', ta: 'சிவப்பு வெள்ளை' },
  { id: 13, en: 'Black and tan', ta: 'கருப்பு பழுப்பு' },
  { id: 14, en: 'Spotted', ta: 'புள்ளி' },
  { id: 15, en: 'Piebald, patched', ta: 'திட்டு நிறம்' },
  { id: 16, en: 'Golden', ta: 'பொன்னிறம்' },
  { id: 17, en: 'Dark bay (horse)', ta: 'கரும்பழுப்பு' },
  { id: 18, en: 'Mixed colours', ta: 'பல நிறம்' },
]

/** 0 is a real value, fixed by the specification: never test a gender for truthiness. */
export const genders: Named[] = [
  { id: 0, en: 'Female', ta: 'பெண்' },
  { id: 1, en: 'Male', ta: 'ஆண்' },
  { id: 2, en: 'Castrated male', ta: 'காயடித்த ஆண்' },
  { id: 3, en: 'Mixed lot', ta: 'ஆண், பெண் கலந்தது' },
]

/** Every listing is stored with 2, so this field has no meaning. */
export const feedTypes: Named[] = [
  { id: 1, en: 'Grazing only', ta: 'மேய்ச்சல் மட்டும்' },
  { id: 2, en: 'Grazing and feed (mixed)', ta: 'மேய்ச்சல் மற்றும் தீவனம்' },
  { id: 3, en: 'Stall fed', ta: 'கொட்டில் தீவனம்' },
  { id: 4, en: 'Concentrate feed', ta: 'அடர் தீவனம்' },
  { id: 5, en: 'Natural, organic', ta: 'இயற்கைத் தீவனம்' },
]

export const animalWords: AnimalWords[] = [
  { categoryId: 1, female: { en: 'cow', ta: 'பசு' }, male: { en: 'bull', ta: 'காளை' }, young: { en: 'calf', ta: 'கன்று' }, castrated: { en: 'Bullock', ta: 'எருது' } },
  { categoryId: 2, female: { en: 'doe', ta: 'பெட்டை ஆடு' }, male: { en: 'buck', ta: 'கிடா' }, young: { en: 'kid', ta: 'குட்டி' }, castrated: { en: 'Castrated buck', ta: 'காயடித்த கிடா' } },
  { categoryId: 3, female: { en: 'ewe', ta: 'செம்மறிப் பெட்டை' }, male: { en: 'ram', ta: 'கிடா' }, young: { en: 'lamb', ta: 'குட்டி' }, castrated: { en: 'Castrated ram', ta: 'காயடித்த கிடா' } },
  { categoryId: 4, female: { en: 'hen', ta: 'பெட்டைக் கோழி' }, male: { en: 'rooster', ta: 'சேவல்' }, young: { en: 'chick', ta: 'குஞ்சு' } },
  { categoryId: 5, female: { en: 'female dog', ta: 'பெண் நாய்' }, male: { en: 'male dog', ta: 'ஆண் நாய்' }, young: { en: 'puppy', ta: 'குட்டி' } },
  { categoryId: 6, female: { en: 'mare', ta: 'பெண் குதிரை' }, male: { en: 'stallion', ta: 'ஆண் குதிரை' }, young: { en: 'foal', ta: 'குதிரைக்குட்டி' } },
]

/** A buffalo is neither பசு nor காளை, though its breeds belong to the cattle category. */
const buffaloAnimalWords: AnimalWords = {
  categoryId: 1,
  female: { en: 'buffalo cow', ta: 'எருமை (பெட்டை)' },
  male: { en: 'buffalo bull', ta: 'எருமைக் கிடா' },
  young: { en: 'buffalo calf', ta: 'எருமைக் கன்று' },
  castrated: { en: 'Castrated buffalo', ta: 'காயடித்த எருமைக் கிடா' },
}

/** Keepers' words for the animals of a breed; null for goods. */
export const wordsFor = (categoryId: number | null, breedId: number | null): AnimalWords | null =>
  breedId !== null && buffaloBreedIds.includes(breedId)
    ? buffaloAnimalWords
    : (animalWords.find((words) => words.categoryId === categoryId) ?? null)

/**
 * Words that mean a whole category: Tamil, English, and Tamil in Latin letters (lower case). A word may belong to several categories: "aadu" finds
 * goats and sheep, as at the market. Buffalo words belong to the buffalo breeds instead, because a person who searches for எருமை does not want a cow.
 */
export const categoryAliases: Record<number, string[]> = {
  1: ['cattle', 'cow', 'cows', 'bull', 'bulls', 'ox', 'oxen', 'bullock', 'calf', 'calves', 'heifer', 'milk cow', 'maadu', 'madu', 'maatu', 'mattu', 'pasu', 'pasumaadu', 'kaalai', 'kalai', 'erudhu', 'eruthu', 'kandru', 'kanru', 'kannu', 'kannukutty', 'kidari', 'karavai maadu', 'uzhavu maadu', 'மாடு', 'மாடுகள்', 'பசு', 'பசுமாடு', 'பசு மாடு', 'காளை', 'காளை மாடு', 'எருது', 'கன்று', 'கன்றுக்குட்டி', 'கன்னுக்குட்டி', 'கிடாரி', 'கறவை மாடு', 'உழவு மாடு', 'கால்நடை'],
  2: ['goat', 'goats', 'buck', 'doe', 'kid', 'kids', 'aadu', 'adu', 'aattu', 'aattukutti', 'vellaadu', 'velladu', 'vellaattu', 'kida', 'kidaa', 'kidai', 'kutti', 'kutty', 'pettai aadu', 'ஆடு', 'ஆடுகள்', 'வெள்ளாடு', 'வெள்ளாடுகள்', 'கிடா', 'கிடாய்', 'ஆட்டுக்குட்டி', 'குட்டி', 'பெட்டை ஆடு', 'மறிக்குட்டி'],
  3: ['sheep', 'lamb', 'lambs', 'ram', 'rams', 'ewe', 'ewes', 'mutton', 'aadu', 'adu', 'semmari', 'semari', 'semmariyadu', 'semmariyaadu', 'semmari aadu', 'chemmari', 'kida', 'kidaa', 'kutti', 'kutty', 'செம்மறி', 'செம்மறியாடு', 'செம்மறி ஆடு', 'செம்மறியாடுகள்', 'ஆடு', 'ஆடுகள்', 'கிடா', 'கிடாய்', 'ஆட்டுக்கிடா', 'குட்டி'],
  4: ['chicken', 'chickens', 'hen', 'hens', 'rooster', 'cock', 'cockerel', 'chick', 'chicks', 'fowl', 'poultry', 'country chicken', 'kozhi', 'koli', 'kozi', 'seval', 'saeval', 'pettai kozhi', 'naattu kozhi', 'nattu kozhi', 'nattu koli', 'nattukozhi', 'kunju', 'kunjugal', 'kozhikunju', 'கோழி', 'கோழிகள்', 'சேவல்', 'பெட்டைக் கோழி', 'பெட்டை கோழி', 'நாட்டுக்கோழி', 'நாட்டுக் கோழி', 'நாட்டு கோழி', 'குஞ்சு', 'குஞ்சுகள்'],
  5: ['dog', 'dogs', 'puppy', 'puppies', 'pup', 'country dog', 'hound', 'hunting dog', 'naai', 'nai', 'naay', 'naikutti', 'naai kutti', 'vettai naai', 'நாய்', 'நாய்கள்', 'நாய்க்குட்டி', 'நாய்க்குட்டிகள்', 'நாய்குட்டி', 'வேட்டை நாய்', 'காவல் நாய்'],
  6: ['horse', 'horses', 'mare', 'stallion', 'pony', 'ponies', 'foal', 'colt', 'filly', 'gelding', 'kuthirai', 'kudhirai', 'kudirai', 'kuthira', 'kuthirai kutti', 'குதிரை', 'குதிரைகள்', 'குதிரைக்குட்டி', 'குதிரை குட்டி', 'மட்டக்குதிரை'],
  11: ['rope', 'ropes', 'bell', 'bells', 'halter', 'nose rope', 'kayiru', 'kayir', 'mani', 'maattu mani', 'salangai', 'mugakayiru', 'mookanankayiru', 'kazhuthu kayiru', 'கயிறு', 'மணி', 'மாட்டு மணி', 'சலங்கை', 'முகக்கயிறு', 'மூக்கணாங்கயிறு', 'கழுத்துக் கயிறு', 'தும்பு'],
  12: ['milking machine', 'milk can', 'milk cans', 'dairy', 'bucket', 'paal karuvi', 'paal can', 'karavai iyandhiram', 'karavai machine', 'பால் கறவை இயந்திரம்', 'கறவை இயந்திரம்', 'பால் கேன்', 'பால் கருவி', 'பால் வாளி'],
  13: ['cage', 'cages', 'feeder', 'drinker', 'trough', 'incubator', 'brooder', 'koondu', 'kundu', 'kozhi koondu', 'thotti', 'theevana thotti', 'கூண்டு', 'கோழிக் கூண்டு', 'கோழி கூண்டு', 'தீவனத் தொட்டி', 'தண்ணீர்த் தொட்டி', 'தொட்டி', 'இன்குபேட்டர்'],
  14: ['chaff cutter', 'chaffcutter', 'grass cutter', 'machine', 'machines', 'iyandhiram', 'iyanthiram', 'pul vettum machine', 'theevanam vettum iyandhiram', 'இயந்திரம்', 'எந்திரம்', 'புல் வெட்டும் இயந்திரம்', 'தீவன வெட்டு இயந்திரம்', 'சாஃப் கட்டர்'],
  15: ['saddle', 'leash', 'collar', 'dog chain', 'chain', 'muzzle', 'bridle', 'horseshoe', 'senam', 'sangili', 'naai sangili', 'belt', 'ladam', 'சேணம்', 'சங்கிலி', 'நாய்ச் சங்கிலி', 'நாய் சங்கிலி', 'நாய் பெல்ட்', 'கடிவாளம்', 'லாடம்'],
  21: ['feed', 'cattle feed', 'oil cake', 'oilcake', 'bran', 'cotton seed', 'theevanam', 'thivanam', 'maattu theevanam', 'punnakku', 'pinnakku', 'punnaku', 'thavidu', 'paruthi kottai', 'paruthikottai', 'தீவனம்', 'மாட்டுத் தீவனம்', 'மாட்டு தீவனம்', 'புண்ணாக்கு', 'பிண்ணாக்கு', 'கடலைப் புண்ணாக்கு', 'தவிடு', 'பருத்திக்கொட்டை', 'பருத்தி கொட்டை', 'கலப்புத் தீவனம்'],
  22: ['fodder', 'green fodder', 'straw', 'hay', 'grass', 'silage', 'napier', 'vaikkol', 'vaikol', 'vaikkal', 'pasuntheevanam', 'pul', 'thattai', 'sola thattai', 'theevana pul', 'theevanam', 'வைக்கோல்', 'பசுந்தீவனம்', 'புல்', 'சோளத்தட்டை', 'சோளத் தட்டை', 'தீவனப்புல்', 'தீவனப் புல்', 'கோ 4 புல்', 'நேப்பியர்', 'சைலேஜ்', 'ஊறுகாய்ப்புல்', 'அசோலா', 'azolla', 'தீவனம்'],
  23: ['mineral', 'minerals', 'mineral mixture', 'salt lick', 'calcium', 'thaadhu uppu', 'thathu uppu', 'uppu katti', 'தாது உப்பு', 'தாது உப்புக் கலவை', 'உப்புக்கட்டி', 'உப்பு கட்டி', 'கால்சியம்'],
  24: ['poultry feed', 'chicken feed', 'layer mash', 'broiler starter', 'kozhi theevanam', 'koli theevanam', 'theevanam', 'கோழித் தீவனம்', 'கோழி தீவனம்', 'கோழித்தீவனம்', 'தீவனம்'],
  25: ['dog food', 'puppy food', 'pedigree', 'naai unavu', 'nai unavu', 'நாய் உணவு', 'நாய் தீவனம்', 'நாய்க்குட்டி உணவு'],
  31: ['dewormer', 'dewormers', 'deworming', 'worm medicine', 'puzhu marundhu', 'pulu marunthu', 'kudal puzhu', 'குடற்புழு', 'குடற்புழு நீக்கம்', 'குடற்புழு மருந்து', 'பூச்சி மருந்து', 'புழு மருந்து'],
  32: ['tick', 'ticks', 'lice', 'flea', 'fleas', 'unni', 'unni marundhu', 'paen', 'pen marundhu', 'உண்ணி', 'உண்ணி மருந்து', 'பேன்', 'பேன் மருந்து', 'தெள்ளுப்பூச்சி'],
  33: ['herbal', 'first aid', 'ointment', 'mooligai', 'muligai', 'nattu marundhu', 'naattu marundhu', 'mudhaluthavi', 'மூலிகை', 'மூலிகை மருந்து', 'முதலுதவி', 'நாட்டு மருந்து', 'வேப்ப எண்ணெய்'],
}

/** Colour names of the trade. They are not breeds: a search for one filters by colour. */
export const marketWords: MarketWord[] = [
  { words: ['மயிலை', 'mayilai', 'mailai', 'mayila'], en: 'grey bullock', categoryIds: [1], colorIds: [6] },
  { words: ['செவலை', 'sevalai', 'sevala', 'chevalai'], en: 'red-brown bullock', categoryIds: [1], colorIds: [5] },
  { words: ['காரி', 'kaari', 'kaari kaalai', 'kari maadu', 'காரி காளை'], en: 'black bull', categoryIds: [1], colorIds: [2, 7] },
  { words: ['காராம்பசு', 'காராம் பசு', 'karampasu', 'karam pasu', 'kaaraampasu', 'kaarampasu'], en: 'all-black cow', categoryIds: [1], colorIds: [2] },
  { words: ['நுக்ரா', 'நூக்ரா', 'nukra', 'nugra', 'nukhra'], en: 'white horse', categoryIds: [6], colorIds: [1] },
]
