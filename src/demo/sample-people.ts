// The people of the sample market. None of them exists: numbers, addresses and texts are invented.

interface SamplePerson {
  key: string
  phone: string
  typeId: 1 | 2 | 3 | 4 | 5 | 9
  titleId: number
  /** As the person would write it: some in Tamil, most in Latin letters. */
  name: string
  degree?: string
  vetApproved?: boolean
  superAdmin?: boolean
  verifiedSeller?: boolean
  /** A seller's pickup address or a buyer's delivery address. The PIN code is the town's real one. */
  pickup?: { name: string; address1: string; address2: string; pincode: string }
  /** Reviews of this seller; `by` is the key of another person. */
  reviews?: { by: string; stars: number | null; comment: string; daysAgo: number }[]
}

/** The seven demo logins, as in the README. */
const accounts: SamplePerson[] = [
  {
    key: 'kavitha', phone: '+919000000001', typeId: 1, titleId: 2, name: 'Kavitha Selvam',
    pickup: { name: 'Kavitha Selvam', address1: 'மாதிரி வீடு, 7 மாதிரித் தெரு', address2: 'ஈரோடு', pincode: '638001' },
  },
  {
    key: 'murugesan', phone: '+919000000002', typeId: 2, titleId: 1, name: 'முருகேசன்', verifiedSeller: true,
    pickup: { name: 'முருகேசன்', address1: 'மாதிரித் தோட்டம், 12/4 மாதிரித் தெரு', address2: 'காங்கேயம்', pincode: '638701' },
    reviews: [
      { by: 'ravi', stars: 5, comment: 'சொன்னது போலவே காளை இருந்தது. தடுப்பூசி அட்டையும் கொடுத்தார்.', daysAgo: 6 },
      { by: 'deepa', stars: 5, comment: 'Patient seller, who let us watch two milkings before we decided.', daysAgo: 17 },
      { by: 'suresh', stars: 4, comment: 'Good animals. The price is firm, so do not expect much bargaining.', daysAgo: 33 },
      { by: 'kavitha', stars: null, comment: 'போனில் எல்லாக் கேள்விக்கும் பொறுமையாகப் பதில் சொன்னார்.', daysAgo: 41 },
    ],
  },
  {
    key: 'selvi', phone: '+919000000003', typeId: 3, titleId: 2, name: 'Selvi Palanisamy', verifiedSeller: true,
    pickup: { name: 'Selvi Palanisamy', address1: 'Sample Dairy Farm, 3 Sample Road', address2: 'Pollachi', pincode: '642001' },
    reviews: [
      { by: 'karthik', stars: 5, comment: 'பால் அளவு சொன்னபடியே வருகிறது. நேர்மையான விற்பனையாளர்.', daysAgo: 9 },
      { by: 'mary', stars: 4, comment: 'The cow is gentle and healthy. Pickup was one day late, but she called us before.', daysAgo: 26 },
      { by: 'ibrahim', stars: 5, comment: 'Clean shed, well kept animals.', daysAgo: 52 },
    ],
  },
  {
    key: 'anbu', phone: '+919000000004', typeId: 4, titleId: 5, name: 'Anbu Livestock Agency', verifiedSeller: true,
    pickup: { name: 'Anbu Livestock Agency', address1: 'Sample Yard, 45 Sample Bypass Road', address2: 'Madurai', pincode: '625001' },
    reviews: [
      { by: 'suresh', stars: 4, comment: 'Wide choice. Ask for the vaccination dates, they have them in a book.', daysAgo: 12 },
      { by: 'ravi', stars: 3, comment: 'கிடா நன்றாக இருந்தது. எடை சொன்னதைவிட இரண்டு கிலோ குறைவு.', daysAgo: 38 },
      { by: 'karthik', stars: 5, comment: 'Arranged the transport to Dindigul and sent photos on the way.', daysAgo: 61 },
    ],
  },
  { key: 'drmeena', phone: '+919000000005', typeId: 5, titleId: 4, name: 'Meena Rajagopal', degree: 'BVSc & AH', vetApproved: true,
    pickup: { name: 'Meena Clinic', address1: 'Sample Clinic, 2 Sample Street', address2: 'Perundurai Road', pincode: '638011' } },
  { key: 'drarun', phone: '+919000000006', typeId: 5, titleId: 4, name: 'Arun Prakash', degree: 'MVSc', vetApproved: false },
  { key: 'admin', phone: '+919000000009', typeId: 9, titleId: 3, name: 'Sandhai Office', superAdmin: true },
]

