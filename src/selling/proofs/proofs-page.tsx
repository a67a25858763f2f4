import { redirect } from 'react-router'
import type { Ctx } from '#src/kit/context.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { parseId, idIn } from '#src/kit/ids.ts'
import { clipLimits } from '#src/kit/media/clips/clip-limits.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formatDay, formatDaysAgo } from '#src/kit/time-money/dates.ts'
import { milkingClipOnWire } from '#src/listings/clips/clip-wire.server.ts'
import { wordText } from '#src/listings/proofs/day-words.ts'
import { earliestMilking } from '#src/listings/proofs/proof-rules.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { addDayPhoto, removeDayPhoto } from './day-photos.server.ts'
import { milkingInput } from './milking-schema.ts'
import { addMilking, removeMilking, type SentMilkingClip } from './milkings.server.ts'
import { getOwnProofs } from './own-proofs.server.ts'
import { ProofsView } from './proofs-view.tsx'
import type { Route } from './+types/proofs-page'

const DONE = ['milking', 'unmilk', 'photo', 'unphoto'] as const

/** Here a seller records milkings and sends the photo of the day. */
export const loader = formLoader(async (ctx, { params, url }) => {
  const id = idIn(params.listingId)
  const { locale, now } = ctx
  const { milkings, dayPhoto, today, ...animal } = await getOwnProofs(ctx, id)
  const dayText = (day: string) => formatDay(new Date(day), locale)
  return {
    id,
    ...animal,
    milkings: milkings.map((each) => ({ ...each, day: dayText(each.on), clip: each.clip && milkingClipOnWire(each.clip) })),
    dayPhoto: dayPhoto && {
      ...dayPhoto.photo,
      state: dayPhoto.state,
      when: formatDaysAgo(new Date(dayPhoto.day), now, locale),
      word: wordText(dayPhoto, locale),
    },
    today: { day: today.day, text: dayText(today.day), words: [wordText(today, 'ta'), wordText(today, 'en')] },
    earliest: earliestMilking(today.day),
    done: DONE.find((each) => each === url.searchParams.get('done')) ?? null,
    locale,
    origin: ctx.publicOrigin,
  }
})

export const action = pageAction('proofs', async (ctx, { params, form, site }): Promise<never> => {
  const id = idIn(params.listingId)
  const [act = '', which = ''] = (textOf(form, 'act') ?? '').split(':')
  try {
    await take(ctx, site.media, id, { act, which, form })
  } catch (error) {
    // The API answers 415 and 413; a form shows these errors at its field.
    if (error instanceof Problem && error.code !== 'VALIDATION' && error.fields) throw new Problem('VALIDATION', { fields: error.fields })
    throw error
  }
  throw redirect(localized(`/seller-product/${id}/proofs?done=${act}`, ctx.locale))
})

async function take(ctx: Ctx, media: MediaStore, id: number, { act, which, form }: { act: string; which: string; form: FormData }) {
  switch (act) {
    case 'milking': {
      const milking = parseInput(milkingInput, Object.fromEntries(form))
      return addMilking(ctx, media, id, { ...milking, clip: await clipIn(form) })
    }
    case 'unmilk': {
      const milkingId = parseId(which)
      if (milkingId === null) throw notFound()
      return removeMilking(ctx, media, milkingId)
    }
    case 'photo': {
      const image = form.get('image')
      if (!(image instanceof File) || image.size === 0) throw invalidField('image', 'field_picture_missing')
      return addDayPhoto(ctx, media, id, { day: textOf(form, 'day') ?? '', file: Buffer.from(await image.arrayBuffer()) })
    }
    case 'unphoto':
      return removeDayPhoto(ctx, media, id)
    default:
      throw new Problem('MALFORMED')
  }
}

/** The clip: uploaded before by script, or posted with the form. */
async function clipIn(form: FormData): Promise<SentMilkingClip | null> {
  const bytesOf = async (name: string) => {
    const file = form.get(name)
    return file instanceof File && file.size > 0 ? Buffer.from(await file.arrayBuffer()) : null
  }
  const upload = textOf(form, 'upload') ?? ''
  if (/^[a-z0-9]{20}$/.test(upload)) return { file: { upload }, still: await bytesOf('still') }
  const file = await bytesOf('clip')
  if (file && file.length > clipLimits.video.bytes)
    throw new Problem('TOO_LARGE', { fields: [{ field: 'clip', message: 'field_clip_large' }] })
  return file && { file, still: null }
}

/** Farms have poor coverage: the typed text survives an offline submit. */
export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const shouldRevalidate = afterRefusalToo

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? plainMeta({
        ...loaderData,
        path: `/seller-product/${loaderData.id}/proofs`,
        title: m.proofs_title(),
        description: m.proofs_lead(),
      })
    : []

export default function ProofsPage({ loaderData, actionData }: Route.ComponentProps) {
  return <ProofsView page={loaderData} refused={actionData?.refused} />
}

export type ProofsData = Route.ComponentProps['loaderData']
