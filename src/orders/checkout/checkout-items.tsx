import type { CartLine } from '#src/cart/queries.server.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Picture, PictureGround } from '#src/ui/picture.tsx'
import { Price } from '#src/ui/price.tsx'

/** Short list of the items to order; the cart page has the full one. On a phone the address and the payment are on the same screen. */
export function CheckoutItems({ lines }: { lines: CartLine[] }) {
  const to = useLocalPath()
  return (
    <section aria-labelledby="items" className="panel px-3 pb-1 md:p-4">
      <div className="flex items-center justify-between gap-x-4 max-[20rem]:flex-wrap">
        <h2 id="items" className="text-base md:text-lg">
          {m.confirm_items()}
        </h2>
        <a href={to('/my-cart')} className="tap-link shrink-0 font-semibold">
          {m.confirm_change()}
          <span className="sr-only">: {m.confirm_items()}</span>
        </a>
      </div>
      <ul className="divide-y divide-line">
        {lines.map((line) => (
          <Item key={line.id} line={line} />
        ))}
      </ul>
    </section>
  )
}

const Item = ({ line }: { line: CartLine }) => (
  <li className="flex gap-2 pb-2 not-first:pt-2 md:gap-3 md:py-3 md:last:pb-0">
    <div className="relative size-12 shrink-0 md:size-16 overflow-hidden rounded-control bg-husk-dark">
      {line.photo && (
        <>
          <PictureGround color={line.photo.color} hash={line.photo.hash} />
          <Picture mediaKey={line.photo.key} alt="" sizes="64px" width={320} height={320} isSmall className="fill-picture" />
        </>
      )}
    </div>
    <div className="min-w-0 flex-1 wrap-anywhere">
      <h3 className="text-sm leading-snug md:text-base">{line.name}</h3>
      <p className="text-sm leading-snug text-stone max-md:hidden">
        {[line.code, line.breed, line.seller.name].filter(Boolean).join(' · ')}
      </p>
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-sm text-stone md:hidden">{line.seller.name}</span>
        <span className={line.count === 1 ? 'text-sm max-md:hidden' : 'text-sm'}>
          {m.confirm_count_price({ count: line.count, price: formatRupees(line.unitPrice) })}
        </span>
        <Price original={line.originalPrice * BigInt(line.count)} offer={line.unitPrice * BigInt(line.count)} />
      </p>
      {line.state !== 'ok' && (
        <p className="font-semibold text-brick">
          {line.state === 'short' ? m.cart_short({ wanted: line.count, stock: line.stock }) : m.cart_out_of_stock()}
        </p>
      )}
      {!line.isPickupDeliverable && <p className="text-sm font-semibold text-brick">{m.confirm_no_pickup({ place: line.place })}</p>}
    </div>
  </li>
)