const sellers: SamplePerson[] = [
  {
    key: 'chinnasamy', phone: '+919000000011', typeId: 2, titleId: 1, name: 'Chinnasamy',
    pickup: { name: 'Chinnasamy', address1: 'Sample Farm, Sample Hill Road', address2: 'Anthiyur', pincode: '638501' },
    reviews: [{ by: 'deepa', stars: 5, comment: 'மலை மாடு என்றாலும் சாதுவாக இருக்கிறது. நன்றி.', daysAgo: 22 }],
  },
  {
    key: 'govindan', phone: '+919000000012', typeId: 2, titleId: 1, name: 'கோவிந்தன்',
    pickup: { name: 'கோவிந்தன்', address1: 'மாதிரிப் பண்ணை, மாதிரி ரோடு', address2: 'தருமபுரி', pincode: '636701' },
  },
  {
    key: 'pandiyan', phone: '+919000000013', typeId: 3, titleId: 1, name: 'Pandiyan Thevar', verifiedSeller: true,
    pickup: { name: 'Pandiyan', address1: 'Sample Grove, 8 Sample Street', address2: 'Theni', pincode: '625531' },
    reviews: [
      { by: 'karthik', stars: 5, comment: 'The pup has settled in two days. Parents were shown without asking.', daysAgo: 15 },
      { by: 'mary', stars: 4, comment: 'நல்ல நாட்டு மாடு. மேய்ச்சலுக்குப் பழகியது.', daysAgo: 47 },
    ],
  },
  {
    key: 'rajapandi', phone: '+919000000014', typeId: 2, titleId: 1, name: 'Rajapandi Kennel', verifiedSeller: true,
    pickup: { name: 'Rajapandi', address1: 'Sample Kennel, 2 Sample Nagar', address2: 'Rajapalayam', pincode: '626117' },
    reviews: [{ by: 'ibrahim', stars: 5, comment: 'Vaccination papers were complete. Good advice on feeding.', daysAgo: 11 }],
  },
  {
    key: 'esakki', phone: '+919000000015', typeId: 2, titleId: 1, name: 'இசக்கிமுத்து', verifiedSeller: true,
    pickup: { name: 'இசக்கிமுத்து', address1: 'மாதிரி கிடை, மாதிரிக் காடு', address2: 'கோவில்பட்டி', pincode: '628501' },
    reviews: [
      { by: 'ravi', stars: 5, comment: 'கன்னி ஆடு சுத்தமான இனம். குட்டிகள் துடிப்பாக உள்ளன.', daysAgo: 8 },
      { by: 'suresh', stars: 4, comment: 'Honest about the age of each goat.', daysAgo: 29 },
    ],
  },
  {
    key: 'palani', phone: '+919000000016', typeId: 2, titleId: 1, name: 'Palaniappan',
    pickup: { name: 'Palaniappan', address1: 'Sample Sheep Farm, Sample Cross', address2: 'Mecheri', pincode: '636453' },
    reviews: [{ by: 'mary', stars: 5, comment: 'Ewes were dewormed and vaccinated, just as promised.', daysAgo: 19 }],
  },
  {
    key: 'thangavel', phone: '+919000000017', typeId: 3, titleId: 1, name: 'Thangavel',
    pickup: { name: 'Thangavel', address1: 'Sample Paddy Farm, Sample Canal Bank', address2: 'Thanjavur', pincode: '613001' },
    reviews: [{ by: 'kavitha', stars: 4, comment: 'உம்பளச்சேரி பசு வீட்டுக்கு ஏற்றது.', daysAgo: 36 }],
  },
  {
    key: 'jeyanthi', phone: '+919000000018', typeId: 2, titleId: 2, name: 'ஜெயந்தி',
    pickup: { name: 'ஜெயந்தி', address1: 'மாதிரி வீடு, 7 மாதிரித் தெரு', address2: 'ராமநாதபுரம்', pincode: '623501' },
  },
  {
    key: 'bellie', phone: '+919000000019', typeId: 2, titleId: 1, name: 'Ramesh Bellie',
    pickup: { name: 'Ramesh Bellie', address1: 'Sample Hatti, Sample Hill', address2: 'Udhagamandalam', pincode: '643001' },
    reviews: [{ by: 'deepa', stars: null, comment: 'Please mention that the road is closed to lorries after six in the evening.', daysAgo: 24 }],
  },
  {
    key: 'fathima', phone: '+919000000020', typeId: 2, titleId: 2, name: 'Fathima Beevi', verifiedSeller: true,
    pickup: { name: 'Fathima Beevi', address1: 'Sample Poultry Farm, 19 Sample Street', address2: 'Manapparai', pincode: '621306' },
    reviews: [
      { by: 'ibrahim', stars: 5, comment: 'கோழிகள் எல்லாம் நலமாக வந்து சேர்ந்தன. கூடுதலாக இரண்டு குஞ்சு கொடுத்தார்.', daysAgo: 5 },
      { by: 'kavitha', stars: 5, comment: 'Healthy hens, laying since the first week.', daysAgo: 31 },
    ],
  },
  {
    key: 'senthil', phone: '+919000000021', typeId: 3, titleId: 1, name: 'Senthil Kumar',
    pickup: { name: 'Senthil Kumar', address1: 'Sample Dairy, 66 Sample Road', address2: 'Salem', pincode: '636001' },
    reviews: [{ by: 'karthik', stars: 4, comment: 'The buffalo gives what was promised. Bring your own rope.', daysAgo: 20 }],
  },
  {
    key: 'annamalai', phone: '+919000000022', typeId: 4, titleId: 5, name: 'Annamalai Feeds and Farm Tools',
    pickup: { name: 'Annamalai Feeds', address1: 'Sample Godown, 30 Sample Bazaar', address2: 'Mayiladuthurai', pincode: '609001' },
    reviews: [{ by: 'suresh', stars: 4, comment: 'Fresh oil cake, right weight in every sack.', daysAgo: 14 }],
  },
  {
    key: 'kongu', phone: '+919000000023', typeId: 4, titleId: 5, name: 'Kongu Horse Stables', verifiedSeller: true,
    pickup: { name: 'Kongu Horse Stables', address1: 'Sample Stables, 1 Sample Avenue', address2: 'Coimbatore', pincode: '641001' },
    reviews: [{ by: 'ravi', stars: 5, comment: 'They let my daughter ride twice before we paid anything.', daysAgo: 18 }],
  },
]

const buyers: SamplePerson[] = [
  { key: 'ravi', phone: '+919000000031', typeId: 1, titleId: 1, name: 'Ravichandran' },
  { key: 'mary', phone: '+919000000032', typeId: 1, titleId: 2, name: 'Mary Arockiam' },
  { key: 'suresh', phone: '+919000000033', typeId: 1, titleId: 1, name: 'Suresh Babu' },
  { key: 'deepa', phone: '+919000000034', typeId: 1, titleId: 3, name: 'தீபா' },
  { key: 'ibrahim', phone: '+919000000035', typeId: 1, titleId: 1, name: 'Mohamed Ibrahim' },
  { key: 'karthik', phone: '+919000000036', typeId: 1, titleId: 1, name: 'Karthik' },
]

export const samplePeople: SamplePerson[] = [...accounts, ...sellers, ...buyers]
