/**
 * The breeds, one row each, in the order of the design's breed tables. The id is category id * 100 + row number, so add a new breed at the END of its
 * category and never remove a row.
 * `aliases` are other spellings that people type, in Tamil and in Latin letters: always lower case, never equal to `en` or `ta`, never shared by two
 * breeds of one category (a test checks this), except the buffalo words, which every buffalo breed has.
 * Tamil names that differ from the specification's breed tables:
 * - Black Bengal: வங்காளக் கருப்பு, formed like சேலம் கருப்பு; "கருப்பு வங்காளம்" means "black Bengal, the region".
 * - Dorper: டார்ப்பர்; "டார்பர்" is read "darbar".
 * - Naked Neck: இறகில்லாக் கோழி, the k doubles after a negative participle.
 * - Manipuri pony: மட்டக்குதிரை is the Tamil word for a pony; "போனி" is heard as the day's first sale.
 * - Boer: a comma instead of a slash, because screen readers read the slash aloud.
 */

export interface Breed {
  id: number
  categoryId: number
  en: string
  ta: string
  /** The short Latin name for small cards and for the wire. */
  shortName: string
  aliases: string[]
}

type Row = [en: string, ta: string, shortName: string, aliases: string[]]

/** Buffaloes are breeds of the category Cattle. These words select only them. */
export const buffaloWords: string[] = [
  'buffalo', 'buffaloes', 'buffalow', 'bufalo', 'erumai', 'erumei', 'erumaimaadu', 'எருமை', 'எருமைமாடு', 'எருமை மாடு', 'எருமைகள்',
]

