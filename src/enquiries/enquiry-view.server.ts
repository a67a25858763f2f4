import { placeName } from '#src/addresses/places.server.ts'
import { phoneFor, seesWhole } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { hidePhones } from '#src/kit/text/phones-in-text.ts'
import { formatDay, formatDaysAgo } from '#src/kit/time-money/dates.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { genderName, lookups, nameOf, nameOrNull } from '#src/listings/reference/lookups.server.ts'
import { isAnimalType } from '#src/listings/fields/listing-questions.ts'
import { m } from '#src/paraglide/messages.js'
import { maskPhone } from '#src/accounts/rules.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { FormPage } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { revealContact } from '#src/listings/queries.server.ts'
import { whatOf } from './enquiry-messages.server.ts'
import { type Enquiry, getEnquiry } from './queries.server.ts'
import { can, isOwnEnquiry } from './policy.ts'
import { enquiryCode, expiresAt, isNew, seenEnquiry, stateOf, verifiedOf } from './rules.ts'
import { countSoldChoices, hasOtherDraft, listOffers, listOwnChoices } from './offers.server.ts'

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

/** The act that was done, as a query value of the address after the form. */
const DONE = ['posted', 'approved', 'refused', 'closed', 'renewed', 'answered', 'taken-back', 'undone'] as const

export type Done = (typeof DONE)[number]

/** One enquiry: its poster compares the answers, sellers answer, admins judge whether it is genuine. */
export async function readEnquiryPage(ctx: Ctx, id: number | null, query: URLSearchParams) {
  const shared = { path: `/view-enquiry/${id ?? 0}` }
  if (!ctx.viewer) return { ...shared, kind: 'logged-out' as const }
  if (id === null) throw notFound()
  const enquiry = await getEnquiry(ctx, id)
  const shown = shownEnquiry(ctx, enquiry)
  if (shown.isAdmin && !shown.isOwn) await audit(ctx, 'sensitive_read', `enquiry:${id}`, { what: 'contact' })
  return {
    ...shared,
    kind: 'enquiry' as const,
    enquiry: shown,
    viewerTypeId: ctx.viewer.typeId,
    sells: can(ctx.viewer, 'sell'),
    answering: await readAnswering(ctx, enquiry),
    offers: shown.isOwn || shown.isAdmin ? await readOffers(ctx, enquiry) : null,
    done: DONE.find((each) => each === query.get('done')) ?? null,
  }
}

/** Null for viewers who cannot answer. */
async function readAnswering(ctx: Ctx, enquiry: Enquiry) {
  if (!can(ctx.viewer, 'answer-enquiry', { ...enquiry, now: ctx.now }) || can(ctx.viewer, 'operate')) return null
  return {
    choices: await listOwnChoices(ctx, enquiry),
    sold: await countSoldChoices(ctx, enquiry),
    hasOtherDraft: await hasOtherDraft(ctx, enquiry.id),
  }
}

/** Offers for the poster with the sellers' numbers; each number counts towards the poster's daily limit. */
async function readOffers(ctx: Ctx, enquiry: Enquiry) {
  const { shown, count, waiting } = await listOffers(ctx, enquiry.id)
  const offers = []
  for (const { seller, ...offer } of shown) {
    const mayCall = can(ctx.viewer, 'operate') ? null : await revealContact(ctx, offer.card.id)
    const { phone, ...rest } = seller
    offers.push({ ...offer, seller: { ...rest, phone: mayCall ? phone : null, maskedPhone: maskPhone(phone) } })
  }
  return { offers, count, waiting }
}

export type OnePage = Extract<FormPage<typeof readEnquiryPage>, { kind: 'enquiry' }>
