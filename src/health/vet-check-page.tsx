import { isRouteErrorResponse, redirect } from 'react-router'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { takeLimits, textOf } from '#src/accounts/sign-in/auth-forms.server.ts'
import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { mayNot } from '#src/accounts/policy.ts'
import { VET_TYPE } from '#src/accounts/rules.ts'
import type { Ctx, Site, Visitor } from '#src/kit/context.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, parseForm } from '#src/kit/http/page.server.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { withPictures } from '#src/kit/media/take-picture.server.ts'
import { pageMeta } from '#src/kit/http/seo.ts'
import { can } from './policy.ts'
import { VetDesk } from './vet-desk.tsx'
import { pickupText } from '#src/listings/pickup-text.server.ts'
import { deskOf } from './listing-desk.server.ts'
import { getProduct } from '#src/listings/queries.server.ts'
import { parseId } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { checkedCategories } from './animals.server.ts'
import { checkForm } from './check-schema.server.ts'
import { readDeskCard } from './desk-card.server.ts'
import { giveBack, takeAnimal } from './holds.server.ts'
import { recordVetCheck } from './record-check.server.ts'
import { MOST_CHECK_PHOTOS } from './rules.ts'
import { DeskCard } from './vet-desk-card.tsx'
import type { Route } from './+types/vet-check-page'

/** One animal of the desk: taken, seen, written up, given back. The form on the animal's own page also leads here without scripts. */
export const loader = formLoader(async (ctx, { params, url }) => {
  const viewer = requireViewer(ctx, url)
  if (!can(viewer, 'open-vet-desk')) throw mayNot(viewer, 'vet')
  if (viewer.typeId === VET_TYPE && !can(viewer, 'vet')) throw redirect(localized('/vet-verify', ctx.locale))
  const product = await getProduct(ctx, idIn(params.listingId))
  if (!checkedCategories.includes(product.categoryId)) throw notFound()
  return {
    // The place is shown below, beside the form.
    card: { ...readDeskCard(ctx, product, null), pickup: null },
    product: {
      id: product.id,
      desk: viewer.typeId === VET_TYPE ? deskOf(ctx, product) : null,
      hold: product.hold && { isMine: product.hold.vetId === viewer.id, until: product.hold.until },
      // Only the vet who goes there is shown the place; nobody else needs it on this page.
      pickup: viewer.typeId === VET_TYPE ? pickupText(product, ctx.locale) : null,
    },
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

export const action = pageAction('vet-check', async (ctx, { params, form, site, visitor }): Promise<never> => {
  const id = idIn(params.listingId)
  const act = textOf(form, 'act')
  const isFromProduct = textOf(form, 'from') === 'product'
  const product = (says = '') => redirect(localized(`/product/${id}?tab=vet${says}#details`, ctx.locale))
  const desk = (path: string) => redirect(localized(path, ctx.locale))
  if (act === 'take') {
    const taken = await takeToday(ctx, site, visitor, id)
    if (taken === 'day') throw desk('/vet-verify?full=day')
    if (isFromProduct) throw product(taken === 'full' ? '&full=1' : '')
    throw desk(taken === 'full' ? '/vet-verify?full=1' : `/vet-verify/${id}`)
  }
  if (act === 'give') {
    await giveBack(ctx, id)
    throw isFromProduct ? product() : desk('/vet-verify')
  }
  if (act !== 'check') throw new Problem('MALFORMED')
  const check = parseForm(checkForm, Object.fromEntries(form))
  const photos = await photosIn(form)
  await withPictures(ctx, site.media, photos, 'photos', (pictures) => recordVetCheck(ctx, id, check, { needsHold: true, pictures }))
  throw isFromProduct ? product('&checked=1') : desk(`/vet-verify?tab=completed&checked=${id}`)
})

/** A file box that was left empty is sent as one file without a byte. */
async function photosIn(form: FormData): Promise<Buffer[]> {
  const photos = form.getAll('photos').filter((file): file is File => file instanceof File && file.size > 0)
  if (photos.length > MOST_CHECK_PHOTOS) throw new Problem('VALIDATION', { fields: [{ field: 'photos', message: 'field_check_photos' }] })
  return Promise.all(photos.map(async (photo) => Buffer.from(await photo.arrayBuffer())))
}

/**
 * 'day': the vet has been shown as many streets and numbers today as one vet may, also for animals they gave back. A try that showed none
 * is not counted.
 */
async function takeToday(ctx: Ctx, site: Site, visitor: Visitor, id: number): Promise<'taken' | 'full' | 'day'> {
  try {
    await takeLimits(ctx, site, visitor, 'holdDay')
  } catch (error) {
    if (error instanceof Problem && error.code === 'RATE_LIMITED') return 'day'
    throw error
  }
  // A refusal gives the try back by itself (kit/http/page.server.ts); 'full' is no refusal.
  const taken = await takeAnimal(ctx, id)
  if (taken === 'full') await site.limits.giveBackDurable(ctx.db, 'holdDay', String(ctx.viewer!.id))
  return taken
}

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

function idIn(text: string | undefined): number {
  const id = parseId(text)
  if (id === null) throw notFound()
  return id
}

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? pageMeta({
        ...loaderData,
        path: `/vet-verify/${loaderData.product.id}`,
        title: `${m.menu_checkup()}: ${loaderData.card.name}`,
        description: m.vet_desk_lead(),
        keywords: import.meta.env.SSR && m.home_keywords(),
        siteName: m.site_name(),
        noIndex: true,
      })
    : []

export default function VetCheckPage({ loaderData, actionData }: Route.ComponentProps) {
  const { card, product, csrf } = loaderData
  const to = useLocalPath()
  const refused = actionData?.refused
  const isOfForm = refused?.typed.act === 'check'
  return (
    <div className="page-column max-w-3xl">
      <a href={to('/vet-verify')} className="tap-link font-semibold">
        {m.vet_to_desk()}
      </a>
      <h1 className="text-2xl">{m.menu_checkup()}</h1>
      {refused && !isOfForm && <FormFailure detail={refused.detail} retryAfterSeconds={refused.retryAfterSeconds} />}
      <DeskCard card={card} heading="h2" />
      {product.desk && (
        <div className="panel overflow-hidden">
          <VetDesk product={{ ...product, csrf }} from="desk" refused={isOfForm ? refused : undefined} />
        </div>
      )}
    </div>
  )
}
