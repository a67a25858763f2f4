import { createContext } from 'react-router'
import type { CookieNames } from '#src/kit/base/cookies.server.ts'
import type { Deadline } from '#src/kit/db/deadline.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import type { Env } from '#src/kit/base/env.server.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import type { Log } from '#src/kit/base/log.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import type { Problem } from '#src/kit/base/problem.ts'
import type { RateLimits } from '#src/kit/db/rate-limits.server.ts'
import type { ContactSetting } from './settings.ts'
import type { Vault } from './vault.server.ts'

/** The signed-in user, read from the database for this request. */
export interface Viewer {
  id: number
  name: string
  /** User type id: 1 buyer, 2 seller, 3 buyer and seller, 4 agent, 5 veterinarian, 9 admin. */
  typeId: number
  /** A user of type 5 may check animals only after an admin has checked their registration number. */
  vetApproved: boolean
  superAdmin: boolean
  /** For admins: true when the user has a company role (staff, admin, super admin). Such a user sees other people's phone numbers. */
  hasPowers?: boolean
}

/** The first parameter of every function with side effects or I/O. Inside `inTransaction`, an inner `ctx` shadows the outer one. */
export interface Ctx {
  db: Db
  viewer: Viewer | null
  locale: Locale
  now: Date
  requestId: string
  log: Log
  /** The random value of the browser's CSRF cookie, if present. It tells logged-out visitors apart and identifies no person. */
  browserId: string | null
  publicOrigin: string
  sessionId: number | null
  vault: Vault
  /** For write requests only. No transaction of the request commits after this deadline. */
  deadline?: Deadline | undefined
  /** In an act that can be undone: how long its messages wait, and their ids (accounts/undo.server.ts). */
  held?: { seconds: number; ids: number[] } | undefined
  /** Only when the server renders for everybody: the names of the shown objects (kit/http/shown-names.ts). */
  shows?: Set<string> | undefined
}

/** Loaders and actions get their ctx with `context.get(ctxContext)`. */
export const ctxContext = createContext<Ctx>()
/** The response's CSP nonce, for the page's own inline scripts. */
export const nonceContext = createContext<string>()
/** Facts of the running site that every page may read. */
export const siteContext = createContext<Site>()
/** The visitor of a personal page. Null on a page that all visitors share: such a page must not read cookies and has no forms. */
export const visitorContext = createContext<Visitor | null>()

export interface Site {
  env: Env
  limits: RateLimits
  media: MediaStore
  /** Sandhai's contact details at the time of this request. */
  contact: ContactSetting
  /** The server calls this for each error that `isDatabaseAway` recognizes. */
  noteAway(error: unknown): void
}

export interface Visitor {
  cookies: Record<string, string>
  cookieNames: CookieNames
  /** The key for rate limits when nobody is logged in. */
  address: string
  userAgent: string
  /** The request carries a session that has ended, and no page has said so yet. */
  hasSessionEnded: boolean
  /** Numbers that the page frame shows for the viewer. One query reads them together with the session; empty without a session. */
  figures?: Record<string, number> | null
  /** Set when the form's upload broke off. The request holds the fields that arrived before that. */
  bodyProblem?: Problem | undefined
}