const cattle: Row[] = [
  ['Kangayam', 'காங்கேயம்', 'Kangayam', ['kangeyam', 'kankeyam', 'kangayem', 'gangeyam', 'kongu maadu', 'காங்கயம்', 'காங்கேயன்', 'காங்கேயம் காளை', 'கொங்கு மாடு']],
  ['Umblachery', 'உம்பளச்சேரி', 'Umblachery', ['umbalachery', 'umbalacheri', 'umblacheri', 'thanjavur maadu', 'உம்பலச்சேரி', 'உம்பளாச்சேரி', 'தஞ்சாவூர் மாடு']],
  ['Pulikulam', 'புலிக்குளம்', 'Pulikulam', ['pulikkulam', 'pulikolam', 'palingu maadu', 'jallikattu maadu', 'jallikattu kaalai', 'புலிகுளம்', 'ஜல்லிக்கட்டு மாடு', 'ஜல்லிக்கட்டு காளை']],
  ['Bargur', 'பர்கூர்', 'Bargur', ['barugur', 'burgur', 'bargoor', 'பருகூர்', 'பர்கூர் மலை மாடு', 'செம்மறை']],
  ['Alambadi', 'ஆலம்பாடி', 'Alambadi', ['alampadi', 'aalambadi', 'அலம்பாடி']],
  ['Theni hill cattle (Malai Madu)', 'மலை மாடு', 'Malai Madu', ['malai maadu', 'malaimadu', 'malaimaadu', 'hill cattle', 'theni maadu', 'மலைமாடு', 'தேனி மலை மாடு']],
  ['Country cattle, TN', 'நாட்டு மாடு', 'Country cattle', ['naattu maadu', 'nattu madu', 'nattu maadu', 'nattumadu', 'desi cow', 'country cow', 'native cow', 'நாட்டுமாடு', 'நாட்டுப் பசு', 'நாட்டு பசு']],
  ['Hallikar', 'ஹள்ளிகார்', 'Hallikar', ['halligar', 'halikar', 'ஹல்லிகர்', 'ஹள்ளிக்கார்', 'அள்ளிகார்']],
  ['Amrit Mahal', 'அம்ரித் மஹால்', 'Amrit Mahal', ['amritmahal', 'amirthamahal', 'அமிர்தமகால்', 'அம்ரித்மகால்']],
  ['Ongole', 'ஓங்கோல்', 'Ongole', ['ongol', 'ungole', 'ஒங்கோல்', 'ஓங்கோலு']],
  ['Punganur', 'புங்கனூர்', 'Punganur', ['punganoor', 'punkanur', 'kuttai maadu', 'dwarf cow', 'புங்கனூர் குட்டை', 'புங்கணூர்', 'குட்டை மாடு']],
  ['Vechur', 'வெச்சூர்', 'Vechur', ['vechoor', 'vettchur', 'வெச்சூர் பசு', 'வேச்சூர்']],
  ['Gir', 'கிர்', 'Gir', ['gir cow', 'geer', 'ghir', 'gyr', 'கீர்', 'கிர் பசு', 'கிர் மாடு']],
  ['Kankrej', 'காங்க்ரேஜ்', 'Kankrej', ['kankrej cow', 'kangrej', 'காங்கிரேஜ்', 'கான்கிரேஜ்']],
  ['Sahiwal', 'சாகிவால்', 'Sahiwal', ['sahival', 'shahiwal', 'sagiwal', 'சாஹிவால்', 'ஷாகிவால்']],
  ['Red Sindhi', 'சிவப்பு சிந்தி', 'Red Sindhi', ['sindhi', 'redsindhi', 'sivappu sindhi', 'சிந்தி', 'ரெட் சிந்தி', 'சிகப்பு சிந்தி', 'sindhu maadu', 'சிந்து மாடு']],
  ['Tharparkar', 'தார்பார்க்கர்', 'Tharparkar', ['tharpakar', 'thaarparkar', 'thar cow', 'தார்பார்கர்', 'தார்பாக்கர்']],
  ['Jersey cross', 'ஜெர்சி கலப்பினம்', 'Jersey cross', ['jersey', 'jersi', 'jercy', 'jersey cow', 'ஜெர்சி', 'ஜெர்ஸி', 'ஜெர்சி மாடு']],
  ['Holstein Friesian cross', 'எச்.எஃப். கலப்பினம்', 'HF cross', ['hf', 'h f', 'h.f.', 'hf cow', 'holstein', 'friesian', 'holstein friesian', 'holstien', 'எச்எஃப்', 'எச்எப்', 'ஹெச்எஃப்', 'ஹெச்.எஃப்', 'ஹோல்ஸ்டீன்', 'பிரிசியன்']],
  ['Murrah buffalo', 'முர்ரா எருமை', 'Murrah', ['murrah', 'murra', 'mura', 'murra erumai', 'murrah erumai', 'முர்ரா', 'முரா எருமை']],
  ['Toda buffalo', 'தோடா எருமை', 'Toda', ['toda', 'thoda erumai', 'toda erumai', 'தோடா', 'தோடர் எருமை', 'நீலகிரி எருமை']],
  ['Bargur buffalo', 'பர்கூர் எருமை', 'Bargur buffalo', ['bargur erumai', 'malai erumai', 'மலை எருமை']],
  ['Country buffalo', 'நாட்டு எருமை', 'Country buffalo', ['naattu erumai', 'nattu erumai', 'native buffalo', 'நாட்டெருமை', 'நாட்டு எருமைமாடு']],
]

