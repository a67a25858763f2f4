import type { ReactNode } from 'react'
import { m } from '#src/paraglide/messages.js'
import { Picture, PictureGround } from '#src/ui/picture.tsx'
import type { Photo } from '#src/listings/product-rows.server.ts'

interface Props {
  photos: Photo[]
  name: string
  isSample: boolean
  /** What stands on the photo. */
  children: ReactNode
}

/** From edge to edge of a phone. Swiped with a thumb, or reached by the small pictures of a desk: plain links, so it works without JavaScript. */
export function ProductGallery({ photos, name, isSample, children }: Props) {
  return (
    <section aria-label={m.product_photos()} className="relative -mx-4 md:mx-0">
      {photos.length === 0 ? (
        <div className="grid aspect-4/3 place-items-center bg-husk-dark md:rounded-card">
          <img src="/species/none.webp" alt={m.card_no_photo()} width={160} height={160} />
        </div>
      ) : (
        <Slides photos={photos} name={name} />
      )}
      {children}
      {isSample && <span className="label-on-card top-auto bottom-2 md:hidden">{m.card_sample()}</span>}
    </section>
  )
}

function Slides({ photos, name }: Pick<Props, 'photos' | 'name'>) {
  return (
    <>
      <ul
        tabIndex={0}
        aria-label={m.card_photos({ count: photos.length })}
        className="flex snap-x snap-mandatory overflow-x-auto overscroll-x-contain [scrollbar-width:none] md:gap-2 md:rounded-card"
      >
        {photos.map((photo, index) => (
          <li
            key={photo.key}
            id={`photo-${index + 1}`}
            className="relative aspect-4/3 w-full shrink-0 snap-center overflow-hidden bg-husk-dark md:rounded-card"
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
            {photos.length > 1 && (
              <span aria-hidden="true" className="absolute right-2 bottom-2 rounded-full bg-ink/75 px-2 text-sm font-semibold text-white">
                {m.product_photo_place({ number: index + 1, count: photos.length })}
              </span>
            )}
          </li>
        ))}
      </ul>
      {photos.length > 1 && (
        <ol className="mt-2 hidden gap-2 md:flex">
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
    </>
  )
}
