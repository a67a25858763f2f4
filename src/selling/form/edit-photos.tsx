import { use, type ChangeEvent } from 'react'
import { shrunk } from '#src/kit/device/send-picture.ts'
import { m } from '#src/paraglide/messages.js'
import { MAX_PHOTOS } from '#src/listings/listing-questions.ts'
import { ListingForm, Wrong } from './form-parts.tsx'
import type { ListingPhoto } from './photos.server.ts'

/** The listing's pictures, each with its place and a tick to remove it; and fields for new ones, which travel with the form. */
export function EditPhotos({ photos }: { photos: ListingPhoto[] }) {
  const { errors } = use(ListingForm)
  return (
    <section id="photos" aria-labelledby="photos-title" className="panel grid min-w-0 gap-3 p-4 sm:p-5">
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
          <li key={id} className="flex items-center gap-3 rounded-control border border-line bg-white p-2">
            <input type="hidden" name="photo" value={id} />
            <img
              src={`/media/${key}-320.jpg`}
              alt={m.sell_photo_number({ number: index + 1 })}
              width={96}
              height={72}
              className="h-18 w-24 shrink-0 rounded object-cover"
            />
            <div className="grid min-w-0 grow gap-2">
              <label className="flex items-center gap-2 text-sm">
                {m.edit_photo_place()}
                <select
                  name={`place-${id}`}
                  defaultValue={index + 1}
                  className="field w-18"
                  aria-label={m.edit_photo_place_of({ number: index + 1 })}
                >
                  {photos.map((_, n) => (
                    <option key={n} value={n + 1}>
                      {n + 1}
                    </option>
                  ))}
                </select>
              </label>
              <label className="flex min-h-11 items-center gap-2 text-sm">
                <input type="checkbox" name="gone" value={id} className="size-5 shrink-0 accent-brick" />
                <span>
                  {m.edit_photo_gone()}
                  <span className="sr-only"> ({index + 1})</span>
                </span>
              </label>
            </div>
          </li>
        ))}
      </ul>
      <div>
        <label htmlFor="listing-image" className="label">
          {m.edit_photo_new()}
        </label>
        <input
          id="listing-image"
          type="file"
          name="image"
          accept="image/jpeg,image/png"
          multiple
          onChange={(event) => void makeSmall(event)}
          aria-invalid={errors.image ? true : undefined}
          aria-describedby={errors.image ? 'listing-image-error listing-image-hint' : 'listing-image-hint'}
          className="min-h-11 w-full text-sm file:mr-2 file:min-h-11 file:cursor-pointer file:rounded-control file:border file:border-leaf file:bg-paper file:px-3 file:font-semibold file:text-leaf"
        />
        <Wrong name="image" error={errors.image} />
      </div>
    </section>
  )
}

/** Pictures that travel with the form are made small on the phone, too. */
async function makeSmall({ currentTarget: input }: ChangeEvent<HTMLInputElement>): Promise<void> {
  const files = [...(input.files ?? [])].slice(0, MAX_PHOTOS)
  const small = await Promise.all(files.map(async (file) => new File([await shrunk(file)], 'picture', { type: 'image/jpeg' })))
  const carrier = new DataTransfer()
  for (const file of small) carrier.items.add(file)
  input.files = carrier.files
}
