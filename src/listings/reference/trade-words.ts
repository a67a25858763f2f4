import { buffaloBreedIds } from './reference-data.ts'

/** The facts that decide which trade words describe a listing. */
export interface AnimalFacts {
  categoryId: number
  breedId: number | null
  genderId: number | null
  ageId: number | null
  milkLitresPerDay: number | null
  pregnancies: number | null
  offspring: number | null
}

/** B: an exact match. C: a near match, sorted after exact ones. */
export type Fit = 'B' | 'C' | null

/**
 * Words with one meaning on the market. A listing matches them by its facts and never by its text: "cannot keep two bulls" does not make a bull.
 * Lists every spelling with a different sound.
 */
export interface TradeWord {
  /** The lexeme without its mark. */
  id: string
  words: string
  /** Spellings that sound like other words (பால் milk, பல் tooth), matched by letters only. */
  exactly?: string
  /** A species word, which fits every animal of the species. A narrower word also stays part of a breed name that contains it. */
  isSpecies?: true
  isYoung?: true
  fits(facts: AnimalFacts): Fit
}

const isFemale = ({ genderId }: AnimalFacts) => genderId === 0 || genderId === 3
const isMale = ({ genderId }: AnimalFacts) => genderId === 1 || genderId === 2 || genderId === 3
const isEntire = ({ genderId }: AnimalFacts) => genderId === 1 || genderId === 3
export const isBuffalo = ({ breedId }: AnimalFacts) => breedId !== null && buffaloBreedIds.includes(breedId)
const isCattle = (facts: AnimalFacts) => facts.categoryId === 1 && !isBuffalo(facts)
const CHICKS_BREED = 415

/** The last age id of a young animal: three months for a chick, a year for a calf. */
const youngUntil: Record<number, number> = { 1: 4, 2: 3, 3: 3, 4: 1, 5: 2, 6: 4 }
const isYoung = ({ categoryId, ageId, breedId }: AnimalFacts) =>
  breedId === CHICKS_BREED || (ageId !== null && ageId <= (youngUntil[categoryId] ?? 0))

/** Crosses, exotics and breeds made by institutes. All other listed breeds are நாட்டு, country-bred. */
const bredElsewhere = new Set([118, 119, 214, 313, 408, 409, 410, 411, 412, 413, 414, 608])

const of =
  (categoryIds: number[], also: (facts: AnimalFacts) => boolean = () => true) =>
  (facts: AnimalFacts): Fit =>
    categoryIds.includes(facts.categoryId) && also(facts) ? 'B' : null

