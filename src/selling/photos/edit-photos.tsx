import { use, type ChangeEvent } from 'react'
import { DETAIL_WIDTH } from '#src/kit/media/media-url.ts'
import { shrunk } from '#src/kit/device/send-picture.ts'
import { m } from '#src/paraglide/messages.js'
import { MAX_PHOTOS } from '#src/listings/listing-questions.ts'
import { Choice } from '#src/ui/choice.tsx'
import { FileField } from '#src/ui/file-field.tsx'
import { PhotoTile } from '#src/ui/photo-tile.tsx'
import { Select } from '#src/ui/select.tsx'
import { ListingForm } from '#src/selling/form/form-parts.tsx'
import type { ListingPhoto } from './photos.server.ts'

/** The listing's pictures, each with its place and a tick to remove it; and fields for new ones, which travel with the form. */
export function EditPhotos({ photos }: { photos: ListingPhoto[] }) {
  const { errors } = use(ListingForm)
  return (
    <section id="photos" aria-labelledby="photos-title" className="form-panel gap-3 sm:p-5">
      <div>
        <h2 id="photos-title" className="text-lg">
          {m.sell_photos_title()}
        </h2>
        <p id="listing-image-hint" className="text-sm text-stone">
          {m.sell_photos_hint()}
        </p>
      </div>
      <ul className="grid gap-2">
        {photos.map(({ id, key }, index) => (
          <PhotoTile key={id} url={`/media/${key}-320.jpg`} alt={m.sell_photo_number({ number: index + 1 })}>
            <input type="hidden" name="photo" value={id} />
            <label className="flex items-center gap-2">
              {m.edit_photo_place()}
              <Select
                name={`place-${id}`}
                defaultValue={index + 1}
                className="w-18"
                aria-label={m.edit_photo_place_of({ number: index + 1 })}
              >
                {photos.map((_, n) => (
                  <option key={n} value={n + 1}>
                    {n + 1}
                  </option>
                ))}
              </Select>
            </label>
            <Choice type="checkbox" name="gone" value={id} className="gap-2" tick="accent-brick">
              <span>
                {m.edit_photo_gone()}
                <span className="sr-only"> ({index + 1})</span>
              </span>
            </Choice>
          </PhotoTile>
        ))}
      </ul>
      <FileField
        id="listing-image"
        name="image"
        multiple
        onChange={(event) => void makeSmall(event)}
        label={m.edit_photo_new()}
        error={errors.image}
        aria-describedby={errors.image ? 'listing-image-error listing-image-hint' : 'listing-image-hint'}
      />
    </section>
  )
}

/** Pictures that travel with the form are made small on the phone, too. */
async function makeSmall({ currentTarget: input }: ChangeEvent<HTMLInputElement>): Promise<void> {
  const files = [...(input.files ?? [])].slice(0, MAX_PHOTOS)
  const small = await Promise.all(
    files.map(async (file) => new File([await shrunk(file, DETAIL_WIDTH)], 'picture', { type: 'image/jpeg' })),
  )
  const carrier = new DataTransfer()
  for (const file of small) carrier.items.add(file)
  input.files = carrier.files
}
