import { use, useEffect, useRef, type ChangeEvent, type ComponentProps, type MouseEvent } from 'react'
import { m } from '#src/paraglide/messages.js'
import { MAX_PHOTOS } from '#src/listings/fields/listing-questions.ts'
import { FieldError, RequiredMark } from '#src/ui/field.tsx'
import { FileButton } from '#src/ui/file-field.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { PhotoTile } from '#src/ui/photo-tile.tsx'
import { ListingForm } from '#src/selling/form/form-parts.tsx'
import { ShotList } from '#src/selling/photos/shot-list.tsx'
import { withGone, withoutGone } from '#src/selling/unsent/photo-refs.ts'
import { isGone, mainFirst, usable, type FormPhoto, type Photos } from '#src/selling/photos/use-photos.ts'

/** WebP and HEIC become JPEG on the phone, or are refused with what to do. */
const KINDS = 'image/jpeg,image/png,image/webp,image/heic,image/heif'

/** Photos first: camera and gallery, each photo with its own progress and its own "try again". Of the sell form and the edit form. */
export function PhotoSection({ photos, notice, add, retry, remove }: Photos) {
  const { typed, errors } = use(ListingForm)
  const error = notice || errors.image
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
      <input type="hidden" name="gonePhotos" defaultValue={typed.gonePhotos ?? ''} />
      <SentPhotos photos={photos} retry={retry} remove={remove} />
      <PhotoButtons add={add} isFull={usable(photos, typed).length >= MAX_PHOTOS} isRefused={Boolean(error)} />
      <div role="status">
        <FieldError id="listing-image" error={error} />
      </div>
    </section>
  )
}

function PhotoButtons({ add, isFull, isRefused }: Pick<Photos, 'add'> & { isFull: boolean; isRefused: boolean }) {
  const boxes = useRef<HTMLDivElement>(null)
  // Chosen before the scripts ran.
  useEffect(() => {
    for (const input of boxes.current?.querySelectorAll('input') ?? []) take(input, add)
  }, [add])

  const onChange = (event: ChangeEvent<HTMLInputElement>) => take(event.currentTarget, add)
  const shared = { name: 'image', accept: KINDS, onChange }
  return (
    <div ref={boxes} className={isFull ? 'hidden' : 'grid gap-2 xs:grid-cols-2'}>
      <FileButton {...shared} capture="environment" aria-describedby="listing-image-hint" className="button-primary min-h-14">
        <Icon name="camera" />
        {m.sell_photos_camera()}
      </FileButton>
      <FileButton
        {...shared}
        id="listing-image"
        multiple
        aria-invalid={isRefused || undefined}
        aria-describedby={isRefused ? 'listing-image-error listing-image-hint' : 'listing-image-hint'}
        className="button-plain min-h-14"
      >
        <Icon name="plus" />
        {m.sell_photos_gallery()}
      </FileButton>
    </div>
  )
}

function take(input: HTMLInputElement, add: Photos['add']): void {
  const files = [...(input.files ?? [])]
  if (files.length === 0) return
  // Otherwise they would travel a second time, with the form.
  input.value = ''
  void add(files)
}

/** Each photo with its own progress; the main photo first, removed ones last. */
function SentPhotos({ photos, retry, remove }: Pick<Photos, 'photos' | 'retry' | 'remove'>) {
  const { typed } = use(ListingForm)
  if (photos.length === 0) return null
  return (
    <ul className="grid gap-2">
      {mainFirst(photos, typed).map((photo, index) =>
        photo.isUseless ? (
          <UselessPhoto key={photo.name} photo={photo} number={index + 1} remove={remove} />
        ) : isGone(photo, typed) ? (
          <GonePhoto key={photo.name} photo={photo} number={index + 1} />
        ) : (
          <SentPhoto key={photo.name} photo={photo} number={index + 1} retry={retry} remove={remove} />
        ),
      )}
    </ul>
  )
}

interface TileProps extends Pick<Photos, 'retry' | 'remove'> {
  photo: FormPhoto
  number: number
}

const removal = 'icon-button shrink-0 hover:bg-brick-soft'

