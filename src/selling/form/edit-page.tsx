import { createHash } from 'node:crypto'
import { redirect } from 'react-router'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { localized } from '#src/kit/text/locale.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { formHeaders, formLoader, pageAction } from '#src/kit/http/page.server.ts'
import { Problem, invalidField } from '#src/kit/base/problem.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { m } from '#src/paraglide/messages.js'
import { checkListing, readTyped } from '#src/listings/write/listing-input.ts'
import { parseId, idIn } from '#src/kit/ids.ts'
import { useLocalPath } from '#src/ui/language.ts'
import { editListing, findSavedChange } from '#src/selling/listing/edit-listing.server.ts'
import { photosOf } from '#src/selling/unsent/photo-refs.ts'
import { removeWaitingClip } from '#src/selling/clips/add-clip.server.ts'
import { draftTyped } from '#src/selling/unsent/draft-fields.ts'
import { removeDraft, saveDraft } from '#src/selling/unsent/drafts.server.ts'
import { forgetChange } from '#src/selling/unsent/store.ts'
import { readCaptions } from '../captions.ts'
import { EditForm } from './edit-form.tsx'
import { readEditPage } from './edit-view.server.ts'
import { keepSentFiles, plainAct } from './sent-files.server.ts'
import type { Route } from './+types/edit-page'

export const loader = formLoader(
  (ctx, { params, site }) => readEditPage(ctx, idIn(params.listingId), site.noteAway),
  ({ listing }) => (listing.isOpen ? 200 : 409),
)

export const action = pageAction('edit-listing', async (ctx, { params, form, site, visitor }) => {
  const id = idIn(params.listingId)
  const act = String(form.get('act') ?? '')
  if (act === 'discard') {
    await removeDraft(ctx, site.media, id)
    throw redirect(localized(`/seller-product/${id}/edit`, ctx.locale))
  }
  const name = await nameOfChange(form)
  const saved = ({ isChecked }: { isChecked: boolean }) =>
    redirect(localized(`/seller-product/?done=${isChecked ? 'pending' : 'updated'}`, ctx.locale))
  const earlier = await findSavedChange(ctx, id, name)
  if (earlier) throw saved(earlier)
  const sent = await keepSentFiles(ctx, { form, site, visitor, listingId: id })
  const typed = draftTyped(form)
  const plain = plainAct(act, typed)
  if (plain) {
    if (sent.problems.length > 0) throw new Problem('VALIDATION', { fields: sent.problems })
    // Everything else that was typed or chosen stays, too.
    const { isSaved } = await saveDraft(ctx, { typed: { ...typed, ...plain.answers }, version: null, listingId: id })
    // The listing has changed since the page was rendered; the refusal keeps what was typed on the page.
    if (!isSaved) throw new Problem('VERSION')
    if (plain.clipId) await removeWaitingClip(ctx, site.media, plain.clipId)
    throw redirect(localized(`/seller-product/${id}/edit#${plain.section}`, ctx.locale))
  }
  const checked = checkListing(readTyped(typed), { today: indianDay(ctx.now) })
  const problems = [...checked.problems, ...sent.problems]
  const pickup = parseId(typed.pickup)
  if (pickup === null) problems.push({ field: 'pickup', message: 'field_listing_pickup' })
  if (typed.isAllowed !== '1') problems.push({ field: 'isAllowed', message: 'field_listing_allowed' })
  const { captions, problems: ofCaptions } = readCaptions(typed)
  problems.push(...ofCaptions)
  const version = form.get('version')
  if (typeof version !== 'string' || !/^\d{1,9}$/.test(version)) throw new Problem('MALFORMED')
  if (!checked.facts || problems.length > 0) throw new Problem('VALIDATION', { fields: problems })
  const whole = {
    name,
    version: Number(version),
    pickupAddressId: pickup!,
    facts: checked.facts,
    isTagGone: form.get('isTagGone') === '1',
    photos: [...photosOf(form), ...sent.photos.map(String)],
    clips: { gone: form.getAll('goneClip').flatMap((id) => parseId(String(id)) ?? []), captions },
  }
  try {
    throw saved(await editListing(ctx, site.media, id, whole))
  } catch (error) {
    if (error instanceof Problem && error.code === 'TOO_MANY_IMAGES') throw invalidField('image', 'field_listing_photos')
    throw error
  }
})

/** A phone that has not heard our answer sends the same answers and pictures again, perhaps days later (decision 0108). */
async function nameOfChange(form: FormData): Promise<string> {
  const hash = createHash('sha256')
  for (const [field, value] of form) {
    if (field === 'csrf' || field === 'act' || (typeof value !== 'string' && value.size === 0)) continue
    hash.update(JSON.stringify(field))
    hash.update(typeof value === 'string' ? JSON.stringify(value) : new Uint8Array(await value.arrayBuffer()))
  }
  return hash.digest('hex')
}

export async function clientAction(args: Route.ClientActionArgs) {
  try {
    return await keepWhenOffline(args, editAct)
  } catch (error) {
    if (error instanceof Response && error.status < 400) forgetChange(args.params.listingId)
    throw error
  }
}

/** Offline, the outbox sends a change later, with its new photos (decisions 0071 and 0108). */
function editAct(form: FormData) {
  if (form.get('act') === 'discard') return null
  return {
    kind: 'edit' as const,
    words: `${String(form.get('name'))} · ₹${String(form.get('originalPrice'))}`,
    correctAt: `${location.pathname}?waiting=`,
  }
}

/** After a refusal the page knows the listing's current version. */
export const shouldRevalidate = afterRefusalToo

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.edit_title(), description: m.edit_text() }))

export default function EditPage({ loaderData, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  const { listing } = loaderData
  if (listing.isOpen) return <EditForm page={loaderData} refused={actionData?.refused} />
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
