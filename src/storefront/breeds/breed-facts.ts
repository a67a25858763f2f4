import type { Locale } from '#src/kit/text/locale.ts'

/**
 * Facts about each breed by id, as keepers report them. Weights are of grown animals in kilograms. The price is the usual one at shandies of Tamil
 * Nadu in 2025 and 2026, in rupees for one animal in ordinary condition (for dogs, a pup): a rough guide, and every page that shows it says so. Milk
 * is litres a day in good keeping; missing where nobody milks for sale.
 */
export interface BreedFacts {
  /** The region of origin. */
  tract: Record<Locale, string>
  /** For both sexes when `male` is null. */
  female: [number, number]
  male: [number, number] | null
  price: [number, number]
  colors: Record<Locale, string>
  milk?: [number, number]
}

// prettier-ignore
export const breedFacts: Record<number, BreedFacts> = {
  101: { tract: { en: 'Tiruppur, Erode, Karur, Namakkal', ta: 'திருப்பூர், ஈரோடு, கரூர், நாமக்கல்' }, female: [280, 350], male: [450, 550], price: [50000, 120000], colors: { en: 'grey, white; bulls dark on hump and neck; calves red', ta: 'சாம்பல் (மயிலை), வெள்ளை; காளைக்குத் திமிலும் கழுத்தும் கருமை; கன்று செவலை' }, milk: [2, 4] }, // Kangayam
  102: { tract: { en: 'Delta: Nagapattinam, Tiruvarur, Thanjavur', ta: 'டெல்டா: நாகப்பட்டினம், திருவாரூர், தஞ்சாவூர்' }, female: [280, 330], male: [360, 400], price: [35000, 80000], colors: { en: 'dark grey, white star and white feet', ta: 'கருஞ்சாம்பல்; நெற்றியிலும் குளம்பருகிலும் வெள்ளை' }, milk: [2, 3] }, // Umblachery
  103: { tract: { en: 'Madurai, Sivaganga, Theni', ta: 'மதுரை, சிவகங்கை, தேனி' }, female: [200, 260], male: [320, 360], price: [35000, 100000], colors: { en: 'grey, dark brown, black', ta: 'சாம்பல், கரும்பழுப்பு, கருப்பு' } }, // Pulikulam
  104: { tract: { en: 'Bargur hills, Anthiyur (Erode)', ta: 'பர்கூர் மலை, அந்தியூர் (ஈரோடு)' }, female: [250, 300], male: [330, 360], price: [30000, 70000], colors: { en: 'red-brown with white patches', ta: 'வெள்ளைத் திட்டுள்ள செவலை' } }, // Bargur
  105: { tract: { en: 'Dharmapuri, Pennagaram', ta: 'தருமபுரி, பென்னாகரம்' }, female: [280, 320], male: [400, 480], price: [30000, 70000], colors: { en: 'dark grey, black', ta: 'கருஞ்சாம்பல், கருப்பு' } }, // Alambadi
  106: { tract: { en: 'Theni, at the foot of the Western Ghats', ta: 'தேனி, மேற்குத் தொடர்ச்சி மலை அடிவாரம்' }, female: [200, 260], male: [300, 350], price: [25000, 60000], colors: { en: 'grey, brown, mixed', ta: 'சாம்பல், பழுப்பு, பல நிறம்' } }, // Theni hill cattle (Malai Madu)
  107: { tract: { en: 'All of Tamil Nadu', ta: 'தமிழ்நாடு முழுவதும்' }, female: [200, 280], male: [280, 350], price: [20000, 50000], colors: { en: 'any', ta: 'எந்த நிறமும்' } }, // Country cattle, TN
  108: { tract: { en: 'Karnataka, and Krishnagiri', ta: 'கர்நாடகா, கிருஷ்ணகிரி' }, female: [230, 300], male: [340, 450], price: [40000, 120000], colors: { en: 'grey, dark grey', ta: 'சாம்பல், கருஞ்சாம்பல்' }, milk: [2, 4] }, // Hallikar
  109: { tract: { en: 'Karnataka', ta: 'கர்நாடகா' }, female: [300, 320], male: [500, 500], price: [40000, 100000], colors: { en: 'grey', ta: 'சாம்பல்' } }, // Amrit Mahal
  110: { tract: { en: 'Andhra Pradesh', ta: 'ஆந்திரப் பிரதேசம்' }, female: [430, 450], male: [550, 680], price: [60000, 150000], colors: { en: 'white', ta: 'வெள்ளை' }, milk: [3, 5] }, // Ongole
  111: { tract: { en: 'Andhra Pradesh; a dwarf breed', ta: 'ஆந்திரப் பிரதேசம்; குட்டை இனம்' }, female: [110, 130], male: [160, 200], price: [100000, 500000], colors: { en: 'white, light brown, red', ta: 'வெள்ளை, இளம்பழுப்பு, சிவப்பு' }, milk: [2, 4] }, // Punganur
  112: { tract: { en: 'Kerala; a dwarf breed', ta: 'கேரளா; குட்டை இனம்' }, female: [120, 130], male: [150, 175], price: [40000, 120000], colors: { en: 'light red, black, fawn', ta: 'இளஞ்சிவப்பு, கருப்பு, இளம்பழுப்பு' }, milk: [2, 4] }, // Vechur
  113: { tract: { en: 'Gujarat', ta: 'குஜராத்' }, female: [380, 400], male: [540, 600], price: [60000, 200000], colors: { en: 'red, red with white spots', ta: 'சிவப்பு; வெள்ளைப் புள்ளியுள்ள சிவப்பு' }, milk: [6, 12] }, // Gir
  114: { tract: { en: 'Gujarat, Rajasthan', ta: 'குஜராத், ராஜஸ்தான்' }, female: [330, 370], male: [500, 590], price: [50000, 150000], colors: { en: 'silver grey', ta: 'வெள்ளிச் சாம்பல்' }, milk: [5, 9] }, // Kankrej
  115: { tract: { en: 'Punjab', ta: 'பஞ்சாப்' }, female: [330, 400], male: [500, 550], price: [60000, 150000], colors: { en: 'reddish brown', ta: 'செம்பழுப்பு' }, milk: [7, 12] }, // Sahiwal
  116: { tract: { en: 'Sindh; kept on farms all over India', ta: 'சிந்து; இந்தியா முழுவதும் பண்ணைகளில் உள்ளது' }, female: [300, 340], male: [420, 450], price: [50000, 120000], colors: { en: 'deep red', ta: 'அடர் சிவப்பு' }, milk: [6, 11] }, // Red Sindhi
  117: { tract: { en: 'Rajasthan', ta: 'ராஜஸ்தான்' }, female: [300, 400], male: [450, 500], price: [50000, 120000], colors: { en: 'white, light grey', ta: 'வெள்ளை, இளஞ்சாம்பல்' }, milk: [5, 9] }, // Tharparkar
  118: { tract: { en: 'All of India', ta: 'இந்தியா முழுவதும்' }, female: [300, 380], male: [450, 500], price: [40000, 90000], colors: { en: 'fawn, brown', ta: 'இளம்பழுப்பு, பழுப்பு' }, milk: [8, 14] }, // Jersey cross
  119: { tract: { en: 'All of India', ta: 'இந்தியா முழுவதும்' }, female: [400, 500], male: [550, 650], price: [45000, 110000], colors: { en: 'black and white', ta: 'கருப்பு வெள்ளை' }, milk: [10, 20] }, // Holstein Friesian cross
  120: { tract: { en: 'Haryana, Punjab', ta: 'ஹரியானா, பஞ்சாப்' }, female: [450, 550], male: [550, 650], price: [70000, 160000], colors: { en: 'jet black', ta: 'கருங்கருப்பு' }, milk: [8, 14] }, // Murrah buffalo
  121: { tract: { en: 'Nilgiris', ta: 'நீலகிரி' }, female: [350, 380], male: [380, 420], price: [40000, 80000], colors: { en: 'fawn, ash grey', ta: 'இளம்பழுப்பு, சாம்பல்' }, milk: [4, 6] }, // Toda buffalo
  122: { tract: { en: 'Bargur hills (Erode)', ta: 'பர்கூர் மலை (ஈரோடு)' }, female: [250, 300], male: [300, 350], price: [25000, 50000], colors: { en: 'black, brown-black', ta: 'கருப்பு, பழுப்புக் கருப்பு' } }, // Bargur buffalo
  123: { tract: { en: 'All of Tamil Nadu', ta: 'தமிழ்நாடு முழுவதும்' }, female: [300, 400], male: [350, 450], price: [30000, 70000], colors: { en: 'black', ta: 'கருப்பு' } }, // Country buffalo
  201: { tract: { en: 'Thoothukudi, Virudhunagar, Tirunelveli', ta: 'தூத்துக்குடி, விருதுநகர், திருநெல்வேலி' }, female: [26, 30], male: [32, 38], price: [9000, 20000], colors: { en: 'black with white or brown face stripes', ta: 'கருப்பு; முகத்தில் வெள்ளை அல்லது பழுப்புக் கோடுகள்' } }, // Kanni Adu
  202: { tract: { en: 'Thoothukudi, Ramanathapuram', ta: 'தூத்துக்குடி, ராமநாதபுரம்' }, female: [28, 32], male: [36, 42], price: [9000, 20000], colors: { en: 'white with black or red splashes', ta: 'கருப்பு அல்லது சிவப்புத் தெறிப்புள்ள வெள்ளை' } }, // Kodi Adu
  203: { tract: { en: 'Salem, Dharmapuri, Krishnagiri, Erode', ta: 'சேலம், தருமபுரி, கிருஷ்ணகிரி, ஈரோடு' }, female: [26, 30], male: [30, 36], price: [9000, 20000], colors: { en: 'jet black', ta: 'கருங்கருப்பு' } }, // Salem Black
  204: { tract: { en: 'The delta and the central districts of Tamil Nadu', ta: 'டெல்டா, தமிழ்நாட்டின் நடு மாவட்டங்கள்' }, female: [18, 22], male: [22, 28], price: [6000, 12000], colors: { en: 'brown, black, mixed', ta: 'பழுப்பு, கருப்பு, பல நிறம்' } }, // Pallai Adu
  205: { tract: { en: 'All of Tamil Nadu', ta: 'தமிழ்நாடு முழுவதும்' }, female: [20, 28], male: [25, 35], price: [6000, 15000], colors: { en: 'any', ta: 'எந்த நிறமும்' } }, // Country goat
  206: { tract: { en: 'Kerala; kept all over Tamil Nadu', ta: 'கேரளா; தமிழ்நாடு முழுவதும் வளர்க்கப்படுகிறது' }, female: [30, 35], male: [38, 50], price: [10000, 25000], colors: { en: 'white, black, brown', ta: 'வெள்ளை, கருப்பு, பழுப்பு' }, milk: [1, 2] }, // Tellicherry (Malabari)
  207: { tract: { en: 'Attappady in Kerala, next to Coimbatore', ta: 'கோயம்புத்தூரை அடுத்த அட்டப்பாடி, கேரளா' }, female: [28, 32], male: [32, 36], price: [8000, 18000], colors: { en: 'black', ta: 'கருப்பு' } }, // Attappady Black
  208: { tract: { en: 'Uttar Pradesh', ta: 'உத்தரப் பிரதேசம்' }, female: [40, 45], male: [55, 65], price: [18000, 50000], colors: { en: 'white with tan head patches', ta: 'வெள்ளை; தலையில் பழுப்புத் திட்டு' }, milk: [1.5, 3] }, // Jamunapari
  209: { tract: { en: 'Punjab', ta: 'பஞ்சாப்' }, female: [35, 40], male: [50, 60], price: [15000, 40000], colors: { en: 'black, red with white spots', ta: 'கருப்பு; வெள்ளைப் புள்ளியுள்ள சிவப்பு' }, milk: [1.5, 3] }, // Beetal
  210: { tract: { en: 'Rajasthan', ta: 'ராஜஸ்தான்' }, female: [30, 35], male: [45, 50], price: [12000, 30000], colors: { en: 'brown with dark patches', ta: 'கருந்திட்டுள்ள பழுப்பு' } }, // Sirohi
  211: { tract: { en: 'Uttar Pradesh', ta: 'உத்தரப் பிரதேசம்' }, female: [22, 27], male: [30, 38], price: [10000, 25000], colors: { en: 'white with tan spots', ta: 'பழுப்புப் புள்ளியுள்ள வெள்ளை' }, milk: [0.8, 1.5] }, // Barbari
  212: { tract: { en: 'Maharashtra', ta: 'மகாராஷ்டிரா' }, female: [28, 32], male: [33, 38], price: [9000, 20000], colors: { en: 'black', ta: 'கருப்பு' } }, // Osmanabadi
  213: { tract: { en: 'West Bengal', ta: 'மேற்கு வங்காளம்' }, female: [18, 20], male: [25, 30], price: [5000, 12000], colors: { en: 'black', ta: 'கருப்பு' } }, // Black Bengal
  214: { tract: { en: 'South Africa', ta: 'தென்னாப்பிரிக்கா' }, female: [45, 70], male: [70, 110], price: [25000, 100000], colors: { en: 'white, brown head', ta: 'வெள்ளை; தலை பழுப்பு' } }, // Boer and Boer cross
  301: { tract: { en: 'Salem, Erode, Karur, Namakkal', ta: 'சேலம், ஈரோடு, கரூர், நாமக்கல்' }, female: [22, 27], male: [32, 36], price: [7000, 15000], colors: { en: 'light brown', ta: 'இளம்பழுப்பு' } }, // Mecheri
  302: { tract: { en: 'Chennai, Kancheepuram, Tiruvallur, Chengalpattu', ta: 'சென்னை, காஞ்சிபுரம், திருவள்ளூர், செங்கல்பட்டு' }, female: [22, 26], male: [32, 36], price: [7000, 15000], colors: { en: 'red, tan', ta: 'சிவப்பு, செம்பழுப்பு' } }, // Madras Red
  303: { tract: { en: 'Ramanathapuram, Sivaganga, Virudhunagar', ta: 'ராமநாதபுரம், சிவகங்கை, விருதுநகர்' }, female: [22, 25], male: [30, 34], price: [7000, 14000], colors: { en: 'white', ta: 'வெள்ளை' } }, // Ramnad White
  304: { tract: { en: 'Tirunelveli, Thoothukudi, Madurai', ta: 'திருநெல்வேலி, தூத்துக்குடி, மதுரை' }, female: [21, 24], male: [28, 32], price: [7000, 14000], colors: { en: 'dark tan with black belly and legs', ta: 'அடர் பழுப்பு; வயிறும் காலும் கருப்பு' } }, // Kilakarsal
  305: { tract: { en: 'Thoothukudi, Virudhunagar', ta: 'தூத்துக்குடி, விருதுநகர்' }, female: [26, 29], male: [34, 38], price: [8000, 16000], colors: { en: 'white with red patches', ta: 'சிவப்புத் திட்டுள்ள வெள்ளை' } }, // Vembur
  306: { tract: { en: 'Coimbatore, Tiruppur, Dindigul', ta: 'கோயம்புத்தூர், திருப்பூர், திண்டுக்கல்' }, female: [20, 23], male: [24, 28], price: [6000, 12000], colors: { en: 'white with black or brown head', ta: 'வெள்ளை; தலை கருப்பு அல்லது பழுப்பு' } }, // Coimbatore (Kurumbai)
  307: { tract: { en: 'Tiruchirappalli, Perambalur, Ariyalur, Dharmapuri', ta: 'திருச்சிராப்பள்ளி, பெரம்பலூர், அரியலூர், தருமபுரி' }, female: [18, 22], male: [24, 28], price: [6000, 12000], colors: { en: 'black', ta: 'கருப்பு' } }, // Trichy Black
  308: { tract: { en: 'Nilgiris', ta: 'நீலகிரி' }, female: [27, 30], male: [32, 38], price: [8000, 16000], colors: { en: 'white, fine wool', ta: 'வெள்ளை; மென்மையான கம்பளி' } }, // Nilagiri
  309: { tract: { en: 'Tirunelveli, Thoothukudi', ta: 'திருநெல்வேலி, தூத்துக்குடி' }, female: [20, 23], male: [26, 30], price: [6000, 13000], colors: { en: 'light tan, brown', ta: 'இளம்பழுப்பு, பழுப்பு' } }, // Chevaadu
  310: { tract: { en: 'Madurai (Vadipatti)', ta: 'மதுரை (வாடிப்பட்டி)' }, female: [22, 25], male: [30, 34], price: [10000, 40000], colors: { en: 'black', ta: 'கருப்பு' } }, // Katchaikatty Black
  311: { tract: { en: 'Andhra Pradesh', ta: 'ஆந்திரப் பிரதேசம்' }, female: [28, 30], male: [36, 40], price: [9000, 18000], colors: { en: 'white, brown', ta: 'வெள்ளை, பழுப்பு' } }, // Nellore
  312: { tract: { en: 'Karnataka', ta: 'கர்நாடகா' }, female: [23, 25], male: [34, 36], price: [10000, 30000], colors: { en: 'white, brown face', ta: 'வெள்ளை; முகம் பழுப்பு' } }, // Mandya (Bannur)
  313: { tract: { en: 'From abroad', ta: 'வெளிநாடு' }, female: [45, 60], male: [70, 100], price: [25000, 80000], colors: { en: 'white, black head', ta: 'வெள்ளை; தலை கருப்பு' } }, // Dorper cross
  401: { tract: { en: 'The villages of Tamil Nadu', ta: 'தமிழ்நாட்டுக் கிராமங்கள்' }, female: [1, 1.3], male: [1.5, 1.8], price: [400, 800], colors: { en: 'mixed, brown, black', ta: 'பல நிறம், பழுப்பு, கருப்பு' } }, // Siruvidai
  402: { tract: { en: 'The villages of Tamil Nadu', ta: 'தமிழ்நாட்டுக் கிராமங்கள்' }, female: [2, 2.5], male: [3, 4], price: [800, 3000], colors: { en: 'red, grey, black, mixed', ta: 'சிவப்பு, சாம்பல், கருப்பு, பல நிறம்' } }, // Peruvidai
  403: { tract: { en: 'Andhra Pradesh, Tamil Nadu and other states', ta: 'ஆந்திரம், தமிழ்நாடு, பிற மாநிலங்கள்' }, female: [2.5, 3], male: [3.5, 5], price: [1500, 10000], colors: { en: 'red, black-red, grey', ta: 'சிவப்பு, கருஞ்சிவப்பு, சாம்பல்' } }, // Aseel
  404: { tract: { en: 'Madhya Pradesh', ta: 'மத்தியப் பிரதேசம்' }, female: [1.2, 1.5], male: [1.8, 2.2], price: [700, 1500], colors: { en: 'all black', ta: 'முழுக் கருப்பு' } }, // Kadaknath (black meat)
  405: { tract: { en: 'Kerala', ta: 'கேரளா' }, female: [1.2, 1.4], male: [1.6, 1.8], price: [500, 900], colors: { en: 'black with blue shine', ta: 'நீலப் பளபளப்புள்ள கருப்பு' } }, // Tellicherry chicken
  406: { tract: { en: 'Andaman and Nicobar Islands', ta: 'அந்தமான் நிக்கோபார் தீவுகள்' }, female: [1.2, 1.2], male: [1.8, 1.8], price: [500, 900], colors: { en: 'brown, black, white', ta: 'பழுப்பு, கருப்பு, வெள்ளை' } }, // Nicobari
  407: { tract: { en: 'Kerala, Andaman Islands', ta: 'கேரளா, அந்தமான் தீவுகள்' }, female: [1, 1], male: [1.5, 1.5], price: [400, 700], colors: { en: 'red, brown', ta: 'சிவப்பு, பழுப்பு' } }, // Naked Neck
  408: { tract: { en: 'Tamil Nadu; bred by the veterinary university', ta: 'தமிழ்நாடு; கால்நடை மருத்துவப் பல்கலைக்கழகம் உருவாக்கியது' }, female: [1.5, 2], male: [2, 2.5], price: [400, 700], colors: { en: 'brown, mixed', ta: 'பழுப்பு, பல நிறம்' } }, // Nandanam chicken
  409: { tract: { en: 'Karnataka; bred by a university', ta: 'கர்நாடகா; பல்கலைக்கழகம் உருவாக்கியது' }, female: [2.5, 3], male: [3, 4], price: [450, 800], colors: { en: 'brown, white, mixed', ta: 'பழுப்பு, வெள்ளை, பல நிறம்' } }, // Giriraja
  410: { tract: { en: 'Telangana; bred by an institute', ta: 'தெலங்கானா; ஆராய்ச்சி நிறுவனம் உருவாக்கியது' }, female: [2, 2.5], male: [3, 3.5], price: [400, 700], colors: { en: 'brown', ta: 'பழுப்பு' } }, // Vanaraja
  411: { tract: { en: 'Telangana; bred by an institute', ta: 'தெலங்கானா; ஆராய்ச்சி நிறுவனம் உருவாக்கியது' }, female: [1.6, 1.8], male: [2, 2.5], price: [350, 600], colors: { en: 'white, brown', ta: 'வெள்ளை, பழுப்பு' } }, // Gramapriya
  412: { tract: { en: 'From abroad; kept for eggs', ta: 'வெளிநாடு; முட்டைக்காக' }, female: [1.5, 1.5], male: [2, 2], price: [250, 450], colors: { en: 'white', ta: 'வெள்ளை' } }, // White Leghorn
  413: { tract: { en: 'From abroad; for eggs and meat', ta: 'வெளிநாடு; முட்டைக்கும் இறைச்சிக்கும்' }, female: [2.5, 2.5], male: [3.5, 3.5], price: [400, 800], colors: { en: 'dark red', ta: 'அடர் சிவப்பு' } }, // Rhode Island Red
  414: { tract: { en: 'Commercial farms', ta: 'வணிகப் பண்ணைகள்' }, female: [2, 2.5], male: null, price: [200, 350], colors: { en: 'white', ta: 'வெள்ளை' } }, // Broiler
  415: { tract: { en: 'Tamil Nadu', ta: 'தமிழ்நாடு' }, female: [0.04, 0.1], male: null, price: [40, 90], colors: { en: 'mixed', ta: 'பல நிறம்' } }, // Country chicks (per chick)
  501: { tract: { en: 'Virudhunagar', ta: 'விருதுநகர்' }, female: [22, 25], male: [25, 30], price: [8000, 25000], colors: { en: 'white, pink nose', ta: 'வெள்ளை; மூக்கு இளஞ்சிவப்பு' } }, // Rajapalayam
  502: { tract: { en: 'Virudhunagar, Thoothukudi', ta: 'விருதுநகர், தூத்துக்குடி' }, female: [15, 18], male: [18, 22], price: [6000, 18000], colors: { en: 'fawn, grey, silver', ta: 'இளம்பழுப்பு, சாம்பல், வெள்ளி நிறம்' } }, // Chippiparai
  503: { tract: { en: 'Thoothukudi, Tirunelveli', ta: 'தூத்துக்குடி, திருநெல்வேலி' }, female: [16, 20], male: [20, 24], price: [6000, 20000], colors: { en: 'black and tan', ta: 'கருப்பு பழுப்பு' } }, // Kanni
  504: { tract: { en: 'Theni', ta: 'தேனி' }, female: [18, 22], male: [22, 28], price: [6000, 20000], colors: { en: 'red-brown, black mask', ta: 'செவலை; முகம் கருப்பு' } }, // Kombai
  505: { tract: { en: 'Theni, Dindigul', ta: 'தேனி, திண்டுக்கல்' }, female: [18, 25], male: null, price: [4000, 12000], colors: { en: 'mixed', ta: 'பல நிறம்' } }, // Mandai
  506: { tract: { en: 'Thanjavur, Tiruchirappalli; accounts differ', ta: 'தஞ்சாவூர், திருச்சிராப்பள்ளி; கருத்து வேறுபாடு உண்டு' }, female: [30, 45], male: null, price: [10000, 30000], colors: { en: 'fawn, white, black', ta: 'இளம்பழுப்பு, வெள்ளை, கருப்பு' } }, // Alangu
  507: { tract: { en: 'All of India', ta: 'இந்தியா முழுவதும்' }, female: [15, 20], male: [18, 25], price: [0, 5000], colors: { en: 'brown, any', ta: 'பழுப்பு, எந்த நிறமும்' } }, // Indian pariah
  508: { tract: { en: 'The coast of Andhra Pradesh', ta: 'ஆந்திரக் கடற்கரை' }, female: [15, 20], male: null, price: [4000, 10000], colors: { en: 'fawn, brown', ta: 'இளம்பழுப்பு, பழுப்பு' } }, // Jonangi
  509: { tract: { en: 'Karnataka', ta: 'கர்நாடகா' }, female: [20, 22], male: [23, 28], price: [8000, 20000], colors: { en: 'fawn, cream, black', ta: 'இளம்பழுப்பு, சந்தன நிறம், கருப்பு' } }, // Mudhol Hound
  510: { tract: { en: 'Maharashtra, Karnataka', ta: 'மகாராஷ்டிரா, கர்நாடகா' }, female: [20, 25], male: [23, 30], price: [8000, 20000], colors: { en: 'fawn, cream, black', ta: 'இளம்பழுப்பு, சந்தன நிறம், கருப்பு' } }, // Caravan Hound
  511: { tract: { en: 'Uttar Pradesh', ta: 'உத்தரப் பிரதேசம்' }, female: [23, 27], male: [27, 30], price: [10000, 25000], colors: { en: 'grey, black', ta: 'சாம்பல், கருப்பு' } }, // Rampur Hound
  601: { tract: { en: 'Rajasthan', ta: 'ராஜஸ்தான்' }, female: [340, 400], male: [360, 450], price: [100000, 800000], colors: { en: 'bay, chestnut, grey, piebald', ta: 'கரும்பழுப்பு, செந்நிறம், சாம்பல், திட்டு நிறம்' } }, // Marwari
  602: { tract: { en: 'Gujarat', ta: 'குஜராத்' }, female: [300, 350], male: [320, 380], price: [80000, 500000], colors: { en: 'chestnut, bay, dun, grey', ta: 'செந்நிறம், கரும்பழுப்பு, மங்கிய பழுப்பு, சாம்பல்' } }, // Kathiawari
  603: { tract: { en: 'Gujarat, Rajasthan', ta: 'குஜராத், ராஜஸ்தான்' }, female: [320, 370], male: [340, 400], price: [80000, 400000], colors: { en: 'bay, grey, chestnut', ta: 'கரும்பழுப்பு, சாம்பல், செந்நிறம்' } }, // Kachchhi-Sindhi
  604: { tract: { en: 'Manipur', ta: 'மணிப்பூர்' }, female: [230, 290], male: null, price: [40000, 120000], colors: { en: 'bay, grey, roan', ta: 'கரும்பழுப்பு, சாம்பல், கலந்த செந்நிறம்' } }, // Manipuri pony
  605: { tract: { en: 'Himachal Pradesh', ta: 'இமாச்சலப் பிரதேசம்' }, female: [200, 250], male: null, price: [40000, 100000], colors: { en: 'grey, black', ta: 'சாம்பல், கருப்பு' } }, // Spiti
  606: { tract: { en: 'Ladakh', ta: 'லடாக்' }, female: [240, 300], male: null, price: [50000, 150000], colors: { en: 'grey, bay', ta: 'சாம்பல், கரும்பழுப்பு' } }, // Zanskari
  607: { tract: { en: 'Sikkim, Darjeeling', ta: 'சிக்கிம், டார்ஜிலிங்' }, female: [250, 300], male: null, price: [40000, 120000], colors: { en: 'grey, bay', ta: 'சாம்பல், கரும்பழுப்பு' } }, // Bhutia
  608: { tract: { en: 'From abroad; stud farms', ta: 'வெளிநாடு; குதிரைப் பண்ணைகள்' }, female: [450, 500], male: [500, 550], price: [150000, 1e+06], colors: { en: 'bay, chestnut, grey', ta: 'கரும்பழுப்பு, செந்நிறம், சாம்பல்' } }, // Thoroughbred
  609: { tract: { en: 'All of Tamil Nadu', ta: 'தமிழ்நாடு முழுவதும்' }, female: [220, 300], male: null, price: [25000, 80000], colors: { en: 'any', ta: 'எந்த நிறமும்' } }, // Country horse
}
