import { use, useEffect, useRef, type ChangeEvent } from 'react'
import { m } from '#src/paraglide/messages.js'
import { MAX_PHOTOS } from '#src/listings/listing-questions.ts'
import { Icon } from '#src/ui/icon.tsx'
import { ListingForm, Star, Wrong } from './form-parts.tsx'
import type { FormPhoto, Photos } from './use-photos.ts'

const KINDS = 'image/jpeg,image/png'

/** Photos first: camera and gallery, each picture with its own progress, and its own "try again". */
export function PhotoStep({ photos, notice, add, retry, remove }: Photos) {
  const { errors, isAlive } = use(ListingForm)
  const boxes = useRef<HTMLDivElement>(null)
  const isFull = photos.length >= MAX_PHOTOS
  const error = notice || errors.image

  // Chosen before the scripts ran.
  useEffect(() => {
    for (const input of boxes.current?.querySelectorAll('input') ?? []) take(input, add)
  }, [add])

  const onChange = (event: ChangeEvent<HTMLInputElement>) => take(event.currentTarget, add)
  return (
    <section id="photos" aria-labelledby="photos-title" className="panel grid min-w-0 gap-3 p-4 sm:p-5">
      <div>
        <h2 id="photos-title" className="text-lg">
          {m.sell_photos_title()}
          <Star />
        </h2>
        <p id="listing-image-hint" className="text-sm text-stone">
          {m.sell_photos_hint()}
        </p>
      </div>
      {photos.length > 0 && (
        <ul className="grid gap-2">
          {photos.map((photo, index) => (
            <PhotoTile key={photo.name} photo={photo} number={index + 1} retry={retry} remove={remove} isAlive={isAlive} />
          ))}
        </ul>
      )}
      <div ref={boxes} className={isFull ? 'hidden' : 'grid gap-2 xs:grid-cols-2'}>
        <label className="button-primary relative min-h-14 noscript:flex-wrap focus-within:outline-3 focus-within:outline-turmeric">
          <Icon name="camera" />
          {m.sell_photos_camera()}
          <input
            type="file"
            name="image"
            accept={KINDS}
            capture="environment"
            onChange={onChange}
            aria-describedby="listing-image-hint"
            className={inputClass}
          />
        </label>
        <label className="button-plain relative min-h-14 noscript:flex-wrap focus-within:outline-3 focus-within:outline-turmeric">
          <Icon name="plus" />
          {m.sell_photos_gallery()}
          <input
            id="listing-image"
            type="file"
            name="image"
            accept={KINDS}
            multiple
            onChange={onChange}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? 'listing-image-error listing-image-hint' : 'listing-image-hint'}
            className={inputClass}
          />
        </label>
      </div>
      <div role="status">
        <Wrong name="image" error={error} />
      </div>
    </section>
  )
}

/** With scripts the whole button is the file input; without them the chosen file must be visible. */
const inputClass =
  'absolute inset-0 h-full w-full cursor-pointer opacity-0 noscript:static noscript:h-auto noscript:min-w-0 noscript:text-sm noscript:opacity-100'

function take(input: HTMLInputElement, add: Photos['add']): void {
  const files = [...(input.files ?? [])]
  if (files.length === 0) return
  // Otherwise they would travel a second time, with the form.
  input.value = ''
  void add(files)
}

interface TileProps extends Pick<Photos, 'retry' | 'remove'> {
  photo: FormPhoto
  number: number
  isAlive: boolean
}

function PhotoTile({ photo, number, retry, remove, isAlive }: TileProps) {
  const { state, url, percent, reason, isUseless, stored } = photo
  const removal = 'grid size-11 shrink-0 cursor-pointer place-items-center rounded-control hover:bg-brick-soft'
  const label = m.sell_photo_remove({ number })
  return (
    <li className="flex min-w-0 items-center gap-3 rounded-control border border-line bg-white p-2">
      <div className="relative h-18 w-24 shrink-0 overflow-hidden rounded bg-husk-dark">
        <img
          src={url}
          alt={m.sell_photo_number({ number })}
          // A picture that this browser cannot decode.
          onError={({ currentTarget }) => (currentTarget.hidden = true)}
          className={`h-full w-full object-cover ${state === 'stored' ? '' : 'opacity-50'}`}
        />
        {number === 1 && (
          <span className="absolute bottom-0 left-0 rounded-tr-control bg-ink/75 px-2 text-sm font-semibold text-white">
            {m.sell_photo_main()}
          </span>
        )}
      </div>
      <div className="grid min-w-0 grow gap-1 text-sm">
        {(state === 'sending' || state === 'waiting') && (
          <>
            <progress value={percent} max={100} aria-label={m.sell_photo_progress({ number })} className="h-3 w-full accent-leaf" />
            <span>{state === 'waiting' ? m.sell_photo_waiting() : m.profile_picture_sent({ percent })}</span>
          </>
        )}
        {state === 'stored' && <span className="font-semibold text-leaf">{m.sell_photo_stored()}</span>}
        {state === 'failed' && (
          <div role="alert" className="grid gap-1">
            <span className="font-semibold text-brick">{reason}</span>
            {!isUseless && (
              <button type="button" onClick={() => retry(photo.name)} className="button-plain px-2 text-sm">
                {m.sell_photo_retry()}
              </button>
            )}
          </div>
        )}
      </div>
      {isAlive ? (
        <button type="button" onClick={() => void remove(photo)} aria-label={label} className={removal}>
          <Icon name="close" size={20} />
        </button>
      ) : (
        stored && (
          <button type="submit" name="act" value={`unphoto:${stored.id}`} aria-label={label} className={removal}>
            <Icon name="close" size={20} />
          </button>
        )
      )}
    </li>
  )
}
