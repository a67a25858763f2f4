import { createContext } from 'react-router'
import type { CookieNames } from '#src/kit/http/cookies.server.ts'
import type { Db } from '#src/kit/db/database.server.ts'
import type { Env } from './env.server.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import type { Log } from './log.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import type { Problem } from './problem.ts'
import type { RateLimits } from '#src/kit/http/rate-limits.server.ts'
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
  /** Of an admin: has a place in the company (staff, admin, super admin), and so sees others' phone numbers. */
  hasPowers?: boolean
}

/** What every function that touches the world takes first. Inside `inTransaction` an inner `ctx` shadows this one. */
export interface Ctx {
  db: Db
  viewer: Viewer | null
  locale: Locale
  now: Date
  requestId: string
  log: Log
  /** The browser's random value from its CSRF cookie, if it has one: distinguishes logged-out visitors, identifies nobody. */
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
/** Whose page it is; null for a page shared by everybody, which may read nobody's cookies. Forms stand on personal pages only. */
export const visitorContext = createContext<Visitor | null>()

export interface Site {
  env: Env
  limits: RateLimits
  media: MediaStore
  /** The contact details of Sandhai, as of this request. */
  contact: ContactSetting
  /** Called with each error that `isDatabaseAway` recognizes. */
  noteAway(error: unknown): void
}

export interface Visitor {
  cookies: Record<string, string>
  cookieNames: CookieNames
  /** Whom limits count when nobody is logged in. */
  address: string
  userAgent: string
  /** The request carries a session that has ended. */
  hasSessionEnded: boolean
  /** What the frame shows of the viewer, read together with their session; empty without a session. */
  figures?: Record<string, number> | null
  /** Set when the form's upload broke off: why. The fields that arrived before that are in the request. */
  bodyProblem?: Problem | undefined
}
