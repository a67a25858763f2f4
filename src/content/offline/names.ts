import { OWN_ON_DEVICE } from '#src/kit/device/own-on-device.ts'

/** The pages that the service worker copies to the phone (decision 0058). */
export type CopyKind =
  /** The same for every anonymous visitor: on a slow connection the copy is shown at once. */
  | 'market'
  /** A personal page or a form: network first. */
  | 'own'
  /** A bearer's day behind its secret link: copied for this phone, not for a person, and only until the day ends (decision 0107). */
  | 'link'
  /** Never copied: logins, files, desks with other people's data, and other links that grant access to whoever has them. */
  | 'never'

/** Pages as an anonymous visitor sees them. */
export const MARKET_COPIES = 'copy:market'
/** Pages behind a bearer's link. */
export const LINK_COPIES = 'copy:links'
export const PICTURE_COPIES = 'copy:pictures'
/** Scripts, styles and fonts. */
export const FILE_COPIES = 'copy:files'
/** The page shown when there is no copy, in both languages; each build has its own cache. */
export const SHELL = 'copy:shell-'
/** A person's own pages; the person's mark follows. A logout removes every cache with this prefix (kit/device/own-on-device.ts). */
export const OWN_COPIES = `${OWN_ON_DEVICE}copy-`
export const COPIES_DB = 'sandhai-copies'

/**
 * Acts done offline (outbox/outbox.ts). Those that wait survive a logout: they belong to their owner and are sent when that person logs in
 * again. Sent ones end with the login.
 */
export const OUTBOX_DB = 'sandhai-outbox'
export const OUTBOX_SYNC = 'outbox'

export const isCopyCache = (name: string) => name.startsWith('copy:') || name.startsWith(OWN_COPIES)

/** When a copy was made, in milliseconds; the worker writes it. */
export const COPIED_AT = 'X-Copied-At'
/** Marks the worker's own requests: they do not count as visits. */
export const FOR_COPY = 'X-For-Copy'

export const WORKER_PATH = '/sw.js'
export const OFFLINE_PATH = '/offline'
/** Other apps send here what a person shares with Sandhai. */
export const SHARE_PATH = '/sell/shared'
