import { useEffect, useRef } from 'react'
import { NumberedName } from '#src/accounts/numbered-name.tsx'
import { PhoneLink } from '#src/accounts/phone-link.tsx'
import { ReceiptLink } from '#src/invoices/receipt-link.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Thumbnail } from '#src/ui/picture.tsx'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { SheetButton, YesOrNo } from '#src/ui/sheet.tsx'
import { BearerPicture } from '#src/orders/bearers/bearer-picture.tsx'
import { OrderDesk } from './order-card-desk.tsx'
import { FoldedTimeline, OrderTimeline } from './order-timeline.tsx'
import type { ShownOrder, ShownPlace } from './order-view.server.ts'

interface CardProps {
  order: ShownOrder
  /** The page's own address, so that forms return to the same view. */
  action: string
  refused: FormRefusal | undefined
  phone: string
  /** For admins: the bearers that the plan form offers. */
  bearers?: { id: number; name: string }[]
}

/** One order: status, next step, contents, then the details. */
export function OrderCard(props: CardProps) {
  const { order, refused } = props
  const { desk } = order
  return (
    <article id={`o${order.id}`} className="panel grid gap-3 p-3 wrap-anywhere *:min-w-0 sm:p-4">
      <Head order={order} />
      {refused && <Refused refused={refused} hasForm={order.isPaymentOpen} />}
      {desk ? (
        <>
          <Item order={order} />
          <News {...props} />
          <Places order={order} />
          <OrderDesk {...props} bearers={props.bearers ?? []} desk={desk} />
          <FoldedTimeline order={order} />
        </>
      ) : (
        <div className="grid gap-3 *:grid *:min-w-0 *:content-start *:gap-3 md:grid-cols-2 md:gap-x-6">
          {/* Buyers and sellers see the next step first. */}
          <div>
            <OrderTimeline order={order} />
            <News {...props} />
          </div>
          <div>
            <Item order={order} />
            <Places order={order} />
          </div>
        </div>
      )}
      <Actions {...props} />
    </article>
  )
}

/** Gets the focus, because the forms are far below on a phone; not where a field is wrong, or over the open question about a cancel. */
function Refused({ refused, hasForm }: { refused: FormRefusal; hasForm: boolean }) {
  const sentence = useRef<HTMLParagraphElement>(null)
  const { act = '' } = refused.typed
  useEffect(() => {
    if (act !== 'cancel' && Object.keys(refused.errors).length === 0) sentence.current?.focus()
  }, [refused, act])
  return (
    <p ref={sentence} role="alert" tabIndex={-1} className="failure scroll-mt-20">
      {refused.detail || m.error_offline_text()}
      {act === 'payment' && !hasForm && refused.typed.note && (
        <span className="block font-normal">
          <b>{m.desk_typed()}</b> {refused.typed.note}
        </span>
      )}
    </p>
  )
}

function Head({ order }: { order: ShownOrder }) {
  return (
    <header className="row gap-x-3 gap-y-1">
      <span className={`chip ${order.look}`}>{order.statusName}</span>
      {order.deliveredOn && <span className="text-sm font-semibold">{order.deliveredOn}</span>}
      <h2 className="text-base">{order.orderNo}</h2>
      <span className="text-sm text-stone">{m.order_placed_on({ day: order.placed })}</span>
      {order.desk && order.isStalled && <span className="chip-heed">{m.order_flag_still()}</span>}
      {order.desk?.isLocked && <span className="chip-bad">{m.order_flag_locked()}</span>}
      {order.desk && order.isPaymentOpen && <span className="chip-heed">{m.order_flag_payment()}</span>}
      {order.desk?.isSellerGone && <span className="chip-bad">{m.order_flag_seller()}</span>}
    </header>
  )
}

function Item({ order }: { order: ShownOrder }) {
  const to = useLocalPath()
  return (
    <div className="flex gap-3">
      <div className="thumb">
        {order.photoKey ? (
          <Thumbnail mediaKey={order.photoKey} width={96} height={96} className="size-24 object-cover" />
        ) : (
          <img src="/species/none.webp" alt="" width={96} height={96} className="size-24 opacity-60" />
        )}
      </div>
      <div className="min-w-0 flex-1">
        <p className="leading-snug font-semibold">
          <a href={to(`/product/${order.listingId}`)} className="inline-link">
            {order.name}
          </a>
        </p>
        <p className="text-sm text-stone">{order.code}</p>
        <p className="text-xl font-bold">{order.payable}</p>
        <p className="text-sm text-stone">
          {order.count} × {order.unitPrice} {order.originalPrice && <s>{order.originalPrice}</s>}
          {order.discount && <span className="block">{m.order_discount({ amount: order.discount })}</span>}
        </p>
        {!order.desk && <p className="text-sm">{m.order_sold_by({ name: order.sellerName })}</p>}
        {order.paid && <p className={`text-sm font-semibold ${order.isPaymentOpen ? '' : 'text-leaf'}`}>{order.paid}</p>}
      </div>
    </div>
  )
}