/** The file was refused: it says why, and goes with a tap. */
const UselessPhoto = ({ photo, number, remove }: Omit<TileProps, 'retry'>) => (
  <li className="flex min-w-0 items-start gap-2 rounded-control bg-brick-soft p-2 pl-3 text-sm">
    <p role="alert" className="min-w-0 grow py-1 font-semibold text-brick">
      {photo.reason}
    </p>
    <button type="button" onClick={() => void remove(photo)} aria-label={m.sell_photo_remove({ number })} className={removal}>
      <Icon name="close" size={20} />
    </button>
  </li>
)

/** A removed photo stays in sight until the form is sent: one tap brings it back. */
const GonePhoto = ({ photo, number }: Pick<TileProps, 'photo' | 'number'>) => (
  <PhotoTile url={photo.url} alt={m.sell_photo_number({ number })} isFaint>
    <span role="status" className="text-stone">
      {m.sell_photo_gone()}
    </span>
    <PhotoAct
      act={`rephoto:${photo.ref!}`}
      field="gonePhotos"
      value={(gone) => withoutGone(gone, photo.ref!)}
      className="link-button justify-self-start text-left"
    >
      {m.heart_undo()}
      <WhichPhoto number={number} />
    </PhotoAct>
  </PhotoTile>
)

function SentPhoto({ photo, number, retry, remove }: TileProps) {
  const { state, url, percent, reason, stored, ref } = photo
  return (
    <PhotoTile
      url={url}
      alt={m.sell_photo_number({ number })}
      badge={number === 1 && m.sell_photo_main()}
      isFaint={state !== 'stored'}
      after={<RemoveButton photo={photo} number={number} remove={remove} />}
    >
      {(state === 'sending' || state === 'waiting') && (
        <>
          <progress value={percent} max={100} aria-label={m.sell_photo_progress({ number })} className="h-3 w-full accent-leaf" />
          <span>{state === 'waiting' ? m.sell_photo_waiting() : m.profile_picture_sent({ percent })}</span>
        </>
      )}
      {stored && <span className="font-semibold text-leaf">{m.sell_photo_stored()}</span>}
      {ref !== undefined && (
        <>
          <input type="hidden" name="photo" value={ref} />
          {number > 1 && (
            <PhotoAct act={`main:${ref}`} field="mainPhoto" value={() => ref} className="link-button justify-self-start text-left">
              {m.sell_photo_make_main()}
              <WhichPhoto number={number} />
            </PhotoAct>
          )}
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

/** A photo that the server has can be brought back. */
function RemoveButton({ photo, number, remove }: Pick<TileProps, 'photo' | 'number' | 'remove'>) {
  const { ref } = photo
  const label = m.sell_photo_remove({ number })
  const close = <Icon name="close" size={20} />
  return ref === undefined ? (
    <button type="button" onClick={() => void remove(photo)} aria-label={label} className={removal}>
      {close}
    </button>
  ) : (
    <PhotoAct act={`unphoto:${ref}`} field="gonePhotos" value={(gone) => withGone(gone, ref)} aria-label={label} className={removal}>
      {close}
    </PhotoAct>
  )
}

/** For screen readers, behind a button's text that each tile repeats. */
const WhichPhoto = ({ number }: { number: number }) => <span className="sr-only"> {m.sell_photo_number({ number })}</span>

interface ActProps extends Omit<ComponentProps<'button'>, 'value'> {
  /** The value that it submits without scripts. */
  act: string
  /** The hidden field that it writes into with them, and what: from what stands there. */
  field: 'mainPhoto' | 'gonePhotos'
  value(before: string): string
}

/** A button that changes which photos the listing has, or their order. */
function PhotoAct({ act, field, value, ...button }: ActProps) {
  const { isAlive, write } = use(ListingForm)
  const onClick = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    const box = currentTarget.form!.elements.namedItem(field)
    write(field, value((box as HTMLInputElement).value))
  }
  return isAlive ? <button type="button" onClick={onClick} {...button} /> : <button type="submit" name="act" value={act} {...button} />
}
