import { createHash } from 'node:crypto'
import { redirect } from 'react-router'
import type { z } from 'zod'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { mayNot } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { findAnswer, once } from '#src/kit/records/idempotency.server.ts'
import { keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import { withPictures, type StoredPicture } from '#src/kit/uploads/take-picture.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { pickupText } from '#src/listings/pickup-text.server.ts'
import { getProduct } from '#src/listings/queries.server.ts'
import { parseId, idIn } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { can } from './policy.ts'
import { VetDesk } from './vet-desk.tsx'
import { deskOf } from './listing-desk.server.ts'
import { checkedCategories } from './animals.server.ts'
import { checkForm } from './check-schema.server.ts'
import { readDeskCard } from './desk-card.server.ts'
import { giveBack } from './holds.server.ts'
import { recordVetCheck } from './record-check.server.ts'
import { MOST_CHECK_PHOTOS } from './rules.ts'
import { takeToday } from './taking.server.ts'
import { checkLater } from './vet-check-form.tsx'
import { AnimalRow } from './vet-desk-row.tsx'
import type { Route } from './+types/vet-check-page'

/** One animal of the desk: record a check, take it, give it back. Without scripts, the form on the product page leads here too. */
export const loader = formLoader(async (ctx, { params, url }) => {
  const viewer = requireViewer(ctx, url)
  if (!can(viewer, 'open-vet-desk')) throw mayNot(viewer, 'vet')
  if (can(viewer, 'be-vet') && !can(viewer, 'vet')) throw redirect(localized('/vet-verify', ctx.locale))
  const product = await getProduct(ctx, idIn(params.listingId))
  if (!checkedCategories.includes(product.categoryId)) throw notFound()
  return {
    // The place is below, beside the form.
    card: { ...readDeskCard(ctx, product, null), pickup: null },
    product: {
      id: product.id,
      desk: can(viewer, 'be-vet') ? deskOf(ctx, product) : null,
      // Only the vet who visits the animal sees its place.
      pickup: can(viewer, 'be-vet') ? pickupText(product, ctx.locale) : null,
    },
  }
})

export const action = pageAction('vet-check', async (ctx, { params, form, site }): Promise<never> => {
  const id = idIn(params.listingId)
  const act = textOf(form, 'act')
  const isFromProduct = textOf(form, 'from') === 'product'
  const product = (extraQuery = '') => redirect(localized(`/product/${id}?tab=vet${extraQuery}#details`, ctx.locale))
  const desk = (path: string) => redirect(localized(path, ctx.locale))
  if (act === 'take') {
    const outcome = await takeToday(ctx, id)
    if (outcome === 'day') throw desk('/vet-verify?full=day')
    if (isFromProduct) throw product(outcome === 'full' ? '&full=1' : '')
    throw desk(outcome === 'full' ? '/vet-verify?full=1' : `/vet-verify/${id}`)
  }
  if (act === 'give') {
    await giveBack(ctx, id)
    throw isFromProduct ? product() : desk('/vet-verify')
  }
  if (act !== 'check') throw new Problem('MALFORMED')
  const check = parseInput(checkForm, Object.fromEntries(form))
  const photos = await photosIn(form)
  await recordOnce(ctx, id, { after: textOf(form, 'after'), check }, (record) => withPictures(ctx, site.media, photos, 'photos', record))
  throw isFromProduct ? product('&checked=1') : desk(`/vet-verify?tab=completed&checked=${id}`)
})

interface Sent {
  /** The animal's last check at the time the form was opened. */
  after: string
  check: z.infer<typeof checkForm>
}

/**
 * Idempotent per state of the animal: a phone without an answer sends the check again, after the same last check. Stores the pictures of the first
 * request only.
 */
async function recordOnce(
  ctx: Ctx,
  listingId: number,
  { after, check }: Sent,
  withPhotos: (record: (pictures: StoredPicture[]) => Promise<true>) => Promise<true>,
): Promise<void> {
  const record = async (ctx: Ctx, pictures: StoredPicture[]): Promise<true> => {
    await recordVetCheck(ctx, listingId, check, pictures)
    return true
  }
  const digest = createHash('sha256').update(JSON.stringify(check)).digest('base64url').slice(0, 22)
  const sending = { owner: `user:${ctx.viewer?.id ?? 0}|check`, key: `${listingId}.${parseId(after) ?? 0}.${digest}` }
  if ((await findAnswer(ctx, sending)) !== null) return
  await withPhotos((pictures) => once(ctx, { ...sending, request: check }, (ctx) => record(ctx, pictures)))
}

/** An empty file input is sent as one file with zero bytes. */
async function photosIn(form: FormData): Promise<Buffer[]> {
  const photos = form.getAll('photos').filter((file): file is File => file instanceof File && file.size > 0)
  if (photos.length > MOST_CHECK_PHOTOS) throw invalidField('photos', 'field_check_photos')
  return Promise.all(photos.map(async (photo) => Buffer.from(await photo.arrayBuffer())))
}

/** When offline, hands the check to the phone and keeps the typed text. */
export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args, checkLater)

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>((page) => ({
  title: `${m.menu_checkup()}: ${page.card.name}`,
  description: `${page.card.name}: ${m.vet_form_title()}`,
}))

export default function VetCheckPage({ loaderData, actionData }: Route.ComponentProps) {
  const { card, product } = loaderData
  const to = useLocalPath()
  const refused = actionData?.refused
  const isOfForm = refused?.typed.act === 'check'
  return (
    <div className="page-column max-w-3xl">
      <a href={to('/vet-verify')} className="tap-link font-semibold">
        {m.vet_to_desk()}
      </a>
      <h1 className="text-2xl">{m.menu_checkup()}</h1>
      {refused && !isOfForm && <FormFailure detail={refused.detail} />}
      <div className="panel">
        <AnimalRow card={card} heading="h2" />
      </div>
      {product.desk && (
        <div className="panel overflow-clip">
          <VetDesk product={product} from="desk" refused={isOfForm ? refused : undefined} />
        </div>
      )}
    </div>
  )
}
