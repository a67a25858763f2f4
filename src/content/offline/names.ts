import { OWN_ON_DEVICE } from '#src/kit/device/own-on-device.ts'

/** Pages of the market as nobody in particular sees them. */
export const MARKET_COPIES = 'copy:market'
export const PICTURE_COPIES = 'copy:pictures'
/** Scripts, styles and fonts. */
export const FILE_COPIES = 'copy:files'
/** The page that answers where there is no copy, in both languages; one such cache for each build. */
export const SHELL = 'copy:shell-'
/** A person's own pages; behind it their mark. A logout removes them with all else that begins so (kit/device/own-on-device.ts). */
export const OWN_COPIES = `${OWN_ON_DEVICE}copy-`
export const COPIES_DB = 'sandhai-copies'

/** What was done without a line (outbox/outbox.ts). A logout leaves it: it is its owner's, and is sent when they are back. */
export const OUTBOX_DB = 'sandhai-outbox'
export const OUTBOX_SYNC = 'outbox'

export const isCopyCache = (name: string) => name.startsWith('copy:') || name.startsWith(OWN_COPIES)

/** Says on each answer whose it is: a person's mark, or NOBODY (device.server.ts). */
export const OWNER_HEADER = 'X-Copy-Owner'
export const NOBODY = '-'
/** When a copy was made, in milliseconds; written by the worker. */
export const COPIED_AT = 'X-Copied-At'
/** Marks what the worker asks for by itself: it is no visit. */
export const FOR_COPY = 'X-For-Copy'

export const WORKER_PATH = '/sw.js'
export const OFFLINE_PATH = '/offline'
/** Where other apps send what a person shares with the market. */
export const SHARE_PATH = '/sell/shared'
