import { placeName } from '#src/addresses/places.server.ts'
import { phoneFor, seesWhole } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { hidePhones } from '#src/kit/text/phones-in-text.ts'
import { formatDay, formatDaysAgo } from '#src/kit/time-money/dates.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { genderName, lookups, nameOf, nameOrNull } from '#src/listings/reference/lookups.server.ts'
import { isAnimalType } from '#src/listings/fields/listing-questions.ts'
import { m } from '#src/paraglide/messages.js'
import { whatOf } from './enquiry-messages.server.ts'
import type { Enquiry } from './queries.server.ts'
import { can, isOwnEnquiry } from './policy.ts'
import { enquiryCode, expiresAt, isNew, seenEnquiry, stateOf, verifiedOf } from './rules.ts'

export type ShownEnquiry = ReturnType<typeof shownEnquiry>

/** View model of an enquiry in the reader's language, with what they may see and do. */
export function shownEnquiry(ctx: Ctx, enquiry: Enquiry, kilometres: number | null = null) {
  const { viewer, now, locale } = ctx
  const isFor = can(viewer, 'see-enquiry-contact', enquiry)
  const state = stateOf(enquiry, now)
  return {
    id: enquiry.id,
    code: enquiryCode(enquiry.id),
    what: whatOf(enquiry, locale),
    isAnimal: isAnimalType(enquiry.categoryTypeId),
    type: nameOf(lookups.categoryType(enquiry.categoryTypeId), locale),
    category: nameOrNull(lookups.category, enquiry.categoryId, locale),
    breed: nameOrNull(lookups.breed, enquiry.breedId, locale),
    age: nameOrNull(lookups.age, enquiry.ageId, locale),
    gender: genderName(enquiry, locale),
    color: nameOrNull(lookups.color, enquiry.colorId, locale),
    description: isFor && seesWhole(viewer, enquiry.posterId) ? enquiry.description : hidePhones(enquiry.description),
    count: enquiry.requiredCount,
    /** Null: open to offers. */
    price: enquiry.acceptablePrice === 0n ? null : formatRupees(enquiry.acceptablePrice),
    weightKg: enquiry.weightKg,
    place: [...new Set([enquiry.city, enquiry.district].filter(Boolean).map((name) => placeName(name, locale)))].join(', '),
    pincode: enquiry.pincode,
    kilometres,
    poster: enquiry.posterName || m.profile_deleted_user({}, { locale }),
    posterId: enquiry.posterId,
    postedFor: isFor ? enquiry.postedFor : null,
    contact: isFor ? phoneFor(viewer, enquiry.contact, enquiry.posterId) : null,
    comment: isFor ? enquiry.verificationComment : null,
    state,
    verified: verifiedOf(enquiry),
    isNew: isNew(enquiry, now),
    isOwn: isOwnEnquiry(viewer, enquiry),
    posted: formatDaysAgo(enquiry.createdAt, now, locale),
    expires: formatDay(expiresAt(enquiry), locale),
    offers: enquiry.offers,
    seen: seenEnquiry(enquiry),
    canOpen: state === 'open' || isFor,
    canJudge: can(viewer, 'judge-enquiry', enquiry),
    canClose: can(viewer, 'close-enquiry', enquiry),
    canRenew: can(viewer, 'renew-enquiry', enquiry),
    isAdmin: can(viewer, 'operate'),
  }
}
