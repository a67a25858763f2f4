import { ClipList } from '#src/listings/clips/clip-list.tsx'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Picture, PictureGround, Thumbnail } from '#src/ui/picture.tsx'
import type { ShownToVerify } from './verification-facts.server.ts'

/** `sizes` of a large photo. */
export const PHOTO_SIZES = '(min-width: 1024px) 720px, 100vw'

interface Photo {
  key: string
  width: number
  height: number
  color: string
  hash: string
  /** Added since the last verdict. */
  isNew?: boolean
}

export const AnimalPhotos = ({ shown }: { shown: ShownToVerify }) => (
  <>
    <PhotosBeside shown={shown} />
    <ClipList clips={shown.clips} hasPlayers />
  </>
)

/** The animal's photos beside those of a possible duplicate. */
function PhotosBeside({ shown }: { shown: ShownToVerify }) {
  const to = useLocalPath()
  const { beside } = shown
  if (!beside) return <Photos photos={shown.photos} name={shown.name} idBase="verify-photo" hasStrip />
  return (
    <div className="grid grid-cols-1 items-start gap-2 sm:grid-cols-2">
      <div>
        <p className="mb-1 text-sm font-semibold">{m.verify_this_one()}</p>
        <Photos photos={shown.photos} name={shown.name} idBase="verify-photo" hasStrip />
      </div>
      <div>
        <p className="mb-1 truncate text-sm font-semibold text-brick">
          {m.verify_other_one()}{' '}
          <a href={to(`/product/${beside.id}`)} target="_blank" rel="noopener" className="link">
            {beside.name}
          </a>
        </p>
        <Photos photos={beside.photos} name={beside.name} idBase="beside-photo" />
      </div>
    </div>
  )
}

interface PhotosProps {
  photos: readonly Photo[]
  name: string
  /** Prefix of the photos' ids. */
  idBase: string
  hasStrip?: boolean
}

/** A row of large photos that scrolls. A desktop has links to each; a phone shows the edge of the next. */
function Photos({ photos, name, idBase, hasStrip = false }: PhotosProps) {
  const label = `${m.verify_photos()}: ${name}`
  return (
    <section aria-label={label}>
      <ul tabIndex={0} aria-label={label} className="flex snap-x snap-mandatory overflow-x-auto rounded-card">
        {photos.map((photo, index) => (
          <li
            key={photo.key}
            id={`${idBase}-${index + 1}`}
            className="relative aspect-4/3 w-full shrink-0 snap-start overflow-hidden bg-husk-dark not-only:max-lg:w-11/12 lg:aspect-2/1"
          >
            <PictureGround color={photo.color} hash={photo.hash} />
            <Picture
              mediaKey={photo.key}
              alt={m.product_photo({ number: index + 1, name })}
              sizes={PHOTO_SIZES}
              width={photo.width}
              height={photo.height}
              isFirst={index === 0}
              className="absolute inset-0 h-full w-full object-contain"
            />
            {photo.isNew && <span className="absolute top-2 left-2 chip-heed">{m.verify_photo_new()}</span>}
          </li>
        ))}
      </ul>
      {hasStrip && photos.length > 1 && <PhotoStrip photos={photos} name={name} idBase={idBase} />}
    </section>
  )
}

const PhotoStrip = ({ photos, name, idBase }: PhotosProps) => (
  <ul className="mt-2 hidden gap-2 lg:flex">
    {photos.map((photo, index) => (
      <li key={photo.key}>
        <a
          href={`#${idBase}-${index + 1}`}
          aria-label={m.product_photo({ number: index + 1, name })}
          className="relative block overflow-hidden rounded-control"
        >
          <Thumbnail mediaKey={photo.key} width={64} height={48} className="h-12 w-16 object-cover" />
          <kbd aria-hidden="true" className="absolute right-0 bottom-0 rounded-tl bg-black/70 px-1 text-xs text-white">
            {index + 1}
          </kbd>
        </a>
      </li>
    ))}
  </ul>
)
