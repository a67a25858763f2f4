import { createContext } from 'react-router'
import type { CookieNames } from './cookies.server.ts'
import type { Db } from './database.server.ts'
import type { Env } from './env.server.ts'
import type { Locale } from './locale.ts'
import type { Log } from './log.server.ts'
import type { MediaStore } from './media-store.server.ts'
import type { RateLimits } from './rate-limits.server.ts'
import type { ContactSetting } from './settings.ts'
import type { Vault } from './vault.server.ts'

/** Who is asking, as the database says it at this request. */
export interface Viewer {
  id: number
  name: string
  /** User type id: 1 buyer, 2 seller, 3 buyer and seller, 4 agent, 5 veterinarian, 9 admin. */
  typeId: number
  /** Type 5 may check animals only once an admin has checked the registration number. */
  vetApproved: boolean
  superAdmin: boolean
}

/** What every function that touches the world takes first. Inside `inTransaction` an inner `ctx` shadows this one. */
export interface Ctx {
  db: Db
  viewer: Viewer | null
  locale: Locale
  now: Date
  requestId: string
  log: Log
  /** The browser's random value from its CSRF cookie, if it has one: tells two logged-out visitors apart, names nobody. */
  browserId: string | null
  publicOrigin: string
  /** Which of the viewer's sessions this is. */
  sessionId: number | null
  vault: Vault
}

/** How loaders and actions reach their ctx: `context.get(ctxContext)`. */
export const ctxContext = createContext<Ctx>()
/** The response's CSP nonce, for the page's own inline scripts. */
export const nonceContext = createContext<string>()
/** What every page may know of the running site. */
export const siteContext = createContext<Site>()
/** Whose page it is; null for a page that everybody gets, which therefore knows nobody's cookies. Forms stand on the others. */
export const visitorContext = createContext<Visitor | null>()

export interface Site {
  env: Env
  limits: RateLimits
  media: MediaStore
  /** How Sandhai is reached, as of this request. */
  contact: ContactSetting
  /** To be told of each error that `isDatabaseAway` knows. */
  noteAway(error: unknown): void
}

export interface Visitor {
  cookies: Record<string, string>
  cookieNames: CookieNames
  /** Whom limits count when nobody is logged in. */
  address: string
  userAgent: string
  /** A session was shown that is over. */
  hasSessionEnded: boolean
  /** What the frame shows of the viewer, read with his session; nobody's without one. */
  figures?: Record<string, number> | null
}
