import { redirect } from 'react-router'
import { can } from '#src/accounts/policy.ts'
import { requireConsent } from '#src/accounts/consent.server.ts'
import { addressTypes } from '#src/accounts/reference-data.ts'
import { localized } from '#src/kit/text/locale.ts'
import { keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { formHeaders, formLoader, pageAction } from '#src/kit/http/page.server.ts'
import { publicMeta } from '#src/kit/http/page-meta.ts'
import { m } from '#src/paraglide/messages.js'
import { draftTyped, isEnquiry } from '#src/selling/unsent/draft-fields.ts'
import { findOwnListing } from '#src/selling/own/own-listing.server.ts'
import { usualWaitHours } from '#src/verification/usual-wait.server.ts'
import { actOnSell } from './sell-action.server.ts'
import { SellAddress } from './sell-address.tsx'
import { SellIntro } from './sell-intro.tsx'
import { SellForm, sellNotices } from './sell-form.tsx'
import { SellSeller } from './sell-seller.tsx'
import { SellSent } from './sell-sent.tsx'
import { readSellForm } from './sell-view.server.ts'
import type { Route } from './+types/sell-page'

export const loader = formLoader(
  async (ctx, { url, site }) => {
    const page = { viewerTypeId: ctx.viewer?.typeId ?? null }
    if (!can(ctx.viewer, 'sell'))
      return { ...page, view: 'intro' as const, viewerId: ctx.viewer?.id ?? null, whatsapp: site.contact.whatsapp }
    await requireConsent(ctx, url)
    const sent = await findOwnListing(ctx, url.searchParams.get('sent'))
    if (sent) {
      const enquiryId = url.searchParams.get('enquiry')
      const shown = {
        ownerId: ctx.viewer!.id,
        sent,
        enquiryId: isEnquiry(enquiryId) ? enquiryId : null,
        waitHours: await usualWaitHours(ctx),
      }
      return { ...page, view: 'sent' as const, ...shown }
    }
    const form = await readSellForm(ctx, site.noteAway)
    const isAdmin = can(ctx.viewer, 'operate')
    if (isAdmin && !form.seller) return { ...page, view: 'seller' as const }
    if (isAdmin && url.searchParams.has('address'))
      return {
        ...page,
        view: 'address' as const,
        seller: form.seller!,
        types: addressTypes.map((type) => ({ id: type.id, name: type[ctx.locale] })),
      }
    // As the specification has it: a seller without a pickup address is sent to the page that adds one, and comes back from there.
    if (!isAdmin && form.book?.length === 0) throw redirect(localized('/my-addresses/sell/selleraddress', ctx.locale))
    return {
      ...page,
      view: 'form' as const,
      form,
      isPreview: url.searchParams.has('preview'),
      notice: sellNotices.find((notice) => url.searchParams.has(notice)) ?? null,
    }
  },
  (page) => (page.view === 'form' && !page.form.book ? 503 : 200),
)

export const action = pageAction('sell', actOnSell)

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const headers = formHeaders

export const meta = publicMeta<Route.MetaArgs>(() => ({
  title: m.sell_title(),
  description: m.sell_meta(),
  keywords: import.meta.env.SSR && m.home_keywords(),
  path: '/sell',
}))

export default function SellPage({ loaderData, actionData }: Route.ComponentProps) {
  const refused = actionData?.refused
  if (loaderData.view === 'intro') return <SellIntro {...loaderData} />
  if (loaderData.view === 'sent') return <SellSent {...loaderData} />
  if (loaderData.view === 'seller') return <SellSeller refused={refused} />
  if (loaderData.view === 'address')
    return <SellAddress seller={loaderData.seller} types={loaderData.types} refused={refused} looked={actionData?.done} />
  const { form, isPreview, notice } = loaderData
  // A refused form is in the draft, except one that was refused before anybody looked at it.
  const typed = { ...form.typed, ...draftTyped(Object.entries(refused?.typed ?? {})) }
  return <SellForm key={form.typed.key} page={{ ...form, typed }} {...{ isPreview, notice, refused }} />
}
