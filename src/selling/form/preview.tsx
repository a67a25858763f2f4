import { useEffect, useRef } from 'react'
import { readRupees } from '#src/kit/time-money/amounts.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { ClipList } from '#src/listings/clips/clip-list.tsx'
import type { ShownClip } from '#src/listings/clips/clip-wire.server.ts'
import { questionsFor } from '#src/listings/fields/listing-questions.ts'
import { pricePerKg } from '#src/listings/reference/price-per-kg.ts'
import { plainFigures } from '#src/kit/text/plain-text.ts'
import { useLocalPath } from '#src/ui/language.ts'
import { Price } from '#src/ui/price.tsx'
import { captionFields } from '../captions.ts'
import type { FormPhoto } from '#src/selling/photos/use-photos.ts'
import type { Typed } from '#src/selling/unsent/draft-fields.ts'
import { previewedFacts } from '#src/selling/paste/proposed-words.ts'
import type { readSellForm } from './sell-view.server.ts'

interface PreviewProps {
  typed: Typed
  photos: FormPhoto[]
  clips: readonly ShownClip[]
  page: Awaited<ReturnType<typeof readSellForm>>
  isAlive: boolean
  onClose: () => void
}

/** The animal as its buyer will see it: photos, price, clips, the facts that a buyer scans, the place. */
export function Preview({ typed, photos, clips, page, isAlive, onClose }: PreviewProps) {
  const to = useLocalPath()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.removeAttribute('open')
    dialog.current?.showModal()
  }, [])
  const { title, kind, original, offer, perKg, rows, place } = readTyped(typed, page)
  return (
    <dialog
      id="preview"
      ref={dialog}
      open
      aria-labelledby="preview-title"
      onClose={onClose}
      className="static m-0 mt-4 w-full max-w-none overflow-y-auto rounded-card border border-line bg-paper p-0 shadow-card backdrop:bg-ink/60 [&:modal]:fixed [&:modal]:m-auto [&:modal]:max-h-[92dvh] [&:modal]:w-[calc(100%-1rem)] [&:modal]:max-w-lg"
    >
      <div className="sticky top-0 z-10 flex items-center justify-between gap-2 border-b border-line bg-turmeric-soft px-4 py-2">
        <h2 id="preview-title" tabIndex={-1} className="text-base outline-none">
          {m.sell_preview_title()}
        </h2>
        {isAlive ? (
          <button type="button" onClick={() => dialog.current?.close()} className="button-plain px-3">
            {m.close()}
          </button>
        ) : (
          <a href={to('/sell')} className="button-plain px-3">
            {m.close()}
          </a>
        )}
      </div>
      <PreviewPhotos photos={photos} />
      <div className="grid gap-3 p-4">
        <div>
          <p className="text-2xl font-bold">{title}</p>
          <p className="text-stone">{kind}</p>
        </div>
        {original !== null && original > 0n && <Price original={original} offer={offer} isLarge />}
        {perKg !== null && <p className="text-sm text-stone">{m.product_per_kg({ price: formatRupees(perKg) })}</p>}
        <p className="whitespace-pre-line">{typed.description}</p>
        <dl className="grid grid-cols-2 gap-x-4 gap-y-2">
          {rows.map(
            ([label, value]) =>
              value !== null && (
                <div key={label} className="min-w-0">
                  <dt className="text-sm text-stone">{label}</dt>
                  <dd className="font-semibold">{value}</dd>
                </div>
              ),
          )}
        </dl>
        <ClipList clips={withCaptions(clips, typed)} hasPlayers />
        {place && <p className="text-sm text-stone">{[...new Set([place.taluk, place.district, place.state])].join(', ')}</p>}
      </div>
    </dialog>
  )
}

/** With the lines that were typed under the videos. */
function withCaptions(clips: readonly ShownClip[], typed: Typed): ShownClip[] {
  const videos = clips.filter(({ kind }) => kind === 'video')
  return clips.map((clip) => {
    const field = captionFields[videos.indexOf(clip)]
    return { ...clip, caption: (field && typed[field]) ?? '' }
  })
}

/** Reads what the preview shows from the text typed so far. */
function readTyped(typed: Typed, page: PreviewProps['page']) {
  const { lookups } = page
  const named = (rows: { id: number; name: string }[], id: string | undefined) => rows.find((row) => String(row.id) === id)?.name ?? null
  const category = lookups.categories.find(({ id }) => String(id) === typed.categoryId) ?? null
  const number = (text: string | undefined) => (text ? Number(text) : null)
  const animal = { categoryId: category?.id ?? null, genderId: number(typed.genderId) }
  const asks = questionsFor(category, number(typed.ageId))
  const figure = (name: string) => plainFigures(typed[name] ?? '')
  const original = readRupees(typed.originalPrice ?? '')
  const offerTyped = readRupees(typed.offerPrice ?? '')
  const offer = original && offerTyped && offerTyped > 0n && offerTyped < original ? offerTyped : null
  const weight = Number(figure('weightKg')) || 0
  const perKg = original && asks.animal ? pricePerKg(offer ?? original, weight) : null
  const place = (page.book?.find(({ id }) => String(id) === typed.pickup) ?? page.book?.[0])?.place
  const breed = asks.breed ? named(lookups.breeds, typed.breedId) : null
  const rows: [string, string | null][] = [
    [m.product_age(), asks.age ? named(lookups.ages, typed.ageId) : null],
    [m.product_gender(), asks.animal ? named(lookups.genders, typed.genderId) : null],
    [m.product_color(), asks.animal ? named(lookups.colors, typed.colorId) : null],
    [m.product_weight(), weight > 0 ? m.card_weight({ kg: weight }) : m.product_not_weighed()],
    [m.product_stock(), figure('stock') || null],
    ...previewedFacts(typed, animal).map(({ label, text }): [string, string] => [label, text]),
    [m.product_tag(), asks.tag && typed.tag ? m.product_tag_on_record() : null],
  ]
  const kind = [breed, category?.name].filter(Boolean).join(' · ')
  return { title: typed.name || m.sell_name(), kind, original, offer, perKg, rows, place }
}

function PreviewPhotos({ photos }: Pick<PreviewProps, 'photos'>) {
  return (
    <ul tabIndex={0} aria-label={m.product_photos()} className="flex snap-x snap-mandatory overflow-x-auto bg-husk-dark">
      {photos.length === 0 && (
        <li className="grid aspect-4/3 w-full place-items-center">
          <img src="/species/none.webp" alt={m.card_no_photo()} width={96} height={96} />
        </li>
      )}
      {photos.map((photo, index) => (
        <li key={photo.name} className="aspect-4/3 w-full shrink-0 snap-center">
          <img
            src={photo.stored ? `/media/${photo.stored.key}-640.jpg` : photo.url}
            alt={m.sell_photo_number({ number: index + 1 })}
            className="h-full w-full object-contain"
          />
        </li>
      ))}
    </ul>
  )
}