const goats: Row[] = [
  ['Kanni Adu', 'கன்னி ஆடு', 'Kanni Adu', ['kanni aadu', 'kanniyadu', 'kanniaadu', 'kanni', 'கன்னியாடு', 'கன்னி', 'பால் கன்னி', 'செங்கன்னி']],
  ['Kodi Adu', 'கொடி ஆடு', 'Kodi Adu', ['kodi aadu', 'kodiyadu', 'kodiaadu', 'kodi', 'porai aadu', 'கொடியாடு', 'கொடி', 'போரை ஆடு', 'கரும்போரை', 'செம்போரை']],
  ['Salem Black', 'சேலம் கருப்பு', 'Salem Black', ['salem karuppu', 'selam karuppu', 'salem black goat', 'சேலம் கருப்பு ஆடு', 'சேலம் கறுப்பு', 'சேலம் கருப்பாடு']],
  ['Pallai Adu', 'பள்ளை ஆடு', 'Pallai Adu', ['pallai aadu', 'pallaiyadu', 'pallai', 'பள்ளையாடு', 'பள்ளை', 'பல்லை ஆடு']],
  ['Country goat', 'நாட்டு ஆடு', 'Country goat', ['naattu aadu', 'nattu aadu', 'nattu adu', 'naatu vellaadu', 'desi goat', 'native goat', 'நாட்டாடு', 'நாட்டு வெள்ளாடு']],
  ['Tellicherry (Malabari)', 'தலைச்சேரி', 'Tellicherry', ['tellicherry', 'thalacherry', 'thalassery', 'thalaicheri', 'thalacheri', 'malabari', 'தலச்சேரி', 'தலைச்சேரி ஆடு', 'தலச்சேரி ஆடு', 'மலபாரி']],
  ['Attappady Black', 'அட்டப்பாடி கருப்பு', 'Attappady', ['attappadi', 'attapadi', 'attapady black', 'அட்டப்பாடி', 'அட்டப்பாடி ஆடு']],
  ['Jamunapari', 'ஜமுனாபாரி', 'Jamunapari', ['jamnapari', 'jamunabari', 'jamnabari', 'jamuna pari', 'ஜமுனாபரி', 'ஜம்னாபாரி', 'யமுனாபாரி']],
  ['Beetal', 'பீட்டல்', 'Beetal', ['bital', 'beetel', 'betal', 'பீடல்', 'பீட்டல் ஆடு']],
  ['Sirohi', 'சிரோஹி', 'Sirohi', ['sirohi goat', 'sirogi', 'shirohi', 'சிரோகி', 'சிரோஹி ஆடு']],
  ['Barbari', 'பார்பரி', 'Barbari', ['barbari goat', 'berbari', 'barberi', 'பர்பரி', 'பார்பாரி']],
  ['Osmanabadi', 'உஸ்மானாபாடி', 'Osmanabadi', ['usmanabadi', 'osmanabad', 'உஸ்மானாபாதி', 'ஒஸ்மானாபாடி']],
  ['Black Bengal', 'வங்காளக் கருப்பு', 'Black Bengal', ['black bengal goat', 'bengal goat', 'பிளாக் பெங்கால்', 'கருப்பு வங்காளம்', 'வங்காள ஆடு']],
  ['Boer and Boer cross', 'போயர், போயர் கலப்பினம்', 'Boer', ['boer', 'boar goat', 'poyar', 'boyer', 'போயர்', 'போயர் ஆடு', 'போயர் கலப்பினம்']],
]

