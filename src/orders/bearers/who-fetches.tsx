import { m } from '#src/paraglide/messages.js'
import { BearerPicture } from './bearer-picture.tsx'

/** Photo, name and digits of the bearer, by which the seller recognises them, and the digits that the seller says. */
export function WhoFetches({ by }: { by: { name: string; pictureKey: string | null; code: string; loaded: string } }) {
  return (
    <div className="grid grid-cols-[auto_1fr] items-center gap-x-3 rounded-control border border-leaf p-3">
      <BearerPicture name={by.name} pictureKey={by.pictureKey} isLarge />
      <div className="min-w-0 wrap-anywhere">
        <p className="text-sm text-stone">{m.fetch_who()}</p>
        <p className="text-lg font-semibold">
          <bdi>{by.name}</bdi>
        </p>
        <p className="text-sm">
          {m.fetch_code()} <b className="text-2xl tracking-widest tabular-nums">{by.code}</b>
        </p>
      </div>
      <p className="col-span-2 mt-2 text-sm">{m.fetch_code_why()}</p>
      <p className="col-span-2 mt-2 text-sm">
        {m.fetch_loaded()} <b className="text-2xl tracking-widest tabular-nums">{by.loaded}</b>
      </p>
    </div>
  )
}
