import { randomUUID } from 'node:crypto'
import { redirect } from 'react-router'
import { z } from 'zod'
import { addAddress, getTypedPlace } from '#src/addresses/addresses.server.ts'
import { addressInput } from '#src/addresses/address-schemas.ts'
import { can } from '#src/accounts/policy.ts'
import { phoneNumber } from '#src/accounts/schemas.ts'
import type { Ctx, Site, Visitor } from '#src/kit/context.ts'
import { localized } from '#src/kit/text/locale.ts'
import { textOf } from '#src/kit/http/page.server.ts'
import { notFound, Problem, type FieldProblem, invalidField } from '#src/kit/base/problem.ts'
import type { DurableLimitName, LimitName } from '#src/kit/db/rate-limits.server.ts'
import { shownPlaceOf, type ShownPlace } from '#src/addresses/addresses-view.server.ts'
import { removeWaitingClip } from '#src/selling/clips/add-clip.server.ts'
import { anotherAnimal, mayBeAnother } from '#src/selling/paste/another-animal.ts'
import { fillFromText } from '#src/selling/paste/fill-form.server.ts'
import { pastedText } from '#src/selling/paste/paste-schema.ts'
import { UNDERSTOOD, understoodText } from '#src/selling/paste/understood.ts'
import { draftTyped, isEnquiry, type Typed } from '#src/selling/unsent/draft-fields.ts'
import { goneRefs } from '#src/selling/unsent/photo-refs.ts'
import { findDraft, removeDraft, saveDraft } from '#src/selling/unsent/drafts.server.ts'
import { readSale } from '#src/selling/listing/read-sale.server.ts'
import { findSellerById, findSellerByPhone, sendDraft } from '#src/selling/listing/sell.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { keepSentFiles, plainAct } from './sent-files.server.ts'

/** The result for the address page of an admin that only looked up a PIN code. */
export interface LookedUp {
  place: ShownPlace
  typed: Typed
}

interface Args {
  form: FormData
  site: Site
  visitor: Visitor
}

/**
 * The only action of the sell form. Every submit is first stored in the draft, its pictures too, so a refusal loses nothing. Without
 * scripts each step is submitted here; with scripts only the last one.
 */
export async function actOnSell(ctx: Ctx, args: Args): Promise<LookedUp> {
  const act = textOf(args.form, 'act')
  const home = localized('/sell', ctx.locale)
  if (act === 'lookup' || act === 'add') return addressFor(ctx, args, act)
  if (act === 'find-seller') throw await chooseSeller(ctx, textOf(args.form, 'phone'))
  if (act === 'anew') {
    await removeDraft(ctx, args.site.media)
    throw redirect(home)
  }
  if (act === 'paste') throw await fillFromPaste(ctx, textOf(args.form, 'pasted'), textOf(args.form, 'animal'))
  const answers = draftTyped(args.form)
  const plain = plainAct(act, answers)
  const typed: Typed = { ...answers, ...plain?.answers }
  const { isSent } = await saveDraft(ctx, { typed: withoutSeller(typed, act), version: null })
  const { problems } = await keepSentFiles(ctx, { ...args, listingId: null })
  if (plain?.clipId) await removeWaitingClip(ctx, args.site.media, plain.clipId)
  if (act === 'submit') {
    const sent = await send(ctx, args, { typed, isSent, problems })
    throw redirect(`${home}?sent=${sent}${isEnquiry(typed.enquiryId) ? `&enquiry=${typed.enquiryId}` : ''}`)
  }
  if (isSent) throw await keepAnother(ctx, withoutSeller(typed, act))
  if (problems.length > 0) throw new Problem('VALIDATION', { fields: problems })
  throw redirect(home + (act === 'preview' ? '?preview#preview' : act === 'species' ? '#about' : ''))
}

const withoutSeller = (typed: Typed, act: string): Typed => {
  if (act !== 'other-seller') return typed
  const { sellerId: _, pickup: __, ...rest } = typed
  return rest
}

