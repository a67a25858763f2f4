import type { Locale } from '#src/kit/text/locale.ts'

/** Short descriptions of the most requested breeds, by breed id. */
export const breedStories: Record<number, Record<Locale, string>> = {
  101: {
    en: 'The pride of the Kongu country: a grey bull with a dark hump that draws a loaded cart for hours and lives on dry straw when it must. Calves are born red and turn grey within half a year. Most families keep Kangayam for the plough, the cart and the show; the cow gives little milk, and what she gives is rich.',
    ta: 'கொங்கு நாட்டின் பெருமை: கருமையான திமிலோடு மயிலைக் காளை; பாரவண்டியை மணிக்கணக்கில் இழுக்கும், வறட்சியில் வைக்கோலிலும் வாழும். கன்று செவலையாகப் பிறந்து ஆறு மாதத்தில் மயிலையாக மாறும். உழவுக்கும் வண்டிக்கும் கண்காட்சிக்கும் வளர்க்கிறார்கள்; பசுவின் பால் குறைவு, ஆனால் சத்து அதிகம்.',
  },
  102: {
    en: 'Made for the mud of the delta: light, quick on its feet, at home in wet paddy fields where a heavier bullock sinks. Known by the white star on the forehead and the white feet. Keepers in Tiruvarur used to burn off the horn buds so that the pair would not hurt each other.',
    ta: 'டெல்டா சேற்றுக்கென்றே உருவான மாடு: எடை குறைவு, கால் வேகம் அதிகம்; கனத்த எருது புதையும் நஞ்சை வயலில் எளிதாக நடக்கும். நெற்றிச் சுட்டியும் வெண்மையான கால்களும் அடையாளம். ஜோடி மாடுகள் ஒன்றையொன்று குத்தாமல் இருக்கத் திருவாரூர்ப் பக்கம் கொம்பு முளையைத் தீய்க்கும் வழக்கம் இருந்தது.',
  },
  103: {
    en: 'A small, fiery breed of migrating herds around Madurai, penned on fields at night for their dung. Its bulls are the ones of jallikattu. A bull that has made a name is priced by his name, not by his weight; a cow or a bullock costs a fraction of that.',
    ta: 'மதுரையைச் சுற்றி மேய்ச்சலுக்குப் போகும் கிடை மாடுகளில் வரும் சிறிய, துடிப்பான இனம்; இரவில் வயலில் கிடை போட்டுச் சாணம் கொடுக்கும். ஜல்லிக்கட்டுக் காளைகள் இந்த இனம்தான். பேர் எடுத்த காளைக்கு எடையை வைத்து விலை இல்லை, பேரை வைத்துதான்; பசுவும் எருதும் அதில் சிறு பங்குக்கே கிடைக்கும்.',
  },
  104: {
    en: 'Red-brown with white patches, from the forests above Anthiyur. Strong for its size on steep paths and shy of strangers: let the keeper lead it out, and look at it from a distance first. Herds graze in the hills for months; the milk of the cows is little and sought after.',
    ta: 'அந்தியூருக்கு மேலே காட்டில் வளரும், வெள்ளைத் திட்டுள்ள செவலை மாடு. அளவுக்கு மீறிய பலம், செங்குத்துப் பாதையில் உறுதி; புதியவர்களைக் கண்டால் மிரளும். வளர்த்தவரே வெளியே கொண்டு வரட்டும், முதலில் தள்ளி நின்று பாருங்கள். பட்டி மாதக்கணக்கில் மலையில் மேயும்; பசுவின் பால் குறைவு, தேடி வாங்குவார்கள்.',
  },
  118: {
    en: 'The cow behind most milk cans in Tamil Nadu: small enough for a family shed, calm, and with milk of good fat. Heat costs her milk; she needs shade, water the whole day and a mineral lick. Ask to see her milked in the evening and again the next morning, and taste for yourself.',
    ta: 'தமிழ்நாட்டின் பால் கேன்களில் பெரும்பகுதியை நிரப்பும் பசு: வீட்டுக் கொட்டகைக்கு அடக்கமானது, அமைதியானது, நல்ல கொழுப்புள்ள பால். வெயில் பாலைக் குறைக்கும்; நிழலும் நாள் முழுக்கத் தண்ணீரும் தாது உப்பும் வேண்டும். மாலையிலும் மறுநாள் காலையிலும் உங்கள் கண் முன்னே கறக்கச் சொல்லிப் பாருங்கள்.',
  },
  201: {
    en: 'A tall black goat of the dry south, with stripes down the face as if drawn with a brush: white in Pal Kanni, brown in Chen Kanni. Twins are usual. Flocks walk far and find leaves where there seems to be nothing.',
    ta: 'வறண்ட தெற்கின் உயரமான கருப்பு ஆடு; முகத்தில் தூரிகையால் வரைந்தது போலக் கோடுகள்: பால் கன்னிக்கு வெள்ளை, செங்கன்னிக்குப் பழுப்பு. பெரும்பாலும் இரட்டைக் குட்டி. வெகுதூரம் நடந்து, ஒன்றும் இல்லாத இடத்திலும் தழை தேடி மேயும்.',
  },
  202: {
    en: 'The tall runner of the Thoothukudi coast: long legs, long neck, white splashed with black or red. It grazes in flocks on open land and is seldom kept tied. Bucks grow to a good weight and are asked for before Bakrid and the village festivals.',
    ta: 'தூத்துக்குடிக் கரையோரத்தின் நெட்டை ஆடு: நீண்ட கால், நீண்ட கழுத்து, வெள்ளையில் கருப்பு அல்லது சிவப்புத் தெறிப்பு. திறந்த வெளியில் மந்தையாக மேயும்; கட்டி வளர்ப்பது அரிது. கிடாக்கள் நல்ல எடை வரும்; பக்ரீத்துக்கும் ஊர்த் திருவிழாவுக்கும் முன் கேட்பார்கள்.',
  },
  203: {
    en: 'Jet black, hardy, and loved for its meat; the skin fetches a good price as well. It comes from Salem and Dharmapuri and does well wherever thorn bushes grow. Two kiddings in eighteen months are usual in good keeping.',
    ta: 'கருங்கருப்பு, நோய் தாங்கும், இறைச்சிக்குப் பேர் பெற்றது; தோலுக்கும் நல்ல விலை. சேலம், தருமபுரி இதன் ஊர்; முட்செடி வளரும் இடமெல்லாம் நன்றாக வாழும். நல்ல பராமரிப்பில் பதினெட்டு மாதத்தில் இரண்டு ஈத்து கிடைக்கும்.',
  },
  301: {
    en: 'A light brown hair sheep without wool, kept for meat and for the finest sheep skin of the state. It stands the heat of Salem and Karur and eats what the fallow fields give. Ewes have one lamb, seldom two.',
    ta: 'கம்பளி இல்லாத இளம்பழுப்புச் செம்மறி; இறைச்சிக்கும் மாநிலத்தின் சிறந்த தோலுக்கும் வளர்க்கிறார்கள். சேலம், கரூர் வெயிலைத் தாங்கும்; தரிசில் கிடைப்பதை மேயும். ஓர் ஈத்துக்கு ஒரு குட்டி, அரிதாக இரண்டு.',
  },
  401: {
    en: 'The small country hen of every backyard: finds her own food, sits on her own eggs, and brings her chicks through where a farm bird dies. Sixty to eighty small eggs a year, in four or five broods. Slow to grow, and paid twice as much as a broiler for it.',
    ta: 'ஒவ்வொரு வீட்டு முற்றத்திலும் மேயும் சிறிய நாட்டுக்கோழி: தானே இரை தேடும், தானே அடைகாக்கும், பண்ணைக் கோழி சாகும் இடத்திலும் குஞ்சுகளைக் காப்பாற்றும். ஆண்டுக்கு அறுபது முதல் எண்பது சிறு முட்டை, நான்கைந்து ஈடாக. மெதுவாக வளரும்; அதனாலேயே பிராய்லரைவிட இரு மடங்கு விலை.',
  },
  501: {
    en: 'The white hound of the Palayakkarars, with a pink nose and the temper of a guard: one family, one master. It needs a large yard and somebody who walks with it every day; on a chain it turns bitter. Deafness occurs in pure white pups, so clap behind the pup before you choose.',
    ta: 'பாளையக்காரர்களின் வெள்ளை நாய்; இளஞ்சிவப்பு மூக்கு, காவல் குணம்: ஒரு குடும்பம், ஒரு எசமானர். பெரிய முற்றமும் தினமும் கூட்டிப் போக ஒருவரும் வேண்டும்; சங்கிலியில் கட்டினால் குணம் கெடும். வெள்ளைக் குட்டிகளில் சில காது கேளாமல் பிறக்கும்; தேர்ந்தெடுக்கும் முன் குட்டியின் பின்னால் கை தட்டிப் பாருங்கள்.',
  },
}
