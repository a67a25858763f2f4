import { heardAs, LAKH, MONEY, THOUSAND } from '#src/kit/text/number-words.ts'
import { keyOf, wordsOf } from '#src/kit/text/sound-keys.ts'
import { breeds } from '#src/listings/reference/reference-data.ts'
import { meaningOf, splitCompound, meaningOfPart } from '#src/listings/reference/vocabulary.server.ts'
import type { Token } from '#src/kit/text/tokens.ts'

/** Words with one meaning, matched by their sound in either script. */
const heard = {
  litre: 'லிட்டர் லிட் லிட்டரு litre litres liter liters lit ltr ltrs lts',
  calving: 'ஈத்து ஈத்தம் ஈத்தில் eethu eetu ethu eeththu lactation lactations lactaton lact calving calvings',
  year: 'வயது வயசு வருடம் வருட வருஷம் வருஷ ஆண்டு vayasu vayathu varusham varudam year years yrs yr age',
  month: 'மாதம் மாத மாசம் மாச maasam masam maatham matham month months mon mth',
  day: 'நாள் நாட்கள் நாளில் naal day days வாரம் வார week weeks vaaram',
  thousand: THOUSAND,
  lakh: LAKH,
  price: MONEY,
  pregnant: 'சினை sinai pregnant pregnent pragnent சினையாக சினையா கர்ப்பம் கர்ப்பமாக karpam garbam',
  kilo: 'கிலோ kilo kg kgs கேஜி',
  evening: `மாலை மாலையில் சாயந்திரம் சாயங்காலம் maalai malai
    sayangalam saayandhiram saayandharam evening pm ஈவினிங் ஈவ்னிங்`,
  total: 'மொத்தம் மொத்தமாக மொத்தமா mothama total mottham motham எண்ணிக்கை count nos உருப்படி urupadi pieces pcs எண்ணம்',
  pin: 'பின் பின்கோடு pin pincode பின்கோட்',
  gave: 'போட்டது போட்டு போட்ட ஈன்றது ஈன்று ஈன்ற ஈன்றுள்ளது pottathu pottu potta calved delivered delivery டெலிவரி',
  ago: 'முன் முன்பு முன்னாடி ஆச்சு ஆகுது ஆகிறது ஆயிற்று aachu aaguthu munnadi ago before since',
  there: 'உண்டு இருக்கு இருக்கிறது உள்ளது irukku iruku undu ullathu',
  along: 'உடன் சேர்த்து சேத்து udan serthu along கூட oda ஓட',
} as const
export type Heard = keyof typeof heard

