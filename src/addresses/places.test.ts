import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cellOf, kilometresBetween, type Point } from './places.ts'
import { findPincode, findPlace, placeName, readPincodes, shownPlace } from './places.server.ts'
import { districts } from '#src/accounts/reference-data.ts'
import { marketTowns, tamilNames } from './town-names.ts'

const shown = (text: string) => {
  const town = findPlace(text)
  return town && shownPlace(town, 'en')
}
const rows = readPincodes()
const homeTaluks = [
  ...readFileSync(join(import.meta.dirname, '../../reference/tamil-nadu-taluks.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t')[1]!),
  ...rows.filter((row) => row.state === 'Tamil Nadu').map((row) => row.taluk),
]
/** Towns that really are far from the district's head town and from the other offices of their taluk. */
const remote = ['Kodaikanal', 'Kodumudi', 'Natham', 'Thalavadi']
const isTamilScript = (text: string) => /^[\u0B80-\u0BFF]+(?:[ -][\u0B80-\u0BFF]+)*$/u.test(text)

test.each([
  ['kovai', 'Coimbatore'],
  ['கோவை', 'Coimbatore'],
  ['Coimbatore', 'Coimbatore'],
  ['கோயமுத்தூர்', 'Coimbatore'],
  ['gobi', 'Gobichettipalayam, Erode'],
  ['கோபி', 'Gobichettipalayam, Erode'],
  ['madras', 'Chennai'],
  ['trichy', 'Tiruchirappalli'],
  ['திருச்சி', 'Tiruchirappalli'],
  ['tuticorin', 'Thoothukudi'],
  ['ooty', 'Udhagamandalam, The Nilgiris'],
  ['ஊட்டி', 'Udhagamandalam, The Nilgiris'],
  ['nellai', 'Tirunelveli'],
  ['நெல்லை', 'Tirunelveli'],
  ['tanjore', 'Thanjavur'],
  ['thanjai', 'Thanjavur'],
  ['தஞ்சை', 'Thanjavur'],
  ['ramnad', 'Ramanathapuram'],
  ['ராமநாதபுரம்', 'Ramanathapuram'],
  ['இராமநாதபுரம்', 'Ramanathapuram'],
  ['Udumalpet', 'Udumalaipettai, Tiruppur'],
  ['udumalai', 'Udumalaipettai, Tiruppur'],
  ['உடுமலை', 'Udumalaipettai, Tiruppur'],
  ['nagercoil', 'Nagercoil, Kanniyakumari'],
  ['நாகர்கோவில்', 'Nagercoil, Kanniyakumari'],
  ['oddanchatram', 'Oddanchatram, Dindigul'],
  ['ஒட்டன்சத்திரம்', 'Oddanchatram, Dindigul'],
  ['mecheri', 'Mecheri, Salem'],
  ['மேச்சேரி', 'Mecheri, Salem'],
  ['கம்பம்', 'Cumbum, Theni'],
  ['pondicherry', 'Puducherry'],
  ['pondy', 'Puducherry'],
  ['dindugal', 'Dindigul'],
  ['Dindigul', 'Dindigul'],
  ['kumbakonam', 'Kumbakonam, Thanjavur'],
  ['kumbakkonam', 'Kumbakonam, Thanjavur'],
  ['kanchi', 'Kancheepuram'],
  ['Kanchipuram', 'Kancheepuram'],
  ['tirupattur', 'Tirupathur'],
  ['Vellore', 'Vellore'],
  ['வேலூர்', 'Vellore'],
  ['cuddalore', 'Cuddalore'],
  ['Hosur', 'Hosur, Krishnagiri'],
  ['sivakasi', 'Sivakasi, Virudhunagar'],
  ['rajapalaiyam', 'Rajapalayam, Virudhunagar'],
  ['ராஜபாளையம்', 'Rajapalayam, Virudhunagar'],
  ['koilpatti', 'Kovilpatti, Thoothukudi'],
  ['Anthiyur', 'Anthiyur, Erode'],
  ['அந்தியூர்', 'Anthiyur, Erode'],
  ['மணப்பாறை', 'Manapparai, Tiruchirappalli'],
  ['perundurai', 'Perundurai, Erode'],
  ['எடப்பாடி', 'Edappadi, Salem'],
  ['Kanyakumari', 'Kanniyakumari'],
  ['Nilgiris', 'The Nilgiris'],
  ['Nungambakkam', 'Egmore-Nungambakkam, Chennai'],
  ['Perambur', 'Perambur-Purasawalkam, Chennai'],
])('"%s" is %s', (text, place) => {
  expect(shown(text)).toBe(place)
})

