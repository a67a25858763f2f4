import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@playwright/test'
import { roles, withoutNumbers, type Role, type Tap } from './taps.ts'

/** Slowdown factors, compared to this machine. */
export const rates = [6, 4, 1]
/** Shares of the time from the first paint until the page is idle. */
const moments = Array.from({ length: 10 }, (_, n) => n / 9)

/** e2e/taps.walk.ts writes this for e2e/taps.spec.ts. */
export const buttonsFile = (role: Role) => join(test.info().config.rootDir, `../test-results/taps/${role}-buttons.json`)
export const sessionFile = (role: Role) => join(test.info().config.rootDir, `../test-results/taps/${role}-session.json`)

/** A button of one page, as one role presses it. */
export interface Planned extends Tap {
  role: Role
  moments: number[]
}

export const planFor = (rate: number) =>
  plan(
    (Object.keys(roles) as Role[]).flatMap((role) =>
      (JSON.parse(readFileSync(buttonsFile(role), 'utf8')) as Tap[]).map((each) => ({ ...each, role })),
    ),
    rates.indexOf(rate),
  )

/**
 * Every button of every page is pressed. For a page that several roles see, another role presses at each slowdown rate. A button's ten
 * moments are spread over the queries of its page; those of a button in the frame (the search, the newsletter in the footer) over all its
 * pages.
 */
export function plan(found: (Tap & { role: Role })[], turn: number): Planned[] {
  const byPage = Object.values(Object.groupBy(found, ({ path, kind }) => `${withoutNumbers(path)} ${kind}`)).map((all, n) => {
    // The first button of each role.
    const ofRoles = [...new Map(all!.map((each) => [each.role, each])).values()]
    return ofRoles[(n + turn) % ofRoles.length]!
  })
  const buttons = Object.groupBy(byPage, ({ path, kind }) =>
    kind.startsWith('get ') ? kind : `${withoutNumbers(path).replace(/\?.*/, '')} ${kind}`,
  )
  return Object.values(buttons).flatMap((places) => {
    const count = Math.max(moments.length, places!.length)
    return places!.map((place, at) => ({
      ...place,
      moments: Array.from({ length: count }, (_, n) => n)
        .filter((n) => n % places!.length === at)
        .map((n) => moments[(n + turn) % moments.length]!),
    }))
  })
}
