import { parseId } from '#src/kit/ids.ts'
import type { TrailFilter } from './trail.server.ts'

export const everything: TrailFilter = { event: '', object: '', actorId: null, day: null, beforeId: null }

const EVENT = /^[a-z_]{1,60}$/
const OBJECT = /^[a-z-]{1,30}:[\w-]{1,80}$/
const DAY = /^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

/** Reads the filter from the address; an unreadable value filters nothing. */
export function trailFilterIn(query: URLSearchParams): TrailFilter {
  const text = (name: string, pattern: RegExp) => {
    const value = (query.get(name) ?? '').trim()
    return pattern.test(value) ? value : ''
  }
  const day = text('day', DAY)
  return {
    event: text('event', EVENT),
    object: text('object', OBJECT),
    actorId: parseId(text('actor', /^\d{1,15}$/)),
    // The pattern alone accepts 30 February.
    day: day !== '' && new Date(day).toISOString().startsWith(day) ? day : null,
    beforeId: parseId(text('before', /^\d{1,15}$/)),
  }
}