async function send(
  ctx: Ctx,
  args: Args,
  { typed, isSent, problems }: { typed: Typed; isSent: boolean; problems: FieldProblem[] },
): Promise<number> {
  const gone = goneRefs(typed.gonePhotos)
  const hasPhoto = isSent || (await findDraft(ctx))?.photos.some(({ id }) => !gone.includes(String(id)))
  const isPhotoWrong = problems.some(({ field }) => field === 'image')
  const missing = hasPhoto || isPhotoWrong ? [] : [{ field: 'image', message: 'field_listing_photo' }]
  const { key, sale, captions } = readSale(ctx, typed, [...missing, ...problems])
  if (!isSent) await take(ctx, args, 'writeMinute', 'writeDay', 'listMinute', 'listDay')
  try {
    return await sendDraft(ctx, key, sale, typed.enquiryId, captions)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'IDEMPOTENCY_MISMATCH') throw error
    throw await keepAnother(ctx, typed)
  }
}

/** The form was submitted before, and holds something else now: that is another animal, under a key of its own. The page says so. */
async function keepAnother(ctx: Ctx, typed: Typed): Promise<Response> {
  await saveDraft(ctx, { typed: { ...typed, key: randomUUID() }, version: null })
  return redirect(localized('/sell?another', ctx.locale))
}

/** Without scripts: fills the draft from the message. Before two animals are mixed, the form asks which one it is. */
async function fillFromPaste(ctx: Ctx, pasted: string, animal: string): Promise<Response> {
  const read = parseInput(z.object({ pasted: pastedText }), { pasted })
  const { values, words, hint } = await fillFromText(ctx, read.pasted)
  const draft = await findDraft(ctx)
  const before = draft?.typed ?? {}
  if (animal === '' && mayBeAnother(before, values)) throw invalidField('animal', 'field_paste_which')
  const photos = draft?.photos.map(({ id }) => String(id)) ?? []
  const kept = animal === 'another' ? anotherAnimal(before, { key: randomUUID(), photos }) : before
  const typed = { key: randomUUID(), stock: '1', ...kept, ...values, [UNDERSTOOD]: understoodText(values, words) }
  await saveDraft(ctx, { typed, version: null })
  return redirect(localized(hint ? `/sell?${hint}` : '/sell#about', ctx.locale))
}

/** By the exact number; sellers only. The choice stands in the draft. */
async function chooseSeller(ctx: Ctx, phone: string): Promise<Response> {
  const read = phoneNumber.safeParse(phone)
  const seller = read.success ? await findSellerByPhone(ctx, read.data) : null
  if (!seller) throw invalidField('phone', read.success ? 'field_seller_unknown' : 'field_seller_phone')
  const draft = await findDraft(ctx)
  await saveDraft(ctx, { typed: { ...withoutSeller(draft?.typed ?? {}, 'other-seller'), sellerId: String(seller.id) }, version: null })
  return redirect(localized('/sell', ctx.locale))
}

/** An admin writes an address into the book of the seller for whom they list. */
async function addressFor(ctx: Ctx, args: Args, act: 'lookup' | 'add'): Promise<LookedUp> {
  const draft = await findDraft(ctx)
  const sellerId = Number(draft?.typed.sellerId ?? 0)
  if (!can(ctx.viewer, 'operate') || !(await findSellerById(ctx, sellerId))) throw notFound()
  const typed = Object.fromEntries(
    ['name', 'phone', 'typeId', 'address1', 'address2', 'pincode'].map((name) => [name, textOf(args.form, name)]),
  )
  if (act === 'lookup') {
    const { pincode } = parseInput(addressInput.pick({ pincode: true }), typed)
    const place = await getTypedPlace(ctx, pincode)
    return { place: shownPlaceOf(ctx, place), typed }
  }
  const input = parseInput(addressInput, typed)
  const pickup = await addAddress(ctx, sellerId, input)
  await saveDraft(ctx, { typed: { ...draft!.typed, pickup: String(pickup) }, version: null })
  throw redirect(localized('/sell#pickup', ctx.locale))
}

async function take(ctx: Ctx, { site, visitor }: Args, ...names: (LimitName | DurableLimitName)[]): Promise<void> {
  await site.limits.takeAll(ctx.db, names, { userId: ctx.viewer!.id, address: visitor.address })
}