/** Words that sound like other words, matched by their letters only. */
const spelt = {
  milk: 'பால் பாலு paal milk கறவை கறக்கும் கறக்குது karavai karakum',
  weight: 'எடை எட weight wt edai yedai',
  teeth: 'பல் பல்லு பற்கள் pal pallu teeth tooth',
  morning: 'காலை காலையில் காலைல காலயில morning am மார்னிங் மார்னிங்',
  /** Also means a bull. */
  latinMorning: 'kaalai kalai kaalaila kalaila',
  perMilking: `வேளை வேளைக்கு வேளையும் நேரத்துக்கு நேரத்திற்கு நேரம் நேரமும் தடவை velai velaikku
    velaiku velaiyum vela velaku neramum neratuku nerathuku neram time times session`,
  expecting: 'செனை senai sene cinai chinai carrying preg prag pregnancy incalf conceived',
  /** Two animals that are sold together. */
  pair: 'ஜோடி சோடி jodi joodi jodiya pair both ரெண்டும் இரண்டும் rendum irandum',
  lot: 'lot set செட் whole எல்லாம் எல்லாமே ellam ellame',
  still: 'இன்னும் innum inum',
  each: 'each தலா ஒன்று ஒன்னு per onnu thala',
  with: 'with w',
  and: 'and மற்றும் n',
  no: 'இல்லை இல்ல illai illa not no non இல்லாத empty',
  /** Sounds like இருக்கு, "there is". */
  calvingToo: 'ஈற்று eetru eettru eetrru',
  length: 'inch inches இன்ச் இஞ்ச் அங்குலம் angulam feet foot ft அடி adi cm',
  gone: 'இறந்து இறந்த செத்து died dead sold every inside already podum போடும் மாட்டோம் மாட்டேன் maatom tharamatom matten maten kudukala',
  /** Young animals behind one of these words were born before, or may be. */
  usually: 'give gives given gave deliver expected mostly carrying result usually always time வழக்கமாக vazhakkama போன கடந்த தடவை thadavai',
  /** The mother of a young animal that is for sale. */
  dam: 'mother mothers dam dams தாயின் தாயோட thaayin thaayoda அம்மா amma மாட்டின் மாட்டோட maattin maattoda born',
  /** Parents, whose weight is not the animal's. */
  parent: 'mother father mothers fathers parents dam sire தாய் தந்தை அம்மா அப்பா thaai appa amma',
  /** An "L" behind one of these words and a number means lakh. */
  asking: 'asking ask quote quoting quoted demand demanding fixed expecting',
  /** A price behind "sold" and one of these words is of another animal: "sold my other cow for 70000". */
  otherAnimal: 'my another other last previous one earlier first for at',
  /** An amount in front of one of these words is a cost or an income, not a price: "4000 monthly". */
  perTime: 'daily monthly weekly yearly தினமும் thinamum மாதாந்திர',
  /** "may be pregnant", "சினையாக இருக்கலாம்". */
  unsure: 'for may maybe chance doubt doubtful சந்தேகம் santhegam sandhegam become get soon இருக்கலாம் irukkalam irukalam',
  injected: 'ஊசி oosi injection inject ai',
  full: 'முழு கடை full all முழுப்',
  /** Money beside the price: "advance 5000", "5000 advance". */
  otherMoney: `advance அட்வான்ஸ் முன்பணம் deposit transport transportation டிரான்ஸ்போர்ட் போக்குவரத்து வாடகை
    rent insurance insured இன்சூரன்ஸ் காப்பீடு mrp loan prize செலவு selavu
    income profit daily வருமானம் varumanam token டோக்கன் emi expense expenses charge charges fee fees feed தீவனம் theevanam subsidy மானியம் maaniyam
    cashback discount தள்ளுபடி off less lost saved parisu பரிசு medicine மருந்து doctor dung saanam சாணம் straw வைக்கோல் paper papers certificate down booking reserve broker தரகு vadagai vaadagai salary wages சம்பளம் sambalam கூலி kooli`,
  /** A number beside one of these words is no money. */
  notMoney: `members member followers subscribers views sqft square km kms kilometers distance watt watts incubator capacity batch`,
  /** A colour in front of one of these words is not the animal's: "brown egg", "white face". */
  part: `egg eggs muttai முட்டை spot spots mark marks patch patches forehead face leg legs tail horn horns
    பொட்டு சுட்டி கால் முகம் நெற்றி வால்`,
  /** Kilos and litres beside one of these words are not the animal's weight or milk. */
  notOfAnimal: `water தண்ணீர் thanni drink drinks needs oil petrol tank குடிக்கும் kudikkum kudikum feed feeds eats fodder hay straw grass bran husk pellet pellets வைக்கோல் vaikol தவிடு thavidu concentrate தீவனம் theevanam thivanam புண்ணாக்கு punnakku
    meat mutton கறி kari wool udder`,
  /** Amounts that the seller paid, or that somebody offered. */
  paid: 'bought purchased offered asked வாங்கின வாங்கிய வாங்கினது வாங்கியது வாங்கினேன் vanginathu',
  /** The same, always behind its amount: "42000க்கு கேட்டாங்க". */
  asked: 'கேட்டார் கேட்டார்கள் கேட்டாங்க கேட்டாங்கோ ketanga kettanga ketaanga ketanka worth illa இல்ல இல்லை sonnen சொன்னேன்',
  earlier: 'was from drop dropped reduced முன்பு',
  back: 'back ago முன்பு முன்னாடி munnadi experience அனுபவம் anubavam training trained பழக்கம் pazhakkam warranty guarantee emi valid policy milking mated inseminated fresh varai வரை',
  /** A time behind one of these words is no age: "dry for 2 months". */
  lasting: `for since from in every another next us confirm confirmed ai insemination cross crossed crossing mated milked milking lactating loan emi dry insured guarantee warranty bought keep kept experience farm அனுபவம் anubavam
    வாங்கி vangi vaangi வற்றி vathi vatri நின்று ninnu`,
  /** Words that make other money a part of the price: "with transport 45000". */
  included: 'with w no own free including included incl without',
  price: 'price rate விலை ரேட் ரேட்டு vilai',
  /** The amount behind it replaces one that was named before. */
  last: 'last final now கடைசி கடைசியாக முடிவு முடிவாக mudivu kadaisi our here எங்கள் engal இப்போ இப்போது ippo ippothu',
  /** English names the animal behind the wish, Tamil in front of it. */
  wanted: 'wanted want need require looking buying',
  wantedBehind: `wanted required வேண்டும் வேணும் வேனும் வேணுங்க தேவை தேவைங்க தேவைப்படுகிறது தேவைப்படுது வாங்கப்படும் venumga
    venunga theva venum vendum thevai vaanganum வாங்கணும் வாங்கனும் vanganum வாங்கிக்கிறேன் வாங்கிக்கறேன் vangikiren vaangikiren`,
  /** Words between the wish and the animal. */
  wish: `a an the some any to buy purchase for good young வாங்க எனக்கு
    உடனே யாரிடமாவது யாராவது இருக்கா இருந்தா இருந்தால் vanga enakku yaaravadhu yaravathu irukka iruka irundha irundhal`,
  /** Words beside a wish that is not the writer's, or not for an animal. */
  notWished: 'if you who money என்றால் என்பவர்கள் என்பவர் call அழைக்கவும் அழைக்க',
  selling: 'sell selling sale விற்க விற்பனை விற்பனைக்கு virka virpanai virpanaiku',
  notYet: 'போடாத போடல போடவில்லை விழாத podala podatha podavillai போடாதது',
} as const
export type Spelt = keyof typeof spelt