export const tradeWords: TradeWord[] = [
  {
    id: 'cattle',
    words: 'மாடு maadu cattle கால்நடை livestock',
    isSpecies: true,
    fits: (f) => (isCattle(f) ? 'B' : isBuffalo(f) ? 'C' : null),
  },
  { id: 'cow', words: 'cow', isSpecies: true, fits: (f) => (isCattle(f) ? (isFemale(f) ? 'B' : 'C') : null) },
  { id: 'pasu', words: 'பசு பசுமாடு pasu', fits: (f) => (isCattle(f) && isFemale(f) ? 'B' : null) },
  {
    id: 'bull',
    words: 'காளை kaalai kaala bull காளைமாடு',
    fits: (f) => (isCattle(f) && isMale(f) ? (isEntire(f) ? 'B' : 'C') : null),
  },
  {
    id: 'bullock',
    words: 'எருது erudhu eruthu ox oxen bullock',
    fits: (f) => (isCattle(f) && isMale(f) ? (f.genderId === 2 ? 'B' : 'C') : null),
  },
  { id: 'buffalo', words: 'எருமை எருமைமாடு erumai erumei buffalo buffaloes buffalow', isSpecies: true, fits: of([1], isBuffalo) },
  {
    id: 'calf',
    words: 'கன்று கன்னு கன்றுக்குட்டி கன்னுக்குட்டி kandru kannu kandrukutti kannukutti kannukutty kanrukutti calf calfs calves',
    isYoung: true,
    fits: of([1], isYoung),
  },
  {
    id: 'heifer',
    words: 'கிடாரி கிடேரி kidari kideri heifer',
    isYoung: true,
    fits: of(
      [1],
      (f) => isFemale(f) && (isYoung(f) || ((f.offspring ?? 0) === 0 && (f.pregnancies ?? 0) <= 1 && (f.milkLitresPerDay ?? 0) === 0)),
    ),
  },
  { id: 'goat', words: 'வெள்ளாடு goat vellaadu vellaattu', isSpecies: true, fits: of([2]) },
  { id: 'aadu', words: 'ஆடு aadu', isSpecies: true, fits: of([2, 3]) },
  { id: 'sheep', words: 'செம்மறி செம்மறியாடு செம்மறியாட்டு sheep semmari semmariyaadu mutton', isSpecies: true, fits: of([3]) },
  { id: 'doe', words: 'doe', fits: of([2], isFemale) },
  { id: 'buck', words: 'buck', fits: of([2], isMale) },
  { id: 'ewe', words: 'ewe ewes', fits: of([3], isFemale) },
  { id: 'ram', words: 'ram', fits: of([3], isMale) },
  { id: 'kida', words: 'கிடா கிடாய் கெடா kida kidai keda ஆட்டுக்கிடா', fits: of([2, 3], isMale) },
  { id: 'kid', words: 'kid மறிக்குட்டி ஆட்டுக்குட்டி aattukutti', isYoung: true, fits: of([2], isYoung) },
  { id: 'lamb', words: 'lamb ஆட்டுக்குட்டி aattukutti', isYoung: true, fits: of([3], isYoung) },
  {
    id: 'kutti',
    words: 'குட்டி kutti kutty',
    isYoung: true,
    fits: (f) => (f.categoryId !== 4 && isYoung(f) ? (f.categoryId === 1 ? 'C' : 'B') : null),
  },
  { id: 'chicken', words: 'கோழி kozhi kozi chicken fowl poultry', isSpecies: true, fits: of([4]) },
  { id: 'hen', words: 'pettaikozhi பெட்டைக்கோழி', exactly: 'hen hens pullet pullets', fits: of([4], isFemale) },
  { id: 'rooster', words: 'சேவல் seval saeval rooster cock cockerel', exactly: 'சேவலை', fits: of([4], isMale) },
  { id: 'chick', words: 'குஞ்சு கோழிக்குஞ்சு kunju kunjugal kozhikunju chick', isYoung: true, fits: of([4], isYoung) },
  { id: 'dog', words: 'நாய் naai dog hound', isSpecies: true, fits: of([5]) },
  {
    id: 'puppy',
    words: 'நாய்க்குட்டி naaikutti naikutti naaikutty puppy puppies',
    exactly: 'pup pups',
    isYoung: true,
    fits: of([5], isYoung),
  },
  { id: 'horse', words: 'குதிரை kuthirai kudirai kuthira horse pony ponies மட்டக்குதிரை', isSpecies: true, fits: of([6]) },
  { id: 'mare', words: 'mare', fits: of([6], isFemale) },
  { id: 'stallion', words: 'stallion', fits: of([6], isEntire) },
  { id: 'gelding', words: 'gelding', fits: of([6], (f) => f.genderId === 2) },
  { id: 'foal', words: 'குதிரைக்குட்டி kuthiraikutti foal colt filly', isYoung: true, fits: of([6], isYoung) },
  { id: 'female', words: 'female பெட்டை பெடை pettai', exactly: 'பெண் பெண்கள் penn', fits: of([1, 2, 3, 4, 5, 6], isFemale) },
  { id: 'male', words: 'male', exactly: 'ஆண் ஆண்கள் aan', fits: of([1, 2, 3, 4, 5, 6], isMale) },
  {
    id: 'milk',
    words: 'கறவை karavai milk milking milch dairy',
    exactly: 'பால் paal pal பாலுக்கு பாலுக்காக',
    fits: of([1, 2, 3], (f) => isFemale(f) && (f.milkLitresPerDay ?? 0) > 0),
  },
  {
    id: 'country',
    words: 'நாட்டு naattu country native desi',
    isSpecies: true,
    fits: of([1, 2, 3, 4, 5, 6], (f) => f.breedId !== null && !bredElsewhere.has(f.breedId)),
  },
]