test.each([
  ['bangalore', 'Bengaluru, Karnataka'],
  ['பெங்களூர்', 'Bengaluru, Karnataka'],
  ['Kochi', 'Kochi, Ernakulam, Kerala'],
  ['cochin', 'Kochi, Ernakulam, Kerala'],
  ['Mysore', 'Mysuru, Karnataka'],
  ['Palghat', 'Palakkad, Kerala'],
  ['Trivandrum', 'Thiruvananthapuram, Kerala'],
  ['திருப்பதி', 'Tirupati, Chittoor, Andhra Pradesh'],
  ['Chittoor', 'Chittoor, Andhra Pradesh'],
  ['Chittur', 'Chittur, Palakkad, Kerala'],
  ['Nellore', 'Nellore, Andhra Pradesh'],
  ['Hyderabad', 'Hyderabad, Telangana'],
  ['Mumbai', 'Mumbai, Maharashtra'],
  ['டெல்லி', 'Delhi'],
  ['Calcutta', 'Kolkata, West Bengal'],
  ['கொல்லம்', 'Kollam, Kerala'],
  ['Khowai', 'Khowai, West Tripura, Tripura'],
  ['Mangalore', 'Mangalore, Dakshina Kannada, Karnataka'],
  ['hathras', 'Hathras, Uttar Pradesh'],
])('in another state "%s" is %s', (text, place) => {
  expect(shown(text)).toBe(place)
})

test.each(['mangalor', 'hathra', 'Sanchor', 'Khambha'])('a typing error in the name of a far place finds nothing: "%s"', (text) => {
  expect(findPlace(text)?.state ?? 'Tamil Nadu').toBe('Tamil Nadu')
})

test.each([
  ['polachi', 'Pollachi, Coimbatore'],
  ['Pollaachi', 'Pollachi, Coimbatore'],
  ['Udumalaipetai', 'Udumalaipettai, Tiruppur'],
  ['Sathiyamangalem', 'Sathyamangalam, Erode'],
  ['Kangeyan', 'Kangayam, Tiruppur'],
  ['பொல்லாச்சி', 'Pollachi, Coimbatore'],
  ['Thirunelvely', 'Tirunelveli'],
])('a typing error in the name of a place in Tamil Nadu is tolerated: "%s"', (text, place) => {
  expect(shown(text)).toBe(place)
})

test.each([
  ['Salem, Tamil Nadu', 'Salem'],
  ['Salem TN', 'Salem'],
  ['Salem, T.N.', 'Salem'],
  ['salem tamilnadu india', 'Salem'],
  ['Salem district', 'Salem'],
  ['சேலம் மாவட்டம்', 'Salem'],
  ['சேலம், தமிழ்நாடு', 'Salem'],
  ['Pollachi taluk', 'Pollachi, Coimbatore'],
  ['பொள்ளாச்சி வட்டம்', 'Pollachi, Coimbatore'],
  ['Pollachi, Coimbatore', 'Pollachi, Coimbatore'],
  ['பொள்ளாச்சி, கோயம்புத்தூர்', 'Pollachi, Coimbatore'],
  ['Tirupathur, Sivaganga', 'Tiruppathur, Sivaganga'],
  ['திருப்பத்தூர் (சிவகங்கை)', 'Tiruppathur, Sivaganga'],
  ['Kochi, Kerala', 'Kochi, Ernakulam, Kerala'],
  ['Perundurai Erode', 'Perundurai, Erode'],
  ['Kangayam Tiruppur Dt', 'Kangayam, Tiruppur'],
  ['Kunnathur, Perundurai', 'Perundurai, Erode'],
])('words around a name are ignored or narrow it down: "%s"', (text, place) => {
  expect(shown(text)).toBe(place)
})

test.each([
  'Atlantis',
  'T Nagar',
  'Atlantis Erode',
  'zzzz',
  '',
  ' ',
  ',',
  'a',
  'Tamil Nadu',
  'district',
  'a'.repeat(100),
  'கோவை'.repeat(30),
  '🐄',
  '🐄🐐',
  '12345',
  '000000',
  '999999',
])('there is no place "%s"', (text) => {
  expect(findPlace(text)).toBeNull()
})

test.each(districts)('the district $en is found in both languages, with other words around it', ({ en, ta }) => {
  for (const text of [en, ta, en.toLowerCase(), `${en} district`, `${ta} மாவட்டம்`, `${en}, Tamil Nadu`]) {
    expect(findPlace(text), text).toMatchObject({ name: en, district: en, state: 'Tamil Nadu' })
  }
})

test('every taluk of Tamil Nadu with PIN codes is found by its English and its Tamil name', () => {
  for (const { taluk, district } of rows.filter((row) => row.state === 'Tamil Nadu' && row.point)) {
    for (const name of [taluk, placeName(taluk, 'ta')]) {
      expect(findPlace(`${name}, ${placeName(district, 'ta')}`), name).toMatchObject({ state: 'Tamil Nadu', name: taluk })
    }
  }
})

