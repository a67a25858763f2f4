import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parsePincode } from '#src/kit/text/readers.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { keysOf, slipsBetween } from '#src/kit/text/sound-keys.ts'
import { districts, states } from '#src/accounts/reference-data.ts'
import { kilometresBetween, readCell, type Point } from './places.ts'
import { marketTowns, tamilNames } from './town-names.ts'

interface PincodeRow {
  pincode: string
  taluk: string
  district: string
  state: string
  point: Point | null
}

/** A point from which lists measure distance. */
export interface Town extends Point {
  /** The English name, or the PIN code itself. */
  name: string
  /** For a PIN code only; empty when unknown. */
  taluk?: string
  district: string
  state: string
}

const HOME_STATE = 'Tamil Nadu'
export const homeStates = [HOME_STATE, 'Puducherry']
/** States whose places Tamil readers may write in Tamil script. */
const neighbours = ['Kerala', 'Karnataka', 'Andhra Pradesh', 'Telangana']

/** Later entries win: a district before a taluk of the same name. */
const tamilOf = new Map([
  ...marketTowns.flatMap((town): [string, string][] => (town.ta ? [[town.name, town.ta]] : [])),
  ...Object.entries(tamilNames),
  ...[...states, ...districts].map((place): [string, string] => [place.en, place.ta]),
])

/** A town, taluk, district or state in this language; without a Tamil name, the English one. */
export function placeName(name: string, locale: Locale): string {
  return locale === 'ta' ? (tamilOf.get(name) ?? name) : name
}

/** The found place as text: "Pollachi, Coimbatore", "642001 · Pollachi, Coimbatore", "Kochi, Ernakulam, Kerala". */
export function shownPlace({ name, taluk, district, state }: Town, locale: Locale): string {
  const isPincode = taluk !== undefined
  const parts = [isPincode ? taluk : name, district, ...(state === HOME_STATE ? [] : [state])].filter((part) => part !== '')
  const words = [...new Set(parts.map((part) => placeName(part, locale)))].join(', ')
  return isPincode ? `${name} · ${words}` : words
}

export interface PincodePlace {
  pincode: string
  taluk: string
  district: string
  state: string
  isDeliverable: boolean
}

/** Reads the committed table of PIN codes. Deliverability is in the database instead. */
export function readPincodes(): PincodeRow[] {
  const [, ...lines] = readFileSync(join(projectRoot, 'reference/pincodes.tsv'), 'utf8').trimEnd().split('\n')
  return lines.map((line) => {
    const [pincode, taluk, district, state, lat, lon] = line.split('\t') as [string, string, string, string, string, string]
    return { pincode, taluk, district, state, point: lat && lon ? { lat: Number(lat), lon: Number(lon) } : null }
  })
}

interface Entry {
  town: Town
  /** The names as plain letters, and as phonetic keys. */
  plain: string[]
  keys: string[]
  /** In Tamil Nadu or Puducherry, or with an everyday name: these are found by sound and despite typing errors. */
  isFamiliar: boolean
}
interface Gazetteer {
  byPincode: Map<string, PincodeRow>
  /** In order of preference: market towns, Tamil Nadu, Puducherry, then the places with the most PIN codes. */
  entries: Entry[]
}
let gazetteer: Gazetteer | undefined

/** Letters only, in lower case: "St. Thomas Mount" equals "st thomas mount". */
const plainOf = (text: string) =>
  (
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}]+/gu) ?? []
  ).join('')
const soundOf = (text: string) => keysOf(text).join('')

function entryOf(town: Town, names: string[], isFamiliar: boolean): Entry {
  const plain = new Set(names.map(plainOf))
  const keys = isFamiliar || neighbours.includes(town.state) ? new Set(names.map(soundOf)) : []
  return { town, plain: [...plain], keys: [...keys], isFamiliar }
}

/** English and Tamil name, plus variants: "Nilgiris"; each half of "Egmore-Nungambakkam"; ராசிபுரம் for இராசிபுரம். */
function namesOf(name: string): string[] {
  const spellings = [name, name.replace(/^The /, ''), placeName(name, 'ta')]
  const names = [...spellings, ...spellings.flatMap((each) => (each.includes('-') ? each.split('-') : []))]
  return [...names, ...names.filter((each) => each.startsWith('இரா')).map((each) => each.slice('இ'.length))]
}

/** Built once per process; only a release changes the data. */
function openGazetteer(): Gazetteer {
  if (gazetteer) return gazetteer
  const rows = readPincodes()
  const byPincode = new Map(rows.map((row) => [row.pincode, row]))
  const market = marketTowns.map(({ name, pincode, district, also }) => {
    const row = byPincode.get(pincode)
    if (!row?.point) throw new Error(`towns.json: ${name} has a PIN code without coordinates: ${pincode}`)
    const town = { name, district: district ?? row.district, state: row.state, ...row.point }
    return entryOf(town, [...namesOf(name), ...(also?.split(' ') ?? [])], true)
  })
  gazetteer = { byPincode, entries: [...market, ...entriesOfTable(rows)] }
  return gazetteer
}

