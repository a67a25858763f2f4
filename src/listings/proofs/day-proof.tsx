import { m } from '#src/paraglide/messages.js'
import { Picture } from '#src/ui/picture.tsx'

interface ShownDayPhoto {
  key: string
  width: number
  height: number
  day: string
  /** "3 days ago" */
  when: string
  /** In both languages, because the paper shows one of them. */
  words: string[]
}

/** The day photo beside the word that must be on the paper. */
export const DayProof = ({ photo }: { photo: ShownDayPhoto }) => (
  <>
    <Picture
      mediaKey={photo.key}
      alt={m.day_photo_alt()}
      sizes="(min-width: 768px) 480px, 100vw"
      width={photo.width}
      height={photo.height}
      className="h-auto w-full rounded-control"
    />
    <p className="mt-3">
      {m.day_photo_compare()} <b className="block text-xl">{photo.words.join(' / ')}</b>
      <span className="text-sm text-stone">
        {photo.day} · {photo.when}
      </span>
    </p>
    <p className="mt-2 text-sm text-stone">{m.day_photo_text()}</p>
  </>
)