const sheep: Row[] = [
  ['Mecheri', 'மேச்சேரி', 'Mecheri', ['mechery', 'mecheri aadu', 'maecheri', 'மேச்சேரி ஆடு', 'மெச்சேரி']],
  ['Madras Red', 'மெட்ராஸ் சிவப்பு (சென்னை சிவப்பு)', 'Madras Red', ['chennai red', 'chennai sivappu', 'madras sivappu', 'மெட்ராஸ் சிவப்பு', 'சென்னை சிவப்பு', 'மெட்ராஸ் ரெட்', 'சென்னைச் சிவப்பு']],
  ['Ramnad White', 'ராமநாதபுரம் வெள்ளை', 'Ramnad White', ['ramnad vellai', 'ramanathapuram white', 'ramanathapuram vellai', 'இராமநாதபுரம் வெள்ளை', 'ராம்நாடு வெள்ளை']],
  ['Kilakarsal', 'கீழக்கரிசல்', 'Kilakarsal', ['keezhakarisal', 'kizhakarisal', 'keelakarisal', 'kilakarisal', 'ramnad karuvi', 'கீழகரிசல்', 'கீழக்கரைசல்', 'அடிகரைசல்']],
  ['Vembur', 'வேம்பூர் (பொட்டு ஆடு)', 'Vembur', ['vempur', 'vemboor', 'karandhai', 'pottu aadu', 'வேம்பூர்', 'பொட்டு ஆடு', 'பொட்டாடு', 'வெம்பூர்', 'கரந்தை']],
  ['Coimbatore (Kurumbai)', 'கோயம்புத்தூர் (குரும்பை)', 'Kurumbai', ['kurumbai', 'kurumba aadu', 'kurumbai aadu', 'coimbatore sheep', 'குரும்பை', 'குரும்பை ஆடு', 'குரும்பாடு', 'கோவை செம்மறி']],
  ['Trichy Black', 'திருச்சி கருப்பு', 'Trichy Black', ['tiruchi black', 'tiruchy black', 'trichy karuppu', 'trichi karuppu', 'karungurumbai', 'திருச்சி கறுப்பு', 'கருங்குரும்பை', 'திருச்சி கருப்பு ஆடு']],
  ['Nilagiri', 'நீலகிரி', 'Nilagiri', ['nilgiri', 'neelagiri', 'nilgiri sheep', 'நீலகிரி ஆடு', 'நீலகிரி செம்மறி']],
  ['Chevaadu', 'செவ்வாடு', 'Chevaadu', ['sevvadu', 'sevvaadu', 'chevadu', 'chevvaadu', 'செவ்வாடு செம்மறி', 'செவாடு']],
  ['Katchaikatty Black', 'கச்சைக்கட்டி கருப்பு', 'Katchaikatty', ['kachaikatti', 'katchaikatti', 'kachaikatti karuppu', 'kachakatti', 'கச்சைகட்டி', 'கச்சக்கட்டி', 'கச்சைக்கட்டி']],
  ['Nellore', 'நெல்லூர்', 'Nellore', ['nellur', 'nellore judipi', 'nellore brown', 'jodipi', 'நெல்லூர் ஆடு', 'நெல்லூர் ஜோடிப்பி']],
  ['Mandya (Bannur)', 'மண்டியா (பன்னூர்)', 'Mandya', ['mandya', 'mandia', 'bannur', 'bandur', 'bannoor', 'மண்டியா', 'பன்னூர்', 'பண்டூர்']],
  ['Dorper cross', 'டார்ப்பர் கலப்பினம்', 'Dorper cross', ['dorper', 'darper', 'dorpar', 'டார்பர்', 'டார்ப்பர்', 'டோர்பர்']],
]