const heardTests = new Map(Object.entries(heard).map(([name, words]) => [name, heardAs(words)]))
const speltWords = new Map(Object.entries(spelt).map(([name, words]) => [name, new Set(wordsOf(words))]))

/** Words that only sound like one of these: "red" like "rate", இன்று (today) like ஈன்று (calved). */
const alike = new Set(
  wordsOf(`red ரெட் been இது எது இடம் இடத்தின் இடத்தில் இடங்கள் idam எட்டு ஈடு தாய் thaai thai வர
    இன்று indru பொது போட மலை மலையில் malaiyil மழை ஓட்ட ஒத்த ஒட்ட கூட்ட செத்து sethu மதம் மாடம் மாட்ட வில்லை`),
)
export function sounds(token: Token | undefined, name: Heard): boolean {
  return token !== undefined && !alike.has(token.plain) && heardTests.get(name)!(token)
}
export const spells = (token: Token | undefined, name: Spelt): boolean => token !== undefined && speltWords.get(name)!.has(token.plain)

/** Endings that mean "with": கன்றுடன், கன்னோட, "kuttiyoda". */
const ALONG = /(?:யுடன்|வுடன்|ுடன்|யோடு|வோடு|ோடு|யோட|வோட|ோட|yudan|vudan|udan|yodu|odu|yoda|oda)$/u
/** Words that the search does not know as trade words. */
const specialSpellings: Record<string, string[]> = {
  காராம்பசு: ['pasu'],
  karampasu: ['pasu'],
  birds: ['chicken'],
  colt: ['foal', 'male'],
  filly: ['foal', 'female'],
  கன்னுகுட்டி: ['calf'],
  // It sounds like a buck.
  book: [],
}

/** The trade words in a token, including compounds (நாட்டுக்கோழி, ஆட்டுக்குட்டி) and "with" endings. */
export function tradeIdsOf({ plain, value }: Token): string[] {
  if (value !== null || speltWords.get('morning')!.has(plain)) return []
  const found = tradeIdsIn(plain)
  return found.length > 0 ? found : idsAlong(plain)
}

/** The trade words in a word that ends with "with". */
function idsAlong(plain: string): string[] {
  const stem = plain.replace(ALONG, '')
  return stem === plain ? [] : ([stem, `${stem}ு`, `${stem}u`].map(tradeIdsIn).find((ids) => ids.length > 0) ?? [])
}

/** A word that states a fact of an animal or its price. Names of people are none. */
export const isTerm = (token: Token): boolean => tradeIdsOf(token).length > 0 || isListed(token)

