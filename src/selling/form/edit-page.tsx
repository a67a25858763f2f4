import { redirect } from 'react-router'
import { requireCapability } from '#src/accounts/page-guards.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { localized } from '#src/kit/text/locale.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { formHeaders, formLoader, pageAction, asInternalProblem } from '#src/kit/http/page.server.ts'
import { notFound, Problem, type FieldProblem } from '#src/kit/problem.ts'
import { pageMeta } from '#src/kit/http/seo.ts'
import { m } from '#src/paraglide/messages.js'
import { checkListing, readTyped } from '#src/listings/listing-input.ts'
import { parseId } from '#src/kit/ids.ts'
import { useLocalPath } from '#src/ui/language.ts'
import { draftTyped } from './draft-fields.ts'
import { findDraft, removeDraft } from './drafts.server.ts'
import { EditForm } from './edit-form.tsx'
import { editListing, getEditedListing } from '#src/selling/edit-listing.server.ts'
import { remainingPhotos } from '#src/selling/photos/remaining-photos.ts'
import { keepSentClips } from '#src/selling/clips/sent-clips.server.ts'
import { editFormOf } from '#src/selling/clips/waiting-clips.server.ts'
import { clipOnWire } from '#src/listings/clips/clip-wire.server.ts'
import { readCaptions } from '#src/selling/clips/captions.ts'
import { readFormLookups } from '#src/selling/lookups.server.ts'
import { readBook, readPriceSettings } from './sell-view.server.ts'
import { forgetChange } from './use-draft.ts'
import type { Route } from './+types/edit-page'

export const loader = formLoader(
  async (ctx, { params, url, site }) => {
    requireCapability(ctx, url, 'sell')
    const listing = await getEditedListing(ctx, idIn(params.listingId))
    return {
      listing: { ...listing, clips: listing.clips.map(clipOnWire), newClips: listing.newClips.map(clipOnWire) },
      ownerId: ctx.viewer!.id,
      draft: await readDraft(ctx, listing.id),
      book: await readBook(ctx, listing.sellerId, site.noteAway),
      lookups: await readFormLookups(ctx),
      settings: await readPriceSettings(ctx),
      today: indianDay(ctx.now),
      locale: ctx.locale,
      origin: ctx.publicOrigin,
    }
  },
  ({ listing }) => (listing.isOpen ? 200 : 409),
)

export const action = pageAction('edit-listing', async (ctx, { params, form, site }) => {
  const id = idIn(params.listingId)
  if (form.get('act') === 'discard') {
    await removeDraft(ctx, site.media, id)
    throw redirect(localized(`/seller-product/${id}/edit`, ctx.locale))
  }
  const files = form.getAll('image').filter((file): file is File => file instanceof File && file.size > 0)
  const typed = draftTyped(form)
  const checked = checkListing(readTyped(typed), { today: indianDay(ctx.now) })
  const problems: FieldProblem[] = [...checked.problems]
  const pickup = parseId(typed.pickup)
  if (pickup === null) problems.push({ field: 'pickup', message: 'field_listing_pickup' })
  if (typed.isAllowed !== '1') problems.push({ field: 'isAllowed', message: 'field_listing_allowed' })
  problems.push(...(await keepSentClips(ctx, site.media, editFormOf(id), form, async () => {})))
  const { captions, problems: ofCaptions } = readCaptions(typed)
  problems.push(...ofCaptions)
  const version = form.get('version')
  if (typeof version !== 'string' || !/^\d{1,9}$/.test(version)) throw new Problem('MALFORMED')
  if (!checked.facts || problems.length > 0) throw new Problem('VALIDATION', { fields: problems })
  const change = {
    version: Number(version),
    pickupAddressId: pickup!,
    facts: checked.facts,
    isTagGone: form.get('isTagGone') === '1',
    keep: remainingPhotos(form),
    files: await Promise.all(files.map(async (file) => Buffer.from(await file.arrayBuffer()))),
    clips: { gone: form.getAll('goneClip').flatMap((id) => parseId(String(id)) ?? []), captions },
  }
  try {
    const { isChecked } = await asInternalProblem(ctx, 'a listing could not be edited', () => editListing(ctx, site.media, id, change))
    throw redirect(localized(`/seller-product/?done=${isChecked ? 'pending' : 'updated'}`, ctx.locale))
  } catch (error) {
    if (error instanceof Problem && error.code === 'TOO_MANY_IMAGES')
      throw new Problem('VALIDATION', { fields: [{ field: 'image', message: 'field_listing_photos' }] })
    // The API answers 415; a form shows the error at its field, like all others.
    if (error instanceof Problem && error.code === 'UNSUPPORTED_TYPE' && error.fields)
      throw new Problem('VALIDATION', { fields: error.fields })
    throw error
  }
})

export async function clientAction(args: Route.ClientActionArgs) {
  try {
    return await keepWhenOffline(args, editAct)
  } catch (error) {
    if (error instanceof Response && error.status < 400) forgetChange(args.params.listingId)
    throw error
  }
}

/** A change without new pictures is sent later by itself (decision 0071). */
function editAct(form: FormData) {
  const hasFiles = form.getAll('image').some((file) => file instanceof File && file.size > 0)
  if (form.get('act') === 'discard' || hasFiles) return null
  return {
    kind: 'edit' as const,
    words: `${String(form.get('name'))} · ₹${String(form.get('originalPrice'))}`,
    correctAt: `${location.pathname}?waiting=`,
  }
}

/** After a refusal the page knows the listing's current version. */
export const shouldRevalidate = afterRefusalToo

async function readDraft(ctx: Ctx, listingId: number) {
  const draft = await findDraft(ctx, listingId)
  return draft && { typed: draft.typed, version: draft.version, savedAt: draft.savedAt.getTime() }
}

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? pageMeta({
        ...loaderData,
        title: m.edit_title(),
        description: m.edit_text(),
        keywords: import.meta.env.SSR && m.home_keywords(),
        path: `/seller-product/${loaderData.listing.id}/edit`,
        siteName: m.site_name(),
        noIndex: true,
      })
    : []

function idIn(text: string | undefined): number {
  const id = parseId(text)
  if (id === null) throw notFound()
  return id
}

export default function EditPage({ loaderData, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  const { listing } = loaderData
  if (listing.isOpen) return <EditForm page={loaderData} csrf={loaderData.csrf} refused={actionData?.refused} />
  return (
    <div className="mx-auto grid max-w-xl gap-4 py-6 text-center">
      <h1 className="text-2xl">{listing.name}</h1>
      <p role="status" className="rounded-card bg-turmeric-soft p-4">
        {listing.life === 'sold' ? m.edit_sold() : m.edit_withdrawn()}
      </p>
      <a href={to('/seller-product/')} className="button-primary">
        {m.sell_sent_mine()}
      </a>
    </div>
  )
}

export type EditPageData = Route.ComponentProps['loaderData']