const chickens: Row[] = [
  ['Siruvidai', 'சிறுவிடை', 'Siruvidai', ['siruvidai kozhi', 'siruvedai', 'siruvada', 'siru vidai', 'சிறுவிடை கோழி', 'சிறுவிடைக் கோழி', 'சிறுவெடை']],
  ['Peruvidai', 'பெருவிடை', 'Peruvidai', ['peruvidai kozhi', 'peruvedai', 'peruvada', 'peru vidai', 'பெருவிடை கோழி', 'பெருவிடைக் கோழி', 'பெருவெடை']],
  ['Aseel', 'அசீல்', 'Aseel', ['asil', 'azeel', 'assel', 'asheel', 'அசில்', 'அசீல் கோழி', 'அசீல் சேவல்']],
  ['Kadaknath (black meat)', 'கடக்நாத் (கருங்கோழி)', 'Kadaknath', ['kadaknath', 'kadakhnath', 'kadagnath', 'karunkozhi', 'karungkozhi', 'karungozhi', 'karunkoli', 'black chicken', 'kali masi', 'கடக்நாத்', 'கருங்கோழி', 'கடக்நாத் கோழி', 'காடக்நாத்']],
  ['Tellicherry chicken', 'தலைச்சேரி கோழி', 'Tellicherry', ['thalassery chicken', 'thalacherry kozhi', 'tellicherry kozhi', 'தலச்சேரி கோழி', 'தலைச்சேரிக் கோழி']],
  ['Nicobari', 'நிகோபாரி', 'Nicobari', ['nicobari kozhi', 'nicobari fowl', 'nikobari', 'நிக்கோபாரி', 'நிகோபாரி கோழி']],
  ['Naked Neck', 'கழுத்தில் இறகில்லாக் கோழி', 'Naked Neck', ['mottai kazhuthu kozhi', 'mottai kaluthu koli', 'nakedneck', 'நேக்கட் நெக்', 'மொட்டைக் கழுத்துக் கோழி', 'மொட்டை கழுத்து கோழி', 'கழுத்தில் இறகில்லா கோழி']],
  ['Nandanam chicken', 'நந்தனம் கோழி', 'Nandanam', ['nandanam', 'nandanam kozhi', 'nandanam koli', 'nandhanam', 'நந்தனம்', 'நந்தனம் பிராய்லர்']],
  ['Giriraja', 'கிரிராஜா', 'Giriraja', ['giri raja', 'giriraja kozhi', 'kiriraja', 'கிரிராஜா கோழி', 'கிரி ராஜா']],
  ['Vanaraja', 'வனராஜா', 'Vanaraja', ['vana raja', 'vanaraja kozhi', 'vanraja', 'வனராஜா கோழி', 'வன ராஜா']],
  ['Gramapriya', 'கிராமப்பிரியா', 'Gramapriya', ['gramapria', 'grama priya', 'gramapriya kozhi', 'கிராமபிரியா', 'கிராமப்ரியா']],
  ['White Leghorn', 'வெள்ளை லெக்ஹார்ன்', 'Leghorn', ['leghorn', 'lekhorn', 'layer', 'layer kozhi', 'லெக்ஹார்ன்', 'வெள்ளை லெகார்ன்', 'லெகார்ன்', 'லேயர் கோழி']],
  ['Rhode Island Red', 'ரோட் ஐலண்ட் ரெட்', 'RIR', ['rir', 'r.i.r', 'rhode island', 'ரோடு ஐலேண்ட் ரெட்', 'ஆர்ஐஆர்']],
  ['Broiler', 'பிராய்லர் கோழி', 'Broiler', ['broiler kozhi', 'broiler koli', 'boiler kozhi', 'kari kozhi', 'பிராய்லர்', 'பிராய்லர்க் கோழி', 'கறிக்கோழி']],
  ['Country chicks (per chick)', 'நாட்டுக் கோழிக் குஞ்சு', 'Chicks', ['country chicks', 'nattu kozhi kunju', 'naattu kozhi kunju', 'nattu koli kunju', 'kozhi kunju', 'கோழிக்குஞ்சு', 'கோழிக் குஞ்சு', 'நாட்டுக்கோழி குஞ்சு', 'நாட்டு கோழி குஞ்சு']],
]

const dogs: Row[] = [
  ['Rajapalayam', 'ராஜபாளையம்', 'Rajapalayam', ['rajapalaiyam', 'rajapalayam naai', 'rajapalyam', 'poligar hound', 'இராஜபாளையம்', 'ராஜபாளையம் நாய்', 'ராசபாளையம்']],
  ['Chippiparai', 'சிப்பிப்பாறை', 'Chippiparai', ['sippiparai', 'chippiparai naai', 'chipiparai', 'chippipparai', 'சிப்பிபாறை', 'சிப்பிப்பாறை நாய்']],
  ['Kanni', 'கன்னி', 'Kanni', ['kanni naai', 'kanni dog', 'kanni nai', 'கன்னி நாய்', 'கன்னி வேட்டை நாய்']],
  ['Kombai', 'கோம்பை', 'Kombai', ['kombai naai', 'combai', 'kombai dog', 'கோம்பை நாய்', 'கொம்பை']],
  ['Mandai', 'மந்தை நாய்', 'Mandai', ['mandhai', 'mandai naai', 'manthai naai', 'mandhai nai', 'மந்தை', 'மந்தைநாய்']],
  ['Alangu', 'அலங்கு', 'Alangu', ['alangu naai', 'alanku', 'alangu mastiff', 'அலங்கு நாய்', 'ஆலங்கு']],
  ['Indian pariah', 'நாட்டு நாய்', 'Nattu Naai', ['nattu naai', 'naattu naai', 'nattu nai', 'desi dog', 'indie', 'indie dog', 'country dog', 'pariah', 'நாட்டுநாய்', 'தெரு நாய்']],
  ['Jonangi', 'ஜோனங்கி', 'Jonangi', ['jonangi dog', 'jonanghi', 'konangi', 'ஜோனாங்கி', 'ஜோணங்கி']],
  ['Mudhol Hound', 'முதோல் ஹவுண்ட்', 'Mudhol', ['mudhol', 'mudol', 'mudhole', 'முதோல்', 'முதோள்', 'முதோல் வேட்டை நாய்']],
  ['Caravan Hound', 'காரவான் ஹவுண்ட்', 'Caravan', ['caravan', 'karwan', 'karvan', 'karwani', 'காரவான்', 'கேரவன் ஹவுண்ட்']],
  ['Rampur Hound', 'ராம்பூர் ஹவுண்ட்', 'Rampur', ['rampur', 'rampuri', 'rampur greyhound', 'ராம்பூர்', 'ராம்பூர் வேட்டை நாய்']],
]

