import type { Locale } from '#src/kit/text/locale.ts'

/**
 * An expected refusal: HTTP status, stable code, details. The code is also the key of its sentence in both languages (problem-text.ts). Any other
 * thrown error is a bug.
 */
export const problems = {
  MALFORMED: { status: 400, title: 'Request cannot be read' },
  LOGIN_FAILED: { status: 401, title: 'Authentication failed' },
  AUTH_REQUIRED: { status: 401, title: 'Please login to continue' },
  ROLE_FORBIDDEN: { status: 403, title: 'Not allowed for this user type' },
  IDENTITY_MISMATCH: { status: 403, title: 'The request names another user' },
  CSRF_REJECTED: { status: 403, title: 'The request did not come from our own page' },
  PROOF_NEEDED: { status: 403, title: 'A code is required first' },
  PASSWORD_WRONG: { status: 403, title: 'The password is not right' },
  SILENCED: { status: 403, title: 'Posting is paused until reports are reviewed' },
  VET_NOT_APPROVED: { status: 403, title: 'The vet is not approved yet' },
  PHONE_UNKNOWN: { status: 404, title: 'No account has this phone number' },
  NOT_FOUND: { status: 404, title: 'Not found' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'Method not allowed' },
  REQUEST_TIMEOUT: { status: 408, title: 'The request came too slowly' },
  PHONE_TAKEN: { status: 409, title: 'The phone number is registered already' },
  OWN_ROW: { status: 409, title: 'Not allowed for the own account' },
  LAST_SUPER_ADMIN: { status: 409, title: 'The last super admin must stay' },
  TOO_MANY_ADDRESSES: { status: 409, title: 'Twenty addresses are stored already' },
  TOO_MANY_IMAGES: { status: 409, title: 'A listing has three images at most' },
  OWN_LISTING: { status: 409, title: 'Not allowed for an own listing' },
  OWN_SELLER: { status: 409, title: 'Not allowed for the own account' },
  LISTING_STEP: { status: 409, title: 'The listing is not in a state for this' },
  VERSION: { status: 409, title: 'It was changed in the meantime' },
  ANIMAL_HELD: { status: 409, title: 'Another vet holds this animal' },
  HOLDS_FULL: { status: 409, title: 'The vet holds the maximum number of animals' },
  NOT_HELD: { status: 409, title: 'The vet does not hold this animal' },
  IDEMPOTENCY_MISMATCH: { status: 409, title: 'The idempotency key was used for another request' },
  OUT_OF_STOCK: { status: 409, title: 'Not available in this quantity' },
  CART_FULL: { status: 409, title: 'The cart has fifty items' },
  CART_EMPTY: { status: 409, title: 'The cart is empty' },
  STOCK_CHANGED: { status: 409, title: 'Some items are no longer available' },
  PRICE_CHANGED: { status: 409, title: 'The price has changed since it was shown' },
  NOT_DELIVERABLE: { status: 409, title: 'There is no delivery to or from one of the addresses' },
  ORDER_PLACED: { status: 409, title: 'The item has been ordered already' },
  ORDER_STEP: { status: 409, title: 'The order is not in a state for this' },
  ORDER_TERMINAL: { status: 409, title: 'The order is over' },
  DUPLICATE: { status: 409, title: 'The same was posted a moment ago' },
  SAVED_FULL: { status: 409, title: 'The maximum number is saved' },
  FORUM_STEP: { status: 409, title: 'The post is not in a state for this' },
  OWN_ENQUIRY: { status: 409, title: 'Not allowed for an own enquiry' },
  ENQUIRY_STEP: { status: 409, title: 'The enquiry is not in a state for this' },
  OPEN_ORDERS: { status: 409, title: 'There are open orders' },
  HANDOVER_LOCKED: { status: 409, title: 'The code was tried too often' },
  PROTOCOL_VERSION: { status: 412, title: 'Unsupported version of the protocol' },
  TOO_LARGE: { status: 413, title: 'Request too large' },
  UNSUPPORTED_TYPE: { status: 415, title: 'Unsupported content type' },
  VALIDATION: { status: 422, title: 'Some values are not valid' },
  OTP_WRONG: { status: 422, title: 'OTP is not matching' },
  HANDOVER_CODE_WRONG: { status: 422, title: 'The code does not match' },
  OTP_EXPIRED: { status: 422, title: 'The OTP is no longer valid' },
  RATE_LIMITED: { status: 429, title: 'Too many requests' },
  INTERNAL: { status: 500, title: 'Something went wrong' },
  SMS_UNAVAILABLE: { status: 503, title: 'The SMS could not be sent' },
  UNAVAILABLE: { status: 503, title: 'Temporarily unavailable' },
} as const

export type ProblemCode = keyof typeof problems
/** A more specific sentence for a code with several causes. */
export type ProblemReason = 'SELLERS_ONLY' | 'SALE_CLOSED' | 'OWN_REPORT' | 'OWNER_REFUSES' | 'UNDO_LATE' | 'MAINTENANCE' | 'TOO_LATE'

export interface FieldProblem {
  /** The path in the input: `category`, `weight`, `vaccines.0.dose`. */
  field: string
  message: string
}

/** A cart line that cannot be ordered. */
export interface LineProblem {
  id: number
  product: number
  name: string
  items_count: number
  /** The number in stock; 0 when it is no longer for sale. */
  stock: number
}

/** Renders a sentence in the reader's language. */
export type Sentence = (locale: Locale) => string

export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly fields: FieldProblem[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly reason: ProblemReason | undefined
  readonly lines: LineProblem[] | undefined
  /** Replaces the general sentence of the code where the cause is known exactly. */
  readonly sentence: Sentence | undefined

  constructor(
    code: ProblemCode,
    details: {
      fields?: FieldProblem[] | undefined
      retryAfterSeconds?: number | undefined
      reason?: ProblemReason | undefined
      lines?: LineProblem[] | undefined
      sentence?: Sentence | undefined
    } = {},
  ) {
    super(code)
    this.name = 'Problem'
    this.code = code
    this.status = problems[code].status
    this.fields = details.fields
    this.retryAfterSeconds = details.retryAfterSeconds
    this.reason = details.reason
    this.lines = details.lines
    this.sentence = details.sentence
  }
}

export const notFound = () => new Problem('NOT_FOUND')

/** VALIDATION of one field. The message is a key (`field_…`), or a hint in English for programmers. */
export const invalidField = (field: string, message: string) => new Problem('VALIDATION', { fields: [{ field, message }] })

/** For `.catch`: throws the error again, with the fields of a Problem renamed. */
export const renamingFields =
  (rename: (problem: FieldProblem) => FieldProblem) =>
  (error: unknown): never => {
    if (!(error instanceof Problem) || !error.fields) throw error
    const { code, fields, retryAfterSeconds, reason, lines, sentence } = error
    throw new Problem(code, { fields: fields.map((problem) => rename(problem)), retryAfterSeconds, reason, lines, sentence })
  }