/** Market words that name no animal and that sellers write in their texts. */
export const plainWords =
  'சினை sinai pregnant ஈத்து eethu ஜோடி jodi pair வண்டி vandi உழவு uzhavu ஏர் cart plough குட்டை kuttai dwarf முட்டை muttai egg layer லிட்டர் litre litres jallikattu ஜல்லிக்கட்டு'

/** Known words that are never sold here and never typing errors of other words. Used unchanged. */
export const otherWords =
  'வாத்து vaathu vathu duck ducks பூனை poonai punai cat cats யானை yaanai yanai elephant புறா pura puraa pigeon காடை kaadai kadai quail பன்றி panni pandri pig pigs முயல் muyal rabbit rabbits வான்கோழி vaankozhi vankozhi turkey கழுதை kazhuthai donkey ஒட்டகம் ottagam camel மீன் meen fish கிளி kili parrot love birds mini bus car bike tractor zebra fighter fighting'

/** Colloquial names of districts, besides their official names. */
export const districtNicknames: Record<string, string> = {
  Coimbatore: 'கோவை kovai',
  Tirunelveli: 'நெல்லை nellai',
  Tiruchirappalli: 'திருச்சி trichy tiruchi',
  Thanjavur: 'தஞ்சை thanjai tanjore',
  Thoothukudi: 'தூத்துக்குடி tuticorin',
  Ramanathapuram: 'ராம்நாடு ramnad இராமநாதபுரம்',
  'The Nilgiris': 'ஊட்டி ooty nilgiris நீலகிரி',
  Kanniyakumari: 'குமரி kanyakumari',
  Pudukkottai: 'புதுகை pudukottai',
  Tiruppur: 'tirupur',
}

/** Words that do not narrow a search. Latin ones match by letters, Tamil ones by sound. */
export const emptyLatinWords = new Set(
  `for sale sell selling seller buy buying buyer price prices rate cost in near nearby at the a an of and or with to want wants wanted need needed
   i we me my is are it this that on by from some any get give low cheap cheaper cheapest best good nice new top high quality
   available online market shop today now please rs rupees inr only show find search looking
   how much many what which where when who do does you your u have has there pls plz send urgent urgently lowest latest pure original
   photo photos details contact nos pcs pieces kind type irukka iruka iruku irukku irukkuma enna evlo evalo evvalavu kidaikkuma kidaikuma kidaikkum
   vangalam vaangalam vanganum vaanganum venumga venunga tharum tharamana
   virpanai virpanaikku vilai vilaiku vaanga vanga vendum venum venam nalla kammi kuraindha kuraintha vilaiyil arugil pakkam pakkathil ulla matrum`.split(
    /\s+/,
  ),
)
export const emptyTamilWords =
  'விற்பனை விற்பனைக்கு விற்க விலை விலைக்கு விலையில் வாங்க வேண்டும் வேணும் தேவை மற்றும் உள்ள அருகில் பக்கத்தில் நல்ல சிறந்த குறைந்த குறைவான மலிவான மலிவு ஒரு இந்த எங்கள் உங்கள் தங்கள் அவர்கள் நாங்கள் நீங்கள் ரூபாய் சந்தை இருக்கா இருக்கிறதா கிடைக்குமா கிடைக்கும் எவ்வளவு எவ்ளோ என்ன வாங்கணும் வாங்கலாம் வேணுங்க தரமான தரும் அவசரம் உண்டா எங்கே'