/** Delivery day, bearer, and the buyer's possible actions. */
function News({ order, phone }: CardProps) {
  const to = useLocalPath()
  const isBuyers = order.desk === null
  return (
    <>
      {!isBuyers && order.when && !order.isOver && (
        <p className="flex items-start gap-2 done">
          <Icon name="truck" size={20} className="mt-0.5 shrink-0" />
          {m.order_comes({ when: order.when })}
        </p>
      )}
      {order.broughtBy && (
        <p className="flex items-center gap-2">
          <BearerPicture {...order.broughtBy} />
          <bdi className="font-semibold wrap-anywhere">{m.order_brought_by({ name: order.broughtBy.name })}</bdi>
        </p>
      )}
      {order.after && <AfterDelivery order={order} sellerId={order.after.sellerId} />}
      {order.isAtDoor && (
        <a href={to(`/orders/${order.id}/handover`)} className="button-primary w-full">
          {order.isAnimal ? m.order_in_front() : m.order_here_now()}
        </a>
      )}
      {isBuyers && order.isStalled && (
        <p className="notice">
          {m.order_still()} <CallUs phone={phone} />
        </p>
      )}
      {order.reason && <p className="remark break-words whitespace-pre-line">“{order.reason}”</p>}
      {order.photoOfRefusal && (
        <a href={`/media/${order.photoOfRefusal}-1280.jpg`} className="tap-link gap-2">
          <img
            src={`/media/${order.photoOfRefusal}-320.jpg`}
            alt=""
            width={64}
            height={64}
            loading="lazy"
            className="size-16 rounded-control object-cover"
          />
          {m.order_refusal_photo()}
        </a>
      )}
    </>
  )
}

/** The buyer's actions after the delivery. */
function AfterDelivery({ order, sellerId }: { order: ShownOrder; sellerId: number | null }) {
  const to = useLocalPath()
  if (sellerId === null && !order.isAnimal) return null
  return (
    <section aria-label={m.order_after_title()} className="notice">
      <b className="block text-sm">{m.order_after_title()}</b>
      {order.isAnimal && (
        <a href={to(`/orders/${order.id}/first-days`)} className="tap-link font-semibold">
          {m.order_after_days()}
        </a>
      )}
      {sellerId !== null && (
        <a href={to(`/review/${sellerId}`)} className="tap-link font-semibold">
          {m.order_after_review()}
        </a>
      )}
    </section>
  )
}

function Places({ order }: { order: ShownOrder }) {
  const { desk } = order
  return (
    <div className={`grid min-w-0 content-start gap-3 text-sm ${desk ? 'sm:grid-cols-2' : ''}`}>
      <div className="min-w-0">
        {desk && <Party label={m.order_part_buyer()} party={desk.buyer} />}
        <Place label={m.order_delivery_address()} place={order.delivery} />
      </div>
      {desk && order.pickup && (
        <div className="min-w-0">
          <Party label={m.order_part_seller()} party={desk.seller} />
          <Place label={m.order_pickup_address()} place={order.pickup} />
        </div>
      )}
      {desk?.tag && <p className="sm:col-span-full">{desk.tag}</p>}
    </div>
  )
}

function Party({ label, party }: { label: string; party: { id: number; name: string; phone: string; isActive: boolean } }) {
  const to = useLocalPath()
  return (
    <p className="mb-1">
      <span className="text-stone">{label}</span>
      <br />
      <a href={to(`/admin/users/${party.id}`)} className="link -my-2 inline-block py-3 font-semibold">
        <NumberedName {...party} />
      </a>
      <br />
      {party.phone && <PhoneLink phone={party.phone} className="link -my-2 inline-block py-3 whitespace-nowrap" />}
    </p>
  )
}

export function CallUs({ phone }: { phone: string }) {
  return (
    <a href={`tel:${phone}`} className="tap-link gap-1 font-semibold whitespace-nowrap">
      <Icon name="phone" size={16} />
      {phone.replace(/^(\+91)(\d{5})(\d{5})$/, '$1 $2 $3')}
    </a>
  )
}

export function Place({ label, place }: { label: string; place: ShownPlace }) {
  return (
    <address className="wrap-anywhere not-italic">
      <span className="text-stone">{label}</span>
      <br />
      <bdi className="font-semibold">{place.name}</bdi>
      {place.lines.map((line) => (
        <bdi key={line} className="block">
          {line}
        </bdi>
      ))}
      {place.phone && <PhoneLink phone={place.phone} className="link -my-2 inline-block py-3 whitespace-nowrap" />}
    </address>
  )
}

function Actions({ order, action, refused }: CardProps) {
  const { hasPaper } = order
  if (!hasPaper && !order.mayCancel) return null
  return (
    <div className="flex flex-wrap gap-2">
      {hasPaper && (
        <ReceiptLink orderId={order.id} kind="receipt" className="button-plain">
          {m.order_invoice()}
        </ReceiptLink>
      )}
      {hasPaper && order.desk && (
        <ReceiptLink orderId={order.id} kind="commission" className="button-plain">
          {m.order_commission_invoice()}
        </ReceiptLink>
      )}
      {order.mayCancel && (
        <SheetButton id={`cancel-${order.id}`} className="button-danger" label={m.order_cancel()}>
          <PostForm action={action} className="space-y-3">
            <HiddenFields act="cancel" from={order.status} id={order.id} />
            <p className="font-semibold">
              {order.name} · {order.orderNo}
            </p>
            <p>{m.order_cancel_confirm()}</p>
            {refused?.typed.act === 'cancel' && <p className="font-semibold text-brick">{refused.detail || m.error_offline_text()}</p>}
            <YesOrNo sheet={`cancel-${order.id}`} />
          </PostForm>
        </SheetButton>
      )}
    </div>
  )
}