const horses: Row[] = [
  ['Marwari', 'மார்வாரி', 'Marwari', ['marvari', 'marwadi', 'marwari horse', 'மார்வாடி', 'மார்வாரி குதிரை']],
  ['Kathiawari', 'கத்தியவாரி', 'Kathiawari', ['kathiyawari', 'kathiawadi', 'kathiyawadi', 'காத்தியவாரி', 'கத்தியவாரி குதிரை', 'கத்தியவாடி']],
  ['Kachchhi-Sindhi', 'கச்சி-சிந்தி', 'Kachchhi', ['kachchhi', 'kutchi', 'kachi sindhi', 'kutchi sindhi', 'sindhi horse', 'கட்ச் சிந்தி', 'கச்சி சிந்தி', 'சிந்தி குதிரை']],
  ['Manipuri pony', 'மணிப்பூரி மட்டக்குதிரை', 'Manipuri', ['manipuri', 'manipur pony', 'polo pony', 'மணிப்பூரி', 'மணிப்பூரி போனி', 'மணிப்பூர் குதிரை']],
  ['Spiti', 'ஸ்பிதி', 'Spiti', ['spiti pony', 'spithi', 'ஸ்பித்தி', 'ஸ்பிதி குதிரை']],
  ['Zanskari', 'ஜன்ஸ்காரி', 'Zanskari', ['zanskar', 'zanskari pony', 'janskari', 'ஜான்ஸ்காரி', 'ஸன்ஸ்காரி']],
  ['Bhutia', 'பூட்டியா', 'Bhutia', ['bhotia', 'bhutia pony', 'bhutiya', 'பூட்டியா குதிரை', 'பூடியா']],
  ['Thoroughbred', 'தரோபிரெட்', 'Thoroughbred', ['thorobred', 'throughbred', 'race horse', 'racehorse', 'தாரோபிரெட்', 'பந்தயக் குதிரை', 'ரேஸ் குதிரை']],
  ['Country horse', 'நாட்டுக் குதிரை', 'Country horse', ['naattu kuthirai', 'nattu kuthirai', 'nattu kudhirai', 'native horse', 'நாட்டு குதிரை', 'நாட்டுக்குதிரை', 'மட்டக் குதிரை']],
]

/** Rows 20 to 23 of the cattle table. */
export const buffaloBreedIds: number[] = [120, 121, 122, 123]

function breedsOf(categoryId: number, rows: Row[]): Breed[] {
  return rows.map(([en, ta, shortName, aliases], row) => {
    const id = categoryId * 100 + row + 1
    return { id, categoryId, en, ta, shortName, aliases: buffaloBreedIds.includes(id) ? [...aliases, ...buffaloWords] : aliases }
  })
}

export const breeds: Breed[] = [
  ...breedsOf(1, cattle),
  ...breedsOf(2, goats),
  ...breedsOf(3, sheep),
  ...breedsOf(4, chickens),
  ...breedsOf(5, dogs),
  ...breedsOf(6, horses),
]
