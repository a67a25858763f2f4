import { use, useEffect, useRef, type ChangeEvent } from 'react'
import { m } from '#src/paraglide/messages.js'
import { MAX_PHOTOS } from '#src/listings/listing-questions.ts'
import { FieldError, RequiredMark } from '#src/ui/field.tsx'
import { FileButton } from '#src/ui/file-field.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { PhotoTile } from '#src/ui/photo-tile.tsx'
import { ListingForm } from '#src/selling/form/form-parts.tsx'
import { ShotList } from './shot-list.tsx'
import { mainFirst, usable, type FormPhoto, type Photos } from './use-photos.ts'

/** WebP and HEIC become JPEG on the phone, or are refused with what to do. */
const KINDS = 'image/jpeg,image/png,image/webp,image/heic,image/heif'

/** Photos first: camera and gallery, each picture with its own progress, and its own "try again". */
export function PhotoSection({ photos, notice, add, retry, remove }: Photos) {
  const { typed, errors } = use(ListingForm)
  const boxes = useRef<HTMLDivElement>(null)
  const isFull = usable(photos).length >= MAX_PHOTOS
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
      <ShotList categoryId={Number(typed.categoryId) || null} isMale={typed.genderId === '1'} />
      <input type="hidden" name="mainPhoto" defaultValue={typed.mainPhoto ?? ''} />
      <SentPhotos photos={photos} retry={retry} remove={remove} />
      <div ref={boxes} className={isFull ? 'hidden' : 'grid gap-2 xs:grid-cols-2'}>
        <FileButton
          name="image"
          accept={KINDS}
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
          accept={KINDS}
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

/** Each with its own progress; the main one stands first. */
function SentPhotos({ photos, retry, remove }: Pick<Photos, 'photos' | 'retry' | 'remove'>) {
  const { typed, isAlive, write } = use(ListingForm)
  if (photos.length === 0) return null
  return (
    <ul className="grid gap-2">
      {mainFirst(photos, typed).map((photo, index) => (
        <SentPhoto
          key={photo.name}
          photo={photo}
          number={index + 1}
          retry={retry}
          remove={remove}
          isAlive={isAlive}
          onMain={(id) => write('mainPhoto', String(id))}
        />
      ))}
    </ul>
  )
}

interface TileProps extends Pick<Photos, 'retry' | 'remove'> {
  photo: FormPhoto
  number: number
  isAlive: boolean
  onMain: (id: number) => void
}

function SentPhoto({ photo, number, retry, remove, isAlive, onMain }: TileProps) {
  const { state, url, percent, reason, isUseless, stored } = photo
  const removal = 'grid size-11 shrink-0 cursor-pointer place-items-center rounded-control hover:bg-brick-soft'
  const label = m.sell_photo_remove({ number })
  const removeNow = (
    <button type="button" onClick={() => void remove(photo)} aria-label={label} className={removal}>
      <Icon name="close" size={20} />
    </button>
  )
  if (isUseless)
    return (
      <li className="flex min-w-0 items-start gap-2 rounded-control bg-brick-soft p-2 pl-3 text-sm">
        <p role="alert" className="min-w-0 grow py-1 font-semibold text-brick">
          {reason}
        </p>
        {removeNow}
      </li>
    )
  return (
    <PhotoTile
      url={url}
      alt={m.sell_photo_number({ number })}
      badge={number === 1 && m.sell_photo_main()}
      isFaint={state !== 'stored'}
      after={
        isAlive
          ? removeNow
          : stored && (
              <button type="submit" name="act" value={`unphoto:${stored.id}`} aria-label={label} className={removal}>
                <Icon name="close" size={20} />
              </button>
            )
      }
    >
      {(state === 'sending' || state === 'waiting') && (
        <>
          <progress value={percent} max={100} aria-label={m.sell_photo_progress({ number })} className="h-3 w-full accent-leaf" />
          <span>{state === 'waiting' ? m.sell_photo_waiting() : m.profile_picture_sent({ percent })}</span>
        </>
      )}
      {stored && (
        <>
          <span className="font-semibold text-leaf">{m.sell_photo_stored()}</span>
          {number > 1 && <MainButton id={stored.id} number={number} isAlive={isAlive} onMain={onMain} />}
        </>
      )}
      {state === 'failed' && (
        <div role="alert" className="grid gap-1">
          <span className="font-semibold text-brick">{reason}</span>
          <button type="button" onClick={() => retry(photo.name)} className="button-plain px-2 text-sm">
            {m.sell_photo_retry()}
          </button>
        </div>
      )}
    </PhotoTile>
  )
}

/** Without scripts it submits. */
const MainButton = ({ id, number, isAlive, onMain }: { id: number } & Pick<TileProps, 'number' | 'isAlive' | 'onMain'>) => (
  <button
    type={isAlive ? 'button' : 'submit'}
    name="act"
    value={`main:${id}`}
    onClick={isAlive ? () => onMain(id) : undefined}
    aria-label={m.sell_photo_make_main_of({ number })}
    className="link-button justify-self-start text-left"
  >
    {m.sell_photo_make_main()}
  </button>
)