/** Every taluk and district of the table, at the mean of its PIN codes' coordinates. */
function entriesOfTable(rows: PincodeRow[]): Entry[] {
  const groups = new Map<string, { town: Omit<Town, keyof Point>; points: Point[] }>()
  const add = (town: Omit<Town, keyof Point>, point: Point) => {
    const id = `${town.name}|${town.district}|${town.state}`
    const group = groups.get(id) ?? { town, points: [] }
    group.points.push(point)
    groups.set(id, group)
  }
  for (const { taluk, district, state, point } of rows) {
    if (!point) continue
    if (taluk) add({ name: taluk, district, state }, point)
    if (taluk !== district) add({ name: district, district, state }, point)
  }
  const rank = (state: string) => (homeStates.indexOf(state) + homeStates.length + 1) % (homeStates.length + 1)
  return [...groups.values()]
    .sort((a, b) => rank(a.town.state) - rank(b.town.state) || b.points.length - a.points.length)
    .map(({ town, points }) => {
      const mean = (pick: (p: Point) => number) => points.reduce((sum, p) => sum + pick(p), 0) / points.length
      const point = { lat: mean((p) => p.lat), lon: mean((p) => p.lon) }
      const isHome = homeStates.includes(town.state)
      return entryOf({ ...town, ...point }, isHome ? namesOf(town.name) : [town.name, placeName(town.name, 'ta')], isHome)
    })
}

export function findPincode(pincode: string): PincodeRow | null {
  return openGazetteer().byPincode.get(pincode) ?? null
}

const LONGEST_NAME = 80
/** Words around a name that the lookup ignores. Tamil words may have a case ending (மாவட்டத்தில்). */
const surroundings =
  /(?<![\p{L}\p{M}])(?:tamil\s*nadu|t\.?n\.?|india|districts?|dist|dt|taluka?|tk|தமிழ்\s*நாடு|தமிழகம்|இந்தியா|(?:மாவட்ட|வட்ட|தாலுக)[\u0B80-\u0BFF]*)(?![\p{L}\p{M}])/giu

/**
 * Finds a PIN code, a cell (`cellOf`), or a town, taluk or district in Tamil or Latin script, also as "town, district". Places in Tamil
 * Nadu and Puducherry and those with an everyday name are found by sound and despite small typing errors; other states only by the exact
 * name. Null for an unknown place, or a PIN code without coordinates.
 */
export function findPlace(text: string): Town | null {
  const { byPincode, entries } = openGazetteer()
  const cell = readCell(text)
  if (cell) return nearestTown(cell, entries)
  const pincode = parsePincode(text)
  if (pincode) {
    const row = byPincode.get(pincode)
    return row?.point ? { name: pincode, taluk: row.taluk, district: row.district, state: row.state, ...row.point } : null
  }
  if (text.length > LONGEST_NAME) return null
  const [first, ...wider] = text
    .normalize('NFC')
    .replace(surroundings, ' ')
    .split(/[,;·()]/u)
    .filter((part) => plainOf(part) !== '')
  if (first === undefined) return null
  if (wider.length > 0) return findInside(first, wider, entries) ?? findNamed(first, entries)
  const words = first.trim().split(/\s+/)
  return findNamed(first, entries) ?? (words.length > 1 ? findInside(words.slice(0, -1).join(' '), words.slice(-1), entries, true) : null)
}

/** The nearest known place to a cell. Null outside India. */
function nearestTown(cell: Point, entries: Entry[]): Town | null {
  const distanceTo = ({ town }: Entry) => kilometresBetween(cell, town)
  const nearest = entries.reduce((best, entry) => (distanceTo(entry) < distanceTo(best) ? entry : best))
  return distanceTo(nearest) > FURTHEST_KM ? null : { ...nearest.town, ...cell }
}
const FURTHEST_KM = 300

/** A place within the named districts; for an unknown village the district itself, unless `isStrict`. */
function findInside(name: string, wider: string[], entries: Entry[], isStrict = false): Town | null {
  const districts = wider.flatMap((part) => findNamed(part, entries) ?? [])
  const inside = entries.filter(({ town }) => districts.some((place) => place.district === town.district && place.state === town.state))
  return findNamed(name, inside) ?? (isStrict ? null : (districts[0] ?? null))
}

/** A place in Tamil Nadu or Puducherry with exactly this name, by letters or sound: for finding places in longer text. */
export function findHomePlace(name: string): Town | null {
  const [plain, key] = [plainOf(name), soundOf(name)]
  if (plain.length < 3) return null
  const named = ({ town, plain: names, keys }: Entry) =>
    homeStates.includes(town.state) && (names.includes(plain) || (key.length > 3 && keys.includes(key)))
  return openGazetteer().entries.find(named)?.town ?? null
}

function findNamed(text: string, entries: Entry[]): Town | null {
  const plain = plainOf(text)
  const key = soundOf(text)
  const isTamil = /[\u0B80-\u0BFF]/u.test(text)
  const isHeard = (entry: Entry) => key.length >= 3 && (entry.isFamiliar || isTamil) && entry.keys.includes(key)
  const found =
    entries.find((entry) => entry.plain.includes(plain)) ??
    entries.find((entry) => entry.isFamiliar && isHeard(entry)) ??
    entries.find(isHeard) ??
    nearestSpelling(key, entries)
  return found?.town ?? null
}

/** Place names are many and similar, so allow fewer typing errors than in a search word. */
const slipsInName = (key: string) => (key.length < 6 ? 0 : key.length < 9 ? 1 : 2)

function nearestSpelling(key: string, entries: Entry[]): Entry | undefined {
  let limit = slipsInName(key)
  let nearest: Entry | undefined
  for (const entry of entries) {
    if (limit === 0) break
    if (!entry.isFamiliar) continue
    for (const name of entry.keys) {
      if (name[0] !== key[0]) continue
      const slips = slipsBetween(key, name, limit)
      if (slips > limit) continue
      nearest = entry
      limit = slips - 1
    }
  }
  return nearest
}

/** Whether this line is only the place's name in either language, so that it adds nothing to the address. */
export const namesPlace = (line: string, place: string): boolean => line === placeName(place, 'en') || line === placeName(place, 'ta')
