import { DAY, daysBefore } from '#src/kit/time-money/dates.ts'

/** NEW ENQUIRY under this many days after posting, WANTED after that (B §9). */
const NEW_UNDER_DAYS = 10
/** An enquiry expires this many days after its last renewal. */
export const EXPIRES_AFTER_DAYS = 90
/** The poster is asked this many days before the expiry whether they still need it. */
export const ASKED_BEFORE_DAYS = 7
/** A closed or expired enquiry stays on the board, greyed, for this many days; after that only its poster and admins find it. */
export const OVER_SHOWN_DAYS = 30
/** Animals that one seller may offer for one enquiry: a selection, not the whole herd. */
export const OFFERS_PER_SELLER = 5

/** The state determines what the poster and admins can do; everybody sees it. `open`: sellers may answer. */
type EnquiryState = 'pending' | 'refused' | 'open' | 'expired' | 'closed'

export interface EnquiryLife {
  isVerified: boolean | null
  renewedAt: Date
  closedAt: Date | null
}

export function stateOf({ isVerified, renewedAt, closedAt }: EnquiryLife, now: Date): EnquiryState {
  if (closedAt) return 'closed'
  if (isVerified === null) return 'pending'
  if (!isVerified) return 'refused'
  return renewedAt < daysBefore(now, EXPIRES_AFTER_DAYS) ? 'expired' : 'open'
}

export const isOpen = (enquiry: EnquiryLife, now: Date) => stateOf(enquiry, now) === 'open'

export const expiresAt = ({ renewedAt }: Pick<EnquiryLife, 'renewedAt'>) => new Date(renewedAt.getTime() + EXPIRES_AFTER_DAYS * DAY)

/** The card's label. */
export const isNew = ({ createdAt }: { createdAt: Date }, now: Date) => now.getTime() - createdAt.getTime() < NEW_UNDER_DAYS * DAY

/** B §2: Verified, Not Verified, Pending Verification. */
export type Verified = 'verified' | 'not-verified' | 'pending'
export const verifiedOf = ({ isVerified }: Pick<EnquiryLife, 'isVerified'>): Verified =>
  isVerified === null ? 'pending' : isVerified ? 'verified' : 'not-verified'

/** The state of an enquiry on which decisions rest, as text for a form: when it was judged and when it was closed. */
export const seenEnquiry = ({ verifiedAt, closedAt }: { verifiedAt: Date | null; closedAt: Date | null }): string =>
  [verifiedAt, closedAt].map((at) => at?.getTime() ?? '').join('.')

/** ENQ-00042: the number that people say on the phone. */
export const enquiryCode = (id: number) => `ENQ-${String(id).padStart(5, '0')}`
