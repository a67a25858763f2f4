import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { districts, states } from '#src/accounts/reference-data.ts'

interface PinRow {
  pincode: string
  taluk: string
  district: string
  state: string
  lat: string
  lon: string
}

const [header, ...lines] = readFileSync(join(import.meta.dirname, '../../reference/pincodes.tsv'), 'utf8')
  .trimEnd()
  .split('\n')

const rows: PinRow[] = lines.map((line) => {
  const [pincode, taluk, district, state, lat, lon] = line.split('\t') as [string, string, string, string, string, string]
  return { pincode, taluk, district, state, lat, lon }
})

const byPin = new Map(rows.map((row) => [row.pincode, row]))
const tamilNadu = rows.filter((row) => row.state === 'Tamil Nadu')

const outside = (south: number, north: number, west: number, east: number) => (row: PinRow) =>
  row.lat !== '' && (Number(row.lat) < south || Number(row.lat) > north || Number(row.lon) < west || Number(row.lon) > east)

const placeOf = (pincode: string) => {
  const { taluk, district } = byPin.get(pincode)!
  return `${taluk}, ${district}`
}

test('the table has six columns and about 19,400 PIN codes, each once and in order', () => {
  expect(header).toBe('pincode\ttaluk\tdistrict\tstate\tlat\tlon')
  expect(rows.length).toBeGreaterThan(19_300)
  expect(rows.length).toBeLessThan(19_500)
  expect(byPin.size).toBe(rows.length)
  expect(rows.map((row) => row.pincode)).toEqual([...byPin.keys()].toSorted())
  expect(rows.filter((row) => !/^[1-9]\d{5}$/.test(row.pincode))).toEqual([])
  expect(lines.filter((line) => line.split('\t').length !== 6)).toEqual([])
})

test("Tamil Nadu has 2,035 PIN codes in exactly today's 38 districts, each with a taluk", () => {
  expect(tamilNadu).toHaveLength(2035)
  expect([...new Set(tamilNadu.map((row) => row.district))].toSorted()).toEqual(districts.map((district) => district.en).toSorted())
  expect(districts).toHaveLength(38)
  expect(tamilNadu.filter((row) => row.district === '' || row.taluk === '')).toEqual([])
})

test('no Tamil Nadu PIN code lies outside 60 to 64', () => {
  expect(tamilNadu.filter((row) => !/^6[0-4]/.test(row.pincode))).toEqual([])
})

test('every state in the table has a Tamil name, and every state has PIN codes', () => {
  expect([...new Set(rows.map((row) => row.state))].toSorted()).toEqual(states.map((state) => state.en).toSorted())
  expect(rows.filter((row) => row.district === '')).toEqual([])
})

test.each([
  ['641001', 'Coimbatore', 'Tamil Nadu'],
  ['600001', 'Chennai', 'Tamil Nadu'],
  ['625001', 'Madurai', 'Tamil Nadu'],
  ['620001', 'Tiruchirappalli', 'Tamil Nadu'],
  ['636001', 'Salem', 'Tamil Nadu'],
  ['638001', 'Erode', 'Tamil Nadu'],
  ['627001', 'Tirunelveli', 'Tamil Nadu'],
  ['613001', 'Thanjavur', 'Tamil Nadu'],
  ['632001', 'Vellore', 'Tamil Nadu'],
  ['110001', 'Central Delhi', 'Delhi'],
  ['560001', 'Bengaluru', 'Karnataka'],
  ['682001', 'Ernakulam', 'Kerala'],
  ['400001', 'Mumbai', 'Maharashtra'],
  ['700001', 'Kolkata', 'West Bengal'],
  ['500001', 'Hyderabad', 'Telangana'],
  ['605001', 'Puducherry', 'Puducherry'],
  ['629001', 'Kanniyakumari', 'Tamil Nadu'],
  ['624001', 'Dindigul', 'Tamil Nadu'],
  ['639001', 'Karur', 'Tamil Nadu'],
  ['642001', 'Coimbatore', 'Tamil Nadu'],
  ['635001', 'Krishnagiri', 'Tamil Nadu'],
  ['614001', 'Tiruvarur', 'Tamil Nadu'],
  ['643001', 'The Nilgiris', 'Tamil Nadu'],
  ['226001', 'Lucknow', 'Uttar Pradesh'],
])('the head post office %s is in %s, %s', (pincode, district, state) => {
  expect(byPin.get(pincode)).toMatchObject({ district, state })
})

test.each([
  ['642001', 'Pollachi, Coimbatore'],
  ['638701', 'Kangayam, Tiruppur'],
  ['641601', 'Tiruppur, Tiruppur'],
  ['641402', 'Sulur, Coimbatore'],
  ['627811', 'Tenkasi, Tenkasi'],
  ['603001', 'Chengalpattu, Chengalpattu'],
  ['600043', 'Pallavaram, Chengalpattu'],
  ['600053', 'Ambattur, Chennai'],
  ['632401', 'Walajah, Ranipet'],
  ['635601', 'Tirupathur, Tirupathur'],
  ['630211', 'Tiruppathur, Sivaganga'],
  ['606202', 'Kallakurichi, Kallakurichi'],
  ['609001', 'Mayiladuthurai, Mayiladuthurai'],
  ['628001', 'Thoothukudi, Thoothukudi'],
])('%s is shown as "%s"', (pincode, place) => {
  expect(placeOf(pincode)).toBe(place)
})

test('Puducherry has 29 codes, none counted as Tamil Nadu although they lie between its numbers', () => {
  const puducherry = rows.filter((row) => row.state === 'Puducherry')
  expect(puducherry).toHaveLength(29)
  expect(new Set(puducherry.map((row) => row.district))).toEqual(new Set(['Puducherry', 'Karaikal', 'Mahe']))
  for (const pincode of ['605001', '605012', '607402', '607403', '609601', '609602', '609609', '673310']) {
    expect(byPin.get(pincode)?.state, pincode).toBe('Puducherry')
  }
})

test('fewer than 80 codes have no coordinates, and none has only one coordinate', () => {
  expect(rows.filter((row) => row.lat === '').length).toBeLessThan(80)
  expect(tamilNadu.filter((row) => row.lat === '').length).toBeLessThan(10)
  expect(rows.filter((row) => (row.lat === '') !== (row.lon === ''))).toEqual([])
})

test('all coordinates are inside India, and those of Tamil Nadu inside Tamil Nadu', () => {
  expect(rows.filter(outside(6.5, 37.1, 68, 97.5))).toEqual([])
  expect(tamilNadu.filter(outside(8, 13.6, 76.2, 80.4))).toEqual([])
  expect(rows.filter((row) => row.lat !== '' && !/^\d+\.\d{4}$/.test(row.lat))).toEqual([])
})

test('no name is in capitals, has an asterisk, or is a code of the source', () => {
  const names = rows.flatMap((row) => [row.taluk, row.district, row.state]).filter((name) => name !== '')
  expect(names.filter((name) => /[*`;()[\]=&]|^NA$|^[a-z]|[A-Z]{4,}|\s{2}|^\s|\s$/.test(name))).toEqual([])
  expect(rows.filter((row) => /Pondicherr?y|Orissa|Uttaranchal|Chattisgarh/.test(`${row.taluk} ${row.district} ${row.state}`))).toEqual([])
})