const isListed = (token: Token): boolean =>
  [...heardTests.values()].some((test) => test(token)) || [...speltWords.values()].some((words) => words.has(token.plain))

export const isAlong = ({ plain }: Token): boolean => idsAlong(plain).length > 0

function tradeIdsIn(plain: string): string[] {
  if (specialSpellings[plain]) return specialSpellings[plain]
  const direct = meaningOf(plain)?.tradeWords ?? []
  if (direct.length > 0) return direct.map(({ id }) => id)
  return (splitCompound(keyOf(plain)) ?? []).flatMap((part) => meaningOfPart(part)?.tradeWords.map(({ id }) => id) ?? [])
}

interface BreedName {
  id: number
  categoryId: number
  /** The breed's full name and not an alias. */
  isWhole: boolean
}

const breedsByLetters = new Map<string, BreedName[]>()
const breedsByKey = new Map<string, BreedName[]>()
const add = (map: Map<string, BreedName[]>, at: string, breed: BreedName) => {
  const existing = map.get(at) ?? []
  if (!existing.some(({ id }) => id === breed.id)) map.set(at, [...existing, breed])
}
for (const { id, categoryId, en, ta, shortName, aliases } of breeds) {
  for (const name of [en, ta, shortName, ...aliases, ...en.split(/[(),]/), ...ta.split(/[(),]/)]) {
    const words = wordsOf(name)
    if (words.length === 0) continue
    // A single trade word (erumai, kaalai) is no breed name.
    if (words.length === 1 && (meaningOf(words[0]!)?.tradeWords.length ?? 0) > 0) continue
    const breed = { id, categoryId, isWhole: name === en || name === ta }
    add(breedsByLetters, words.join(''), breed)
    const key = words.map(keyOf).join('')
    if (key.length > 2) add(breedsByKey, key, breed)
  }
}

/** Breeds with this name, in all categories. */
export function breedsCalled(tokens: Token[]): BreedName[] {
  if (tokens.some(({ value }) => value !== null)) return []
  const spelt = breedsByLetters.get(tokens.map(({ plain }) => plain).join(''))
  // போட்டது, "gave birth", sounds like a breed.
  const isOther = tokens.length === 1 && tokens.every(isListed)
  return spelt ?? (isOther ? undefined : breedsByKey.get(tokens.map(({ key }) => key).join(''))) ?? []
}

const colorWords: [number, string][] = [
  [10, 'கருப்பு வெள்ளை|கருப்பு மற்றும் வெள்ளை|black and white|black white|black & white|karuppu vellai'],
  [12, 'சிவப்பு வெள்ளை|red and white|red white'],
  [11, 'பழுப்பு வெள்ளை|brown and white|brown white'],
  [13, 'கருப்பு பழுப்பு|black and tan|black tan'],
  [7, 'கருஞ்சாம்பல்|dark grey|dark gray'],
  [17, 'dark bay|கரும்பழுப்பு'],
  [5, 'செவலை|செவல|sevalai|sevala|red brown'],
  [6, 'மயிலை|மயில|mayilai|mayila|mailai|grey|gray|சாம்பல்|சாம்பல்நிறம்'],
  [2, 'கருப்பு|கறுப்பு|கருப்பன்|கருத்த|காரி|காராம்பசு|karuppu|karupu|black|kaari|kari'],
  [1, 'வெள்ளை|வெள்ள|vellai|vella|white|நுக்ரா|nukra'],
  [4, 'சிவப்பு|சிகப்பு|sivappu|sigappu|red'],
  [3, 'பழுப்பு|brown|பிரவுன்'],
  [8, 'fawn|இளம்பழுப்பு'],
  [9, 'சந்தனம்|சந்தன|cream|கிரீம்'],
  [16, 'பொன்னிறம்|golden|gold'],
  [14, 'புள்ளி|spotted|pulli'],
]
const byColorWords = new Map(colorWords.flatMap(([id, names]) => names.split('|').map((name) => [wordsOf(name).join(' '), id] as const)))

/** The colour with this name, matched by letters: வெள்ளை is white, but வேளை sounds alike. Null for none. */
export const colorCalled = (tokens: Token[]): number | null => byColorWords.get(tokens.map(({ plain }) => plain).join(' ')) ?? null
