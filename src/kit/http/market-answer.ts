/**
 * Response header of every page and call that says whose answer it is: a person's mark, or NOBODY
 * (server/device.server.ts).
 */
export const OWNER_HEADER = 'X-Copy-Owner'
export const NOBODY = '-'

/**
 * Request header of the outbox. The market then answers an accepted form with 204 and OWNER_HEADER, because browsers
 * hide the headers of a redirect from scripts: a redirect by a captive portal looks the same.
 */
export const FOR_OUTBOX = 'X-For-Outbox'

/**
 * False for the answer of a captive portal, a proxy or a maintenance page: it says nothing about what the market has
 * done.
 */
export const isFromMarket = ({ headers }: Response): boolean =>
  headers.has(OWNER_HEADER) || headers.get('Content-Type')?.startsWith('application/problem+json') === true
