import { redirect, type ShouldRevalidateFunctionArgs } from 'react-router'
import { maskPhone } from '#src/accounts/rules.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx, Site } from '#src/kit/context.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { CORRECT_QUERY } from '#src/kit/device/refused-act.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, asInternalProblem, textOf } from '#src/kit/http/page.server.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { revealContact } from '#src/listings/queries.server.ts'
import { parseId } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { closeEnquiry, renewEnquiry } from './commands.server.ts'
import { shownEnquiry } from './enquiry-view.server.ts'
import { judgeByForm } from './judging.server.ts'
import {
  beginListing,
  countSoldChoices,
  hasOtherDraft,
  listOffers,
  listOwnChoices,
  respondToEnquiry,
  takeOfferBack,
} from './offers.server.ts'
import { getEnquiry, type Enquiry } from './queries.server.ts'
import { can } from './policy.ts'
import { EnquiryView } from './view-enquiry-view.tsx'
import type { Route } from './+types/view-enquiry-page'

/** The act that was done, as a query value of the address after the form. */
const DONE = ['posted', 'approved', 'refused', 'closed', 'renewed', 'answered', 'taken-back'] as const
export type Done = (typeof DONE)[number]

/** One enquiry: its poster compares the answers, sellers answer, admins judge whether it is genuine. */
export const loader = formLoader(async (ctx, { params, url }) => {
  const id = parseId(params.enquiryId)
  const shared = { locale: ctx.locale, origin: ctx.publicOrigin, path: `/view-enquiry/${id ?? 0}` }
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
    done: DONE.find((each) => each === url.searchParams.get('done')) ?? null,
  }
})

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

export const action = pageAction('view-enquiry', async (ctx, { params, form, site }): Promise<never> => {
  const id = parseId(params.enquiryId)
  if (id === null) throw notFound()
  const act = acts.get(textOf(form, 'act'))
  if (!act) throw new Problem('MALFORMED')
  const to = await asInternalProblem(ctx, 'an enquiry could not be changed', () => act(ctx, id, form, site))
  throw redirect(localized(to.startsWith('/') ? to : `/view-enquiry/${id}?done=${to}`, ctx.locale))
})

type Act = (ctx: Ctx, id: number, form: FormData, site: Site) => Promise<Done | `/${string}`>

/** The page's forms by name; the commands check permissions. */
const acts = new Map<string, Act>(
  Object.entries({
    approve: (ctx, id, form) => judgeByForm(ctx, id, form, true),
    refuse: (ctx, id, form) => judgeByForm(ctx, id, form, false),
    close: async (ctx, id, form) => {
      await closeEnquiry(ctx, id, textOf(form, 'seen'))
      return 'closed'
    },
    renew: async (ctx, id) => {
      await renewEnquiry(ctx, id)
      return 'renewed'
    },
    respond: async (ctx, id, form) => {
      const listing = parseId(textOf(form, 'listing'))
      if (listing === null) throw invalidField('listing', 'field_enquiry_listing')
      await respondToEnquiry(ctx, id, listing)
      return 'answered'
    },
    'take-back': async (ctx, id, form, site) => {
      const listing = parseId(textOf(form, 'offered'))
      if (listing === null) throw new Problem('MALFORMED')
      await takeOfferBack(ctx, site.limits, id, listing)
      return 'taken-back'
    },
    begin: (ctx, id, _, site) => begin(ctx, id, site, false),
    'begin-anew': (ctx, id, _, site) => begin(ctx, id, site, true),
  } satisfies Record<string, Act>),
)

async function begin(ctx: Ctx, id: number, site: Site, isAnew: boolean): Promise<`/${string}`> {
  await beginListing(ctx, site.media, id, { isAnew })
  return `/sell?enquiry=${id}`
}

/** Offline, an answer waits on the phone; the market links a listing to an enquiry once, however often it arrives (decision 0106). */
export const clientAction = (args: Route.ClientActionArgs) =>
  keepWhenOffline(args, (form) => {
    const listing = form.get('listing')
    if (form.get('act') !== 'respond' || !listing) return null
    return {
      kind: 'offer',
      object: `offer-${args.params.enquiryId}-${String(listing)}`,
      words: `${String(form.get(`name-${String(listing)}`))} · ${m.enquiry_title({ what: String(form.get('what')) })}`,
      correctAt: location.pathname + CORRECT_QUERY,
    }
  })

/** After an expired login, keep the form: a revalidation would lose its text. */
export const shouldRevalidate = (args: ShouldRevalidateFunctionArgs) => args.actionStatus !== 401 && afterRefusalToo(args)

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? plainMeta({
        ...loaderData,
        title: loaderData.kind === 'enquiry' ? m.enquiry_title({ what: loaderData.enquiry.what }) : m.frame_wanted(),
        description: m.enquiry_one_lead(),
      })
    : []

export default function ViewEnquiryPage({ loaderData, actionData }: Route.ComponentProps) {
  return <EnquiryView page={loaderData} refused={actionData?.refused} />
}

export type EnquiryPageData = Route.ComponentProps['loaderData']
