/**
 * Fixed lists for people and their addresses. Ids are on the wire and in the database: never renumber one. Tamil and English are side by
 * side because every list is shown in both.
 */

export interface Named {
  id: number
  en: string
  ta: string
}

interface UserType extends Named {
  /** Not offered at sign-up; the server refuses it, too. */
  hidden: boolean
}

/** A place is identified by its English name, as in addresses and in `reference/pincodes.tsv`. */
export interface Place {
  en: string
  ta: string
}

export const userTypes: UserType[] = [
  { id: 0, en: 'Guest', ta: 'விருந்தினர்', hidden: true },
  { id: 1, en: 'Buyer', ta: 'வாங்குபவர்', hidden: false },
  { id: 2, en: 'Seller', ta: 'விற்பனையாளர்', hidden: false },
  { id: 3, en: 'Buyer and seller', ta: 'வாங்குபவர் மற்றும் விற்பனையாளர்', hidden: false },
  { id: 4, en: 'Seller / agent', ta: 'விற்பனை முகவர்', hidden: false },
  { id: 5, en: 'Veterinarian', ta: 'கால்நடை மருத்துவர்', hidden: false },
  { id: 9, en: 'Admin / staff', ta: 'நிர்வாகி', hidden: true },
]

/** Roles inside the company. A person without one is an "external user". */
export const internalTypes: Named[] = [
  { id: 1, en: 'Staff', ta: 'பணியாளர்' },
  { id: 2, en: 'Admin', ta: 'நிர்வாகி' },
  { id: 3, en: 'Super admin', ta: 'தலைமை நிர்வாகி' },
]

export const userTitles: Named[] = [
  { id: 1, en: 'Mr', ta: 'திரு.' },
  { id: 2, en: 'Mrs', ta: 'திருமதி' },
  { id: 3, en: 'Ms', ta: 'செல்வி' },
  { id: 4, en: 'Dr', ta: 'டாக்டர்' },
  { id: 5, en: 'M/s (firm)', ta: 'திருவாளர்கள்' },
]

export const addressTypes: Named[] = [
  { id: 1, en: 'Home', ta: 'வீடு' },
  { id: 2, en: 'Farm', ta: 'பண்ணை' },
  { id: 3, en: 'Shop or market', ta: 'கடை, சந்தை' },
  { id: 4, en: 'Office', ta: 'அலுவலகம்' },
  { id: 5, en: 'Goshala', ta: 'கோசாலை' },
  { id: 6, en: 'Other', ta: 'மற்றவை' },
]

/** Tamil Nadu as it has been since 2020. The PIN code sources are older; scripts/build-pincodes.ts corrects them. */
export const districts: Place[] = [
  { en: 'Ariyalur', ta: 'அரியலூர்' },
  { en: 'Chengalpattu', ta: 'செங்கல்பட்டு' },
  { en: 'Chennai', ta: 'சென்னை' },
  { en: 'Coimbatore', ta: 'கோயம்புத்தூர்' },
  { en: 'Cuddalore', ta: 'கடலூர்' },
  { en: 'Dharmapuri', ta: 'தருமபுரி' },
  { en: 'Dindigul', ta: 'திண்டுக்கல்' },
  { en: 'Erode', ta: 'ஈரோடு' },
  { en: 'Kallakurichi', ta: 'கள்ளக்குறிச்சி' },
  { en: 'Kancheepuram', ta: 'காஞ்சிபுரம்' },
  { en: 'Kanniyakumari', ta: 'கன்னியாகுமரி' },
  { en: 'Karur', ta: 'கரூர்' },
  { en: 'Krishnagiri', ta: 'கிருஷ்ணகிரி' },
  { en: 'Madurai', ta: 'மதுரை' },
  { en: 'Mayiladuthurai', ta: 'மயிலாடுதுறை' },
  { en: 'Nagapattinam', ta: 'நாகப்பட்டினம்' },
  { en: 'Namakkal', ta: 'நாமக்கல்' },
  { en: 'Perambalur', ta: 'பெரம்பலூர்' },
  { en: 'Pudukkottai', ta: 'புதுக்கோட்டை' },
  { en: 'Ramanathapuram', ta: 'ராமநாதபுரம்' },
  { en: 'Ranipet', ta: 'இராணிப்பேட்டை' },
  { en: 'Salem', ta: 'சேலம்' },
  { en: 'Sivaganga', ta: 'சிவகங்கை' },
  { en: 'Tenkasi', ta: 'தென்காசி' },
  { en: 'Thanjavur', ta: 'தஞ்சாவூர்' },
  { en: 'The Nilgiris', ta: 'நீலகிரி' },
  { en: 'Theni', ta: 'தேனி' },
  { en: 'Thoothukudi', ta: 'தூத்துக்குடி' },
  { en: 'Tiruchirappalli', ta: 'திருச்சிராப்பள்ளி' },
  { en: 'Tirunelveli', ta: 'திருநெல்வேலி' },
  { en: 'Tirupathur', ta: 'திருப்பத்தூர்' },
  { en: 'Tiruppur', ta: 'திருப்பூர்' },
  { en: 'Tiruvallur', ta: 'திருவள்ளூர்' },
  { en: 'Tiruvannamalai', ta: 'திருவண்ணாமலை' },
  { en: 'Tiruvarur', ta: 'திருவாரூர்' },
  { en: 'Vellore', ta: 'வேலூர்' },
  { en: 'Viluppuram', ta: 'விழுப்புரம்' },
  { en: 'Virudhunagar', ta: 'விருதுநகர்' },
]

