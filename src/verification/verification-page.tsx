import { isRouteErrorResponse, redirect } from 'react-router'
import { textOf } from '#src/accounts/sign-in/auth-forms.server.ts'
import { requireCapability } from '#src/accounts/page-guards.server.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, parseForm } from '#src/kit/http/page.server.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { pageMeta } from '#src/kit/http/seo.ts'
import { parseId } from '#src/kit/ids.ts'
import { formatDaysAgo } from '#src/kit/time-money/dates.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { isPhraseOf, phrases, phraseText } from './verification-phrases.ts'
import { findInQueue, getSellerLocale, getToVerify, listQueue } from './verify-queue.server.ts'
import { verdict, verifyListing } from './verify-listing.server.ts'
import { m } from '#src/paraglide/messages.js'
import { readToVerify } from './verification-facts.server.ts'
import { VerificationView } from './verification-view.tsx'
import type { Route } from './+types/verification-page'

/** The verification queue: one listing at a time, the longest waiting first. */
export const loader = formLoader(async (ctx, { url }) => {
  requireCapability(ctx, url, 'operate')
  const wanted = url.searchParams.get('id')
  const wantedId = wanted === null ? null : parseId(wanted)
  if (wanted !== null && wantedId === null) throw notFound()
  const place = await findInQueue(ctx, wantedId)
  if (wantedId !== null && place.id === null) throw notFound()
  const done = parseId(url.searchParams.get('done') ?? '')
  return {
    ...place,
    listings: (await listQueue(ctx, place.place ?? 1)).map(({ submittedAt, price, ...each }) => ({
      ...each,
      price: formatRupees(price),
      age: formatDaysAgo(submittedAt, ctx.now, ctx.locale),
    })),
    shown: place.id === null ? null : readToVerify(ctx, await getToVerify(ctx, place.id)),
    done,
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

/** Takes the verdict from here and from the animal's own page. */
export const action = pageAction('verification', async (ctx, { form }): Promise<never> => {
  const id = parseId(textOf(form, 'listing'))
  if (id === null) throw notFound()
  const sellerLocale = await getSellerLocale(ctx, id)
  const passed = { yes: true, no: false }[textOf(form, 'passed')]
  const ticked = phrases
    .filter((phrase) => form.has(`phrase-${phrase}`) && isPhraseOf(phrase, passed))
    .map((phrase) => phraseText(phrase, sellerLocale))
  const comment = [...ticked, textOf(form, 'comment')].join(' ')
  // The form always says which version the admin looked at.
  const version = parseId(textOf(form, 'version'))
  if (version === null) throw new Problem('VERSION')
  // The next listing is looked up before: afterwards this one is no longer in the queue.
  const { nextId, previousId } = await findInQueue(ctx, id)
  await verifyListing(ctx, id, { ...parseForm(verdict, { passed, comment }), version })
  if (textOf(form, 'from') === 'product') throw redirect(localized(`/product/${id}?tab=verification&verified=1#details`, ctx.locale))
  const next = nextId ?? previousId
  throw redirect(localized(`/admin/verification?${next === null ? '' : `id=${next}&`}done=${id}`, ctx.locale))
})

/** Being offline is a refusal like any other: the typed text stays. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction()
  } catch (error) {
    if (error instanceof Response || isRouteErrorResponse(error)) throw error
    return { refused: { code: 'UNAVAILABLE' as const, errors: {}, detail: m.verify_offline(), retryAfterSeconds: undefined, typed: {} } }
  }
}

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? pageMeta({
        ...loaderData,
        path: '/admin/verification',
        title: m.verify_queue_title(),
        description: m.verify_queue_lead(),
        keywords: import.meta.env.SSR && m.home_keywords(),
        siteName: m.site_name(),
        noIndex: true,
      })
    : []

export default function VerificationPage({ loaderData, actionData }: Route.ComponentProps) {
  return <VerificationView {...loaderData} refused={actionData?.refused} />
}

export type VerificationPageData = Route.ComponentProps['loaderData']
