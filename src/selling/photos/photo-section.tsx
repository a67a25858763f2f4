import { use, useEffect, useRef, type ChangeEvent } from 'react'
import { m } from '#src/paraglide/messages.js'
import { MAX_PHOTOS } from '#src/listings/listing-questions.ts'
import { FieldError, RequiredMark } from '#src/ui/field.tsx'
import { FileButton } from '#src/ui/file-field.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { PhotoTile } from '#src/ui/photo-tile.tsx'
import { ListingForm } from '#src/selling/form/form-parts.tsx'
import type { FormPhoto, Photos } from './use-photos.ts'

/** Photos first: camera and gallery, each picture with its own progress, and its own "try again". */
export function PhotoSection({ photos, notice, add, retry, remove }: Photos) {
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
    <section id="photos" aria-labelledby="photos-title" className="form-panel gap-3 sm:p-5">
      <div>
        <h2 id="photos-title" className="text-lg">
          {m.sell_photos_title()}
          <RequiredMark />
        </h2>
        <p id="listing-image-hint" className="text-sm text-stone">
          {m.sell_photos_hint()}
        </p>
      </div>
      {photos.length > 0 && (
        <ul className="grid gap-2">
          {photos.map((photo, index) => (
            <SentPhoto key={photo.name} photo={photo} number={index + 1} retry={retry} remove={remove} isAlive={isAlive} />
          ))}
        </ul>
      )}
      <div ref={boxes} className={isFull ? 'hidden' : 'grid gap-2 xs:grid-cols-2'}>
        <FileButton
          name="image"
          capture="environment"
          onChange={onChange}
          aria-describedby="listing-image-hint"
          className="button-primary min-h-14"
        >
          <Icon name="camera" />
          {m.sell_photos_camera()}
        </FileButton>
        <FileButton
          id="listing-image"
          name="image"
          multiple
          onChange={onChange}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'listing-image-error listing-image-hint' : 'listing-image-hint'}
          className="button-plain min-h-14"
        >
          <Icon name="plus" />
          {m.sell_photos_gallery()}
        </FileButton>
      </div>
      <div role="status">
        <FieldError id="listing-image" error={error} />
      </div>
    </section>
  )
}

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

function SentPhoto({ photo, number, retry, remove, isAlive }: TileProps) {
  const { state, url, percent, reason, isUseless, stored } = photo
  const removal = 'grid size-11 shrink-0 cursor-pointer place-items-center rounded-control hover:bg-brick-soft'
  const label = m.sell_photo_remove({ number })
  return (
    <PhotoTile
      url={url}
      alt={m.sell_photo_number({ number })}
      badge={number === 1 && m.sell_photo_main()}
      isFaint={state !== 'stored'}
      after={
        isAlive ? (
          <button type="button" onClick={() => void remove(photo)} aria-label={label} className={removal}>
            <Icon name="close" size={20} />
          </button>
        ) : (
          stored && (
            <button type="submit" name="act" value={`unphoto:${stored.id}`} aria-label={label} className={removal}>
              <Icon name="close" size={20} />
            </button>
          )
        )
      }
    >
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
    </PhotoTile>
  )
}
