import type { ReactNode } from 'react'
import { detailUrl } from '#src/kit/media/media-url.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { Picture, PictureGround, Thumbnail } from '#src/ui/picture.tsx'
import type { Photo } from '#src/listings/product-rows.server.ts'

/**
 * On a phone a little less than the width: 360 CSS pixels at a density of 2 then load the file of 640 pixels, which has less than half the bytes of the
 * next one. The full-screen view loads the original's detail.
 */
const SIZES = '(min-width: 1280px) 600px, (min-width: 768px) 50vw, (min-resolution: 1.5dppx) 88vw, 100vw'

interface Props {
  photos: Photo[]
  name: string
  isSample: boolean
  /** A notice on each photo. */
  notice: string | null
  /** Controls on top of the photo. */
  children: ReactNode
}

/**
 * The photos, edge to edge on a phone. People swipe them, or use the thumbnails on a wide screen. A tap opens the full-screen viewer
 * (photo-viewer.ts). All photos are plain links, so this works without JavaScript.
 */
export function ProductGallery({ photos, name, isSample, notice, children }: Props) {
  return (
    <section aria-label={m.product_photos()} className="relative -mx-4 md:mx-0">
      {photos.length === 0 ? (
        <div className="grid aspect-4/3 place-items-center bg-husk-dark md:rounded-card">
          <img src="/species/none.webp" alt={m.card_no_photo()} width={160} height={160} />
        </div>
      ) : (
        <>
          <Slides photos={photos} name={name} notice={notice} />
          <Viewer isSingle={photos.length === 1} />
        </>
      )}
      {children}
      {isSample && <span className="label-on-card top-auto bottom-9 md:hidden">{m.card_sample()}</span>}
    </section>
  )
}

function Slides({ photos, name, notice }: Pick<Props, 'photos' | 'name' | 'notice'>) {
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
            <Slide photo={photo} index={index} count={photos.length} name={name} notice={notice} />
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
                <Thumbnail mediaKey={photo.key} width={80} height={60} className="h-full w-full object-cover" />
              </a>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

type SlideProps = Pick<Props, 'name' | 'notice'> & { photo: Props['photos'][number]; index: number; count: number }

function Slide({ photo, index, count, name, notice }: SlideProps) {
  return (
    <>
      <PictureGround color={photo.color} hash={photo.hash} />
      <a href={detailUrl(photo.key)} data-photo={index} draggable={false} className="absolute inset-0 cursor-zoom-in">
        <Picture
          mediaKey={photo.key}
          alt={m.product_photo({ number: index + 1, name })}
          sizes={SIZES}
          width={photo.width}
          height={photo.height}
          isFirst={index === 0}
          className="h-full w-full object-contain"
        />
      </a>
      {notice && (
        <span className="label-on-card pointer-events-none top-auto bottom-2 text-brick md:bottom-12" aria-hidden={index > 0}>
          {notice}
        </span>
      )}
      {count > 1 && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute right-2 bottom-2 rounded-full bg-ink/75 px-2 text-sm font-semibold text-white"
        >
          {m.product_photo_place({ number: index + 1, count })}
        </span>
      )}
    </>
  )
}

const onBlack = 'icon-button absolute z-10 rounded-full bg-black/60 text-white'

/** Empty until somebody taps a photo. */
function Viewer({ isSingle }: { isSingle: boolean }) {
  return (
    <dialog
      data-viewer="0"
      aria-label={m.product_photos()}
      className="m-0 h-dvh max-h-none w-screen max-w-none overflow-hidden bg-black p-0 text-white"
    >
      <button type="button" data-turn="close" aria-label={m.close()} className={`${onBlack} top-2 right-2`}>
        <Icon name="close" />
      </button>
      <p
        role="status"
        data-loading={m.list_loading()}
        data-failed={m.product_photo_coarse()}
        className="absolute top-2 left-2 z-10 max-w-[70%] rounded-full bg-black/60 px-3 py-1 font-semibold"
      ></p>
      <ul
        tabIndex={0}
        aria-label={m.product_photos()}
        className="flex h-full snap-x snap-mandatory overflow-x-auto overscroll-contain [scrollbar-width:none]"
      ></ul>
      {!isSingle && (
        <>
          <button type="button" data-turn="-1" aria-label={m.carousel_previous()} className={`${onBlack} top-1/2 left-2 max-md:hidden`}>
            <Icon name="previous" />
          </button>
          <button type="button" data-turn="1" aria-label={m.carousel_next()} className={`${onBlack} top-1/2 right-2 max-md:hidden`}>
            <Icon name="next" />
          </button>
        </>
      )}
    </dialog>
  )
}
