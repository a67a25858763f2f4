import { m } from '#src/paraglide/messages.js'
import type { Locale } from '#src/kit/text/locale.ts'
import { Problem, type ProblemCode, type ProblemReason, type Sentence } from '#src/kit/base/problem.ts'
import { formatMoment } from './time-money/dates.ts'

// A computed key (`m[code]`) would keep every message in every page's bundle; this table keeps only these.
const texts: Record<ProblemCode | ProblemReason, (inputs: Record<string, never>, options: { locale: Locale }) => string> = {
  TOO_LATE: m.problem_too_late,
  MALFORMED: m.problem_malformed,
  PROTOCOL_VERSION: m.problem_protocol_version,
  LOGIN_FAILED: m.problem_login_failed,
  PROOF_NEEDED: m.problem_proof_needed,
  PASSWORD_WRONG: m.problem_password_wrong,
  PHONE_UNKNOWN: m.problem_phone_unknown,
  PHONE_TAKEN: m.problem_phone_taken,
  OWN_ROW: m.problem_own_row,
  LAST_SUPER_ADMIN: m.problem_last_super_admin,
  TOO_MANY_ADDRESSES: m.problem_too_many_addresses,
  TOO_MANY_IMAGES: m.problem_too_many_images,
  OWN_LISTING: m.problem_own_listing,
  OWN_SELLER: m.problem_own_seller,
  LISTING_STEP: m.problem_listing_step,
  VERSION: m.problem_version,
  ANIMAL_HELD: m.problem_animal_held,
  HOLDS_FULL: m.problem_holds_full,
  NOT_HELD: m.problem_not_held,
  IDEMPOTENCY_MISMATCH: m.problem_idempotency_mismatch,
  SILENCED: m.problem_silenced,
  VET_NOT_APPROVED: m.problem_vet_not_approved,
  OUT_OF_STOCK: m.problem_out_of_stock,
  CART_FULL: m.problem_cart_full,
  CART_EMPTY: m.problem_cart_empty,
  STOCK_CHANGED: m.problem_stock_changed,
  PRICE_CHANGED: m.problem_price_changed,
  NOT_DELIVERABLE: m.problem_not_deliverable,
  ORDER_PLACED: m.problem_order_placed,
  ORDER_STEP: m.problem_order_step,
  ORDER_TERMINAL: m.problem_order_terminal,
  DUPLICATE: m.problem_duplicate,
  SAVED_FULL: m.problem_saved_full,
  FORUM_STEP: m.problem_forum_step,
  OWN_ENQUIRY: m.problem_own_enquiry,
  ENQUIRY_STEP: m.problem_enquiry_step,
  OPEN_ORDERS: m.problem_open_orders,
  HANDOVER_CODE_WRONG: m.problem_handover_code_wrong,
  HANDOVER_LOCKED: m.problem_handover_locked,
  OTP_WRONG: m.problem_otp_wrong,
  OTP_EXPIRED: m.problem_otp_expired,
  SMS_UNAVAILABLE: m.problem_sms_unavailable,
  AUTH_REQUIRED: m.problem_auth_required,
  ROLE_FORBIDDEN: m.problem_role_forbidden,
  IDENTITY_MISMATCH: m.problem_identity_mismatch,
  CSRF_REJECTED: m.problem_csrf_rejected,
  NOT_FOUND: m.problem_not_found,
  METHOD_NOT_ALLOWED: m.problem_method_not_allowed,
  REQUEST_TIMEOUT: m.problem_request_timeout,
  TOO_LARGE: m.problem_too_large,
  UNSUPPORTED_TYPE: m.problem_unsupported_type,
  VALIDATION: m.problem_validation,
  RATE_LIMITED: m.problem_rate_limited,
  INTERNAL: m.problem_internal,
  UNAVAILABLE: m.problem_unavailable,
  MAINTENANCE: m.problem_maintenance,
  SELLERS_ONLY: m.problem_sellers_only,
  SALE_CLOSED: m.problem_sale_closed,
  OWNER_REFUSES: m.problem_owner_refuses,
  UNDO_LATE: m.problem_undo_late,
  OWN_REPORT: m.problem_own_report,
}

export function problemText(code: ProblemCode | ProblemReason, locale: Locale): string {
  return texts[code]({}, { locale })
}

/** The sentence of a refusal. A refusal by a limit also says how long to wait (decisions §8.10). */
export function problemDetail({ code, reason, retryAfterSeconds, sentence }: ProblemParts, locale: Locale): string {
  if (sentence) return sentence(locale)
  const text = problemText(reason ?? code, locale)
  return code === 'RATE_LIMITED' && retryAfterSeconds ? `${text} ${waitText(retryAfterSeconds, locale)}` : text
}

type ProblemParts = Pick<Problem, 'reason' | 'retryAfterSeconds'> & {
  code: ProblemCode | ProblemReason
  sentence?: Sentence | undefined
}

interface Decision {
  /** The decision, for example the name of a status. */
  what: Sentence
  by: Sentence
  at: Date
}

/** VERSION for a decision about a state that is gone, because somebody decided first. The sentence says what, who and when. */
export const decidedMeanwhile = ({ what, by, at }: Decision) =>
  new Problem('VERSION', {
    sentence: (locale) =>
      m.problem_decided_meanwhile({ what: what(locale), who: by(locale), when: formatMoment(at, locale).slice(0, -3) }, { locale }),
  })

/** Seconds up to a minute and a half, then whole minutes, then whole hours, rounded up. */
export function waitText(seconds: number, locale: Locale): string {
  if (seconds <= 90) return m.problem_wait_seconds({ count: seconds }, { locale })
  const minutes = Math.ceil(seconds / 60)
  if (minutes <= 90) return m.problem_wait_minutes({ count: minutes }, { locale })
  return m.problem_wait_hours({ count: Math.ceil(minutes / 60) }, { locale })
}

/** Refusals that a file form may meet before its own checks. */
const REFUSALS_OF_FILES = ['RATE_LIMITED', 'UNAVAILABLE', 'CSRF_REJECTED', 'AUTH_REQUIRED'] as const

/** A refusal as a value of a URL, `CODE` or `CODE:seconds`: a file answer has no page around it, so the form's page shows it after a redirect. */
export const refusalInUrl = ({ code, retryAfterSeconds }: ProblemParts): string => [code, retryAfterSeconds ?? []].flat().join(':')

/** The text of a refused request, from the value that `refusalInUrl` made. Any other value means `otherwise`. */
export function fileRefusal(value: string | null, locale: Locale, otherwise: ProblemParts['code']): string | null {
  if (value === null) return null
  const [, sent, seconds] = /^([A-Z_]+)(?::(\d{1,6}))?$/.exec(value) ?? []
  const code = REFUSALS_OF_FILES.find((each) => each === sent) ?? otherwise
  return problemDetail({ code, reason: undefined, retryAfterSeconds: seconds === undefined ? undefined : Number(seconds) }, locale)
}
