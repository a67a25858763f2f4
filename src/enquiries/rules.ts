import { can } from '#src/accounts/rules.ts'
import type { Viewer } from '#src/kit/context.ts'
import { DAY, daysBefore } from '#src/kit/dates.ts'

/** NEW ENQUIRY under this many days after it was posted, WANTED after that (B §9). */
const NEW_UNDER_DAYS = 10
/** Nobody waits longer for a cow without saying so: not renewed for so long, it is over. */
export const EXPIRES_AFTER_DAYS = 90
/** Its poster is asked so long before whether he still needs it. */
export const ASKED_BEFORE_DAYS = 7
/** What is over stands greyed among the others for so long, for whoever looks for it; after that only its poster and admins find it. */
export const OVER_SHOWN_DAYS = 30
/** Animals that one seller may offer for one enquiry: a choice, not his whole herd. */
export const OFFERS_PER_SELLER = 5

/** What the poster and admins can do about it, and everybody is shown. `open`: sellers may answer. */
type EnquiryState = 'pending' | 'refused' | 'open' | 'expired' | 'closed'

interface EnquiryLife {
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

type Owned = { posterId: number }
export const isOwnEnquiry = (viewer: Viewer | null, { posterId }: Owned) => viewer !== null && viewer.id === posterId

/** Who is logged in sees what an admin has verified; its poster and admins see it in every state. */
export const canSee = (viewer: Viewer | null, enquiry: Owned & Pick<EnquiryLife, 'isVerified'>) =>
  viewer !== null && (enquiry.isVerified === true || isOwnEnquiry(viewer, enquiry) || can(viewer, 'operate'))

/** The number of a buyer, and whom he asks for, are his own affair: sellers answer with an animal, and he calls them. */
export const canSeeContact = (viewer: Viewer | null, enquiry: Owned) => isOwnEnquiry(viewer, enquiry) || can(viewer, 'operate')

/** Four eyes: not his own. Also what was decided before may be decided anew, as long as it is not closed. */
export const canJudge = (viewer: Viewer | null, enquiry: Owned & EnquiryLife) =>
  can(viewer, 'operate') && !isOwnEnquiry(viewer, enquiry) && enquiry.closedAt === null

export const canClose = (viewer: Viewer | null, enquiry: Owned & EnquiryLife) =>
  (isOwnEnquiry(viewer, enquiry) || can(viewer, 'operate')) && enquiry.closedAt === null

/** Also before it has expired: the days begin anew. */
export const canRenew = (viewer: Viewer | null, enquiry: Owned & EnquiryLife) =>
  isOwnEnquiry(viewer, enquiry) && enquiry.closedAt === null && enquiry.isVerified === true

/** With an animal of one's own. Whoever does not sell yet is told how to begin. */
export const canRespond = (viewer: Viewer | null, enquiry: Owned & EnquiryLife, now: Date) =>
  can(viewer, 'sell') && !isOwnEnquiry(viewer, enquiry) && isOpen(enquiry, now)

/** ENQ-00042: the number people read out over the phone. */
export const enquiryCode = (id: number) => `ENQ-${String(id).padStart(5, '0')}`