test('the chosen place is shown in both languages, a PIN code with its taluk', () => {
  const both = (text: string) => [shownPlace(findPlace(text)!, 'en'), shownPlace(findPlace(text)!, 'ta')]
  expect(both('pollachi')).toEqual(['Pollachi, Coimbatore', 'பொள்ளாச்சி, கோயம்புத்தூர்'])
  expect(both('642 001')).toEqual(['642001 · Pollachi, Coimbatore', '642001 · பொள்ளாச்சி, கோயம்புத்தூர்'])
  expect(both('636001')).toEqual(['636001 · Salem', '636001 · சேலம்'])
  expect(both('635601')).toEqual(['635601 · Tirupathur', '635601 · திருப்பத்தூர்'])
  expect(both('630211')).toEqual(['630211 · Tiruppathur, Sivaganga', '630211 · திருப்பத்தூர், சிவகங்கை'])
  expect(both('605001')).toEqual(['605001 · Puducherry', '605001 · புதுச்சேரி'])
  expect(both('mecheri')).toEqual(['Mecheri, Salem', 'மேச்சேரி, சேலம்'])
  expect(both('bangalore')).toEqual(['Bengaluru, Karnataka', 'பெங்களூரு, கர்நாடகா'])
  expect(shownPlace({ name: '999999', taluk: '', district: 'Salem', state: 'Tamil Nadu', lat: 0, lon: 0 }, 'en')).toBe('999999 · Salem')
})

describe('the names', () => {
  test('every taluk of Tamil Nadu has a Tamil name, in Tamil script only', () => {
    expect(new Set(homeTaluks).size).toBeGreaterThan(240)
    expect([...new Set(homeTaluks)].filter((taluk) => !isTamilScript(placeName(taluk, 'ta')))).toEqual([])
    expect(placeName('Pollachi', 'en')).toBe('Pollachi')
  })

  test('all Tamil is composed (NFC) and in Tamil script, all English is in Latin script', () => {
    const tamil = [...Object.values(tamilNames), ...marketTowns.flatMap((town) => town.ta ?? [])]
    expect(tamil.filter((name) => !isTamilScript(name) || name !== name.normalize('NFC'))).toEqual([])
    const also = marketTowns.flatMap((town) => town.also?.split(' ') ?? [])
    expect(also.filter((name) => !/^([a-z-]{4,}|[\u0B80-\u0BFF]{3,})$/u.test(name) || name !== name.normalize('NFC'))).toEqual([])
    expect(marketTowns.filter(({ name }) => !/^[A-Z][A-Za-z]+( [A-Z][a-z]+)*$/.test(name))).toEqual([])
  })

  test('each market town has exactly one Tamil name', () => {
    expect(marketTowns.filter(({ name }) => !isTamilScript(placeName(name, 'ta')))).toEqual([])
    const known = [...Object.keys(tamilNames), ...districts.map(({ en }) => en)]
    expect(marketTowns.filter((town) => town.ta && known.includes(town.name))).toEqual([])
  })

  test('no two towns share a name', () => {
    const names = marketTowns.flatMap((town) => [town.name, ...(town.ta ? [town.ta] : []), ...(town.also?.split(' ') ?? [])])
    const seen = names.map((name) => name.toLowerCase())
    expect(seen.filter((name, index) => seen.indexOf(name) !== index)).toEqual([])
  })

  test.each(marketTowns)('$name is where its PIN code says, and each of its names finds it', ({ name, pincode, district, ta, also }) => {
    const row = findPincode(pincode)
    expect(row?.point).toBeTruthy()
    for (const text of [name, ta ?? name, ...(also?.split(' ') ?? [])]) {
      expect(findPlace(text), text).toEqual({ name, district: district ?? row!.district, state: row!.state, ...row!.point })
    }
    const sameTaluk = rows
      .filter((other) => other.taluk === row!.taluk && other.district === row!.district)
      .flatMap((other) => other.point ?? [])
    const mean = (pick: (point: Point) => number) => sameTaluk.reduce((sum, point) => sum + pick(point), 0) / sameTaluk.length
    const middle = { lat: mean((point) => point.lat), lon: mean((point) => point.lon) }
    const head = findPlace(row!.district)!
    const distance = Math.min(kilometresBetween(middle, row!.point!), kilometresBetween(head, row!.point!))
    expect(distance).toBeLessThanOrEqual(remote.includes(name) ? 55 : 25)
  })
})

test('a phone sends only its square of about eleven kilometres, which is shown as the nearest place', () => {
  const cell = cellOf({ lat: 10.6631, lon: 77.0081 })
  expect(cell).toBe('10.7,77.0')
  expect(findPlace(cell)).toMatchObject({ district: 'Coimbatore', lat: 10.7, lon: 77 })
  expect(findPlace('51.5,-0.1')).toBeNull()
  expect(findPlace('10.6631,77.0081')).toBeNull()
})
