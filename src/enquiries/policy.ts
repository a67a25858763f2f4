import { accountRules, policyOf } from '#src/accounts/policy.ts'
import type { Viewer } from '#src/kit/context.ts'
import { isOpen, type EnquiryLife } from './rules.ts'

type Owned = { posterId: number }

export const isOwnEnquiry = (viewer: Viewer | null, { posterId }: Owned) => viewer !== null && viewer.id === posterId

const { operate, sell } = accountRules

export const can = policyOf({
  ...accountRules,
  /** Logged-in people see a verified enquiry; its poster and admins see it in every state. */
  'see-enquiry': (viewer: Viewer | null, enquiry: Owned & Pick<EnquiryLife, 'isVerified'>) =>
    viewer !== null && (enquiry.isVerified === true || isOwnEnquiry(viewer, enquiry) || operate(viewer)),
  /** The buyer's name and number are private: sellers answer with an animal, and the buyer calls them. */
  'see-enquiry-contact': (viewer: Viewer | null, enquiry: Owned) => isOwnEnquiry(viewer, enquiry) || operate(viewer),
  'see-offers': (viewer: Viewer | null, enquiry: Owned) => isOwnEnquiry(viewer, enquiry) || operate(viewer),
  /** Four-eyes principle: admins, not on their own. A verdict can be changed until the enquiry is closed. */
  'judge-enquiry': (viewer: Viewer | null, enquiry: Owned & EnquiryLife) =>
    operate(viewer) && !isOwnEnquiry(viewer, enquiry) && enquiry.closedAt === null,
  'close-enquiry': (viewer: Viewer | null, enquiry: Owned & EnquiryLife) =>
    (isOwnEnquiry(viewer, enquiry) || operate(viewer)) && enquiry.closedAt === null,
  /** Allowed before it expires, too; the days begin again. */
  'renew-enquiry': (viewer: Viewer | null, enquiry: Owned & EnquiryLife) =>
    isOwnEnquiry(viewer, enquiry) && enquiry.closedAt === null && enquiry.isVerified === true,
  /** With an own animal. People who do not sell yet read how to begin. */
  'answer-enquiry': (viewer: Viewer | null, { now, ...enquiry }: Owned & EnquiryLife & { now: Date }) =>
    sell(viewer) && !isOwnEnquiry(viewer, enquiry) && isOpen(enquiry, now),
})