/** All 28 states and 8 union territories: home and its neighbours first, then by name. */
export const states: Place[] = [
  { en: 'Tamil Nadu', ta: 'தமிழ்நாடு' },
  { en: 'Puducherry', ta: 'புதுச்சேரி' },
  { en: 'Kerala', ta: 'கேரளா' },
  { en: 'Karnataka', ta: 'கர்நாடகா' },
  { en: 'Andhra Pradesh', ta: 'ஆந்திரப் பிரதேசம்' },
  { en: 'Telangana', ta: 'தெலங்கானா' },
  { en: 'Andaman and Nicobar Islands', ta: 'அந்தமான் நிக்கோபார் தீவுகள்' },
  { en: 'Arunachal Pradesh', ta: 'அருணாச்சலப் பிரதேசம்' },
  { en: 'Assam', ta: 'அசாம்' },
  { en: 'Bihar', ta: 'பீகார்' },
  { en: 'Chandigarh', ta: 'சண்டிகர்' },
  { en: 'Chhattisgarh', ta: 'சத்தீஸ்கர்' },
  { en: 'Dadra and Nagar Haveli and Daman and Diu', ta: 'தாத்ரா நகர் ஹவேலி மற்றும் டாமன் டையூ' },
  { en: 'Delhi', ta: 'டெல்லி' },
  { en: 'Goa', ta: 'கோவா' },
  { en: 'Gujarat', ta: 'குஜராத்' },
  { en: 'Haryana', ta: 'ஹரியானா' },
  { en: 'Himachal Pradesh', ta: 'இமாச்சலப் பிரதேசம்' },
  { en: 'Jammu and Kashmir', ta: 'ஜம்மு காஷ்மீர்' },
  { en: 'Jharkhand', ta: 'ஜார்க்கண்ட்' },
  { en: 'Ladakh', ta: 'லடாக்' },
  { en: 'Lakshadweep', ta: 'இலட்சத்தீவுகள்' },
  { en: 'Madhya Pradesh', ta: 'மத்தியப் பிரதேசம்' },
  { en: 'Maharashtra', ta: 'மகாராஷ்டிரா' },
  { en: 'Manipur', ta: 'மணிப்பூர்' },
  { en: 'Meghalaya', ta: 'மேகாலயா' },
  { en: 'Mizoram', ta: 'மிசோரம்' },
  { en: 'Nagaland', ta: 'நாகாலாந்து' },
  { en: 'Odisha', ta: 'ஒடிசா' },
  { en: 'Punjab', ta: 'பஞ்சாப்' },
  { en: 'Rajasthan', ta: 'ராஜஸ்தான்' },
  { en: 'Sikkim', ta: 'சிக்கிம்' },
  { en: 'Tripura', ta: 'திரிபுரா' },
  { en: 'Uttar Pradesh', ta: 'உத்தரப் பிரதேசம்' },
  { en: 'Uttarakhand', ta: 'உத்தராகண்ட்' },
  { en: 'West Bengal', ta: 'மேற்கு வங்காளம்' },
]
