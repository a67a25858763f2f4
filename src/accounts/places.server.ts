import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locale } from '#src/kit/locale.ts'
import { projectRoot } from '#src/kit/project-root.server.ts'
import { keysOf, slipsBetween, slipsForgiven } from '#src/kit/sound-keys.ts'
import { parsePincode, type Point } from './places.ts'
import { districts, states } from './reference-data.ts'

export interface PincodeRow {
  pincode: string
  taluk: string
  district: string
  state: string
  point: Point | null
}

/** A place one may measure distance from. */
export interface Town extends Point {
  name: string
  district: string
  state: string
}

const HOME_STATE = 'Tamil Nadu'
const tamilOf = new Map([...states, ...districts].map((place) => [place.en, place.ta]))

/** A district or state in the reader's language; a place without a Tamil name on record keeps its own. */
export function placeName(name: string, locale: Locale): string {
  return locale === 'ta' ? (tamilOf.get(name) ?? name) : name
}

/** The committed table of PIN codes. Deliverability is not in it: that is the database's. */
export function readPincodes(): PincodeRow[] {
  const [, ...lines] = readFileSync(join(projectRoot, 'reference/pincodes.tsv'), 'utf8').trimEnd().split('\n')
  return lines.map((line) => {
    const [pincode, taluk, district, state, lat, lon] = line.split('\t') as [string, string, string, string, string, string]
    return { pincode, taluk, district, state, point: lat && lon ? { lat: Number(lat), lon: Number(lon) } : null }
  })
}

interface Gazetteer {
  byPincode: Map<string, PincodeRow>
  towns: { key: string; town: Town; isHome: boolean }[]
}
let gazetteer: Gazetteer | undefined

/** Read once per process: only a release changes it. */
function openGazetteer(): Gazetteer {
  if (gazetteer) return gazetteer
  const rows = readPincodes()
  const groups = new Map<string, { town: Omit<Town, keyof Point>; points: Point[] }>()
  const add = (town: Omit<Town, keyof Point>, point: Point) => {
    const id = `${town.name}|${town.district}|${town.state}`
    const group = groups.get(id) ?? { town, points: [] }
    group.points.push(point)
    groups.set(id, group)
  }
  for (const row of rows) {
    if (!row.point) continue
    if (row.taluk) add({ name: row.taluk, district: row.district, state: row.state }, row.point)
    add({ name: row.district, district: row.district, state: row.state }, row.point)
  }
  const towns = [...groups.values()].flatMap(({ town, points }) => {
    const mean = (pick: (p: Point) => number) => points.reduce((sum, p) => sum + pick(p), 0) / points.length
    const entry = { town: { ...town, lat: mean((p) => p.lat), lon: mean((p) => p.lon) }, isHome: town.state === HOME_STATE }
    const names = new Set([town.name, tamilOf.get(town.name) ?? town.name])
    return [...names].map((name) => ({ key: keysOf(name).join(''), ...entry }))
  })
  gazetteer = { byPincode: new Map(rows.map((row) => [row.pincode, row])), towns }
  return gazetteer
}

export function findPincode(pincode: string): PincodeRow | null {
  return openGazetteer().byPincode.get(pincode) ?? null
}

/**
 * A PIN code, or a town or district in Tamil or Latin letters, slips of spelling forgiven; our own state first.
 * Null when there is no such place (or its PIN code has no known point).
 */
export function findPlace(text: string): Town | null {
  const { byPincode, towns } = openGazetteer()
  const pincode = parsePincode(text)
  if (pincode) {
    const row = byPincode.get(pincode)
    return row?.point ? { name: pincode, district: row.district, state: row.state, ...row.point } : null
  }
  const key = keysOf(text).join('')
  if (key.length < 3) return null
  const exact = towns.filter((town) => town.key === key)
  const found = exact.length > 0 ? exact : nearestSpellings(key, towns)
  return (found.find((town) => town.isHome) ?? found[0])?.town ?? null
}

function nearestSpellings(key: string, towns: Gazetteer['towns']): Gazetteer['towns'] {
  const limit = slipsForgiven(key)
  if (limit === 0) return []
  return towns
    .map((town) => ({ town, slips: slipsBetween(key, town.key, limit) }))
    .filter(({ slips }) => slips <= limit)
    .sort((a, b) => a.slips - b.slips || Number(b.town.isHome) - Number(a.town.isHome))
    .map(({ town }) => town)
}
