import type { CartLine } from '#src/cart/queries.server.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Picture, PictureGround } from '#src/ui/picture.tsx'

/** A short list of what is about to be ordered; the cart has shown all of it. */
export function CheckoutItems({ lines }: { lines: CartLine[] }) {
  const to = useLocalPath()
  return (
    <section aria-labelledby="items" className="panel p-4">
      <div className="row justify-between gap-x-4">
        <h2 id="items" className="text-lg">
          {m.confirm_items()}
        </h2>
        <a href={to('/my-cart')} className="tap-link font-semibold">
          {m.confirm_change_cart()}
        </a>
      </div>
      <ul className="divide-y divide-line">
        {lines.map((line) => (
          <li key={line.id} className="flex gap-3 py-3 last:pb-0">
            <div className="relative size-16 shrink-0 overflow-hidden rounded-control bg-husk-dark">
              {line.photo && (
                <>
                  <PictureGround color={line.photo.color} hash={line.photo.hash} />
                  <Picture mediaKey={line.photo.key} alt="" sizes="64px" width={320} height={320} isSmall className="fill-picture" />
                </>
              )}
            </div>
            <div className="min-w-0 flex-1 wrap-anywhere">
              <h3 className="text-base leading-snug">{line.name}</h3>
              <p className="text-sm text-stone">{[line.code, line.breed, line.seller.name].filter(Boolean).join(' · ')}</p>
              <p className="flex flex-wrap items-baseline justify-between gap-x-3">
                <span className="text-sm">{m.confirm_count_price({ count: line.count, price: formatRupees(line.unitPrice) })}</span>
                <b>{formatRupees(line.unitPrice * BigInt(line.count))}</b>
              </p>
              {line.state !== 'ok' && (
                <p className="font-semibold text-brick">
                  {line.state === 'short' ? m.cart_short({ wanted: line.count, stock: line.stock }) : m.cart_out_of_stock()}
                </p>
              )}
              {!line.isPickupDeliverable && (
                <p className="text-sm font-semibold text-brick">{m.confirm_no_pickup({ place: line.place })}</p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
