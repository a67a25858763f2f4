import { m } from '#src/paraglide/messages.js'
import { Picture, PictureGround } from '#src/ui/picture.tsx'
import type { Photo } from '#src/listings/product-rows.server.ts'

/** Swiped with a thumb, or reached by the small pictures below: plain links, so it works without JavaScript too. */
export function ProductGallery({ photos, name, isSample }: { photos: Photo[]; name: string; isSample: boolean }) {
  if (photos.length === 0) {
    return (
      <div className="grid aspect-4/3 place-items-center rounded-card border border-line bg-husk-dark">
        <img src="/species/none.webp" alt={m.card_no_photo()} width={160} height={160} />
      </div>
    )
  }
  return (
    <section aria-label={m.product_photos()}>
      <ul
        tabIndex={0}
        aria-label={m.card_photos({ count: photos.length })}
        className="flex snap-x snap-mandatory gap-2 overflow-x-auto rounded-card"
      >
        {photos.map((photo, index) => (
          <li
            key={photo.key}
            id={`photo-${index + 1}`}
            className="relative aspect-4/3 w-full shrink-0 snap-center overflow-hidden rounded-card bg-husk-dark"
          >
            <PictureGround color={photo.color} hash={photo.hash} />
            <Picture
              mediaKey={photo.key}
              alt={m.product_photo({ number: index + 1, name })}
              sizes="(min-width: 1280px) 600px, (min-width: 768px) 50vw, 100vw"
              width={photo.width}
              height={photo.height}
              isFirst={index === 0}
              className="absolute inset-0 h-full w-full object-contain"
            />
          </li>
        ))}
      </ul>
      {photos.length > 1 && (
        <ol className="mt-2 flex gap-2">
          {photos.map((photo, index) => (
            <li key={photo.key}>
              <a
                href={`#photo-${index + 1}`}
                className="relative block h-16 w-20 overflow-hidden rounded-control border border-line hover:border-leaf"
                aria-label={m.product_photo({ number: index + 1, name })}
              >
                <Picture mediaKey={photo.key} alt="" isSmall sizes="80px" width={80} height={60} className="h-full w-full object-cover" />
              </a>
            </li>
          ))}
        </ol>
      )}
      {isSample && <p className="mt-2 text-sm text-stone">{m.product_sample()}</p>}
    </section>
  )
}
