import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { ReceiptLink } from '#src/invoices/receipt-link.tsx'
import { WhoFetches } from '#src/orders/bearers/who-fetches.tsx'
import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Thumbnail } from '#src/ui/picture.tsx'
import { CsrfField, HiddenFields } from '#src/ui/post-form.tsx'
import { SheetButton, YesOrNo } from '#src/ui/sheet.tsx'
import { SellerLine } from './own-listings-card.tsx'
import type { ShownLine } from './own-listings-ordered.server.ts'
import type { ListPage } from './seller-product-view.server.ts'

interface LinesProps {
  page: ListPage
  action: string
  refused: FormRefusal | undefined
  countText: string
}

/** The Ordered tab: each order with its status and the seller's answer. The seller may not know the buyer. */
export function OrderedLines({ page, action, refused, countText }: LinesProps) {
  const to = useLocalPath()
  return (
    <>
      <div className="row justify-between gap-x-4">
        <p className="text-stone">{countText}</p>
        {!page.isAdmin && (
          <a href={to('/earnings')} className="tap-link font-semibold">
            {m.earn_title()}
          </a>
        )}
      </div>
      <ul className="grid gap-4 md:grid-cols-2 lg:grid-cols-3">
        {page.lines.map((line) => (
          <li key={line.id}>
            <Line
              line={line}
              action={action}
              isAdmin={page.isAdmin}
              refused={refused?.typed.id === String(line.id) ? refused : undefined}
            />
          </li>
        ))}
      </ul>
    </>
  )
}

interface LineProps extends Pick<LinesProps, 'action' | 'refused'> {
  line: ShownLine
  isAdmin: boolean
}

function Line(props: LineProps) {
  const { line, refused, isAdmin } = props
  const to = useLocalPath()
  return (
    <article id={`o${line.id}`} className="own-card">
      <p className="row gap-x-2 gap-y-1 text-sm text-stone">
        <span className={`chip ${line.look}`}>{line.statusName}</span>
        {line.deliveredOn && <b className="text-ink">{line.deliveredOn}</b>}
        {line.orderNo}
        <span className="whitespace-nowrap">{m.order_placed_on({ day: line.placed })}</span>
      </p>
      {/* The text addresses the seller. */}
      {!isAdmin && line.next && <p className={line.isAsked ? 'notice font-semibold' : ''}>{line.next}</p>}
      <Animal line={line} isAdmin={isAdmin} />
      {isAdmin && <SellerLine seller={line.seller} />}
      {line.goes && (
        <p className="flex items-start gap-2 done">
          <Icon name="truck" size={20} className="mt-0.5 shrink-0" />
          {line.goes}
        </p>
      )}
      {line.fetchedBy && <WhoFetches by={line.fetchedBy} />}
      {line.reason && <p className="remark break-words whitespace-pre-line">“{line.reason}”</p>}
      {line.photoOfRefusal && (
        <a href={`/media/${line.photoOfRefusal}-1280.jpg`} className="tap-link">
          {m.order_refusal_photo()}
        </a>
      )}
      {refused && (
        <p role="alert" className="failure">
          {refused.errors.reason ?? refused.detail}
        </p>
      )}
      <div className="mt-auto grid gap-2">
        <Steps {...props} />
        {!isAdmin && line.isDelivered && <AfterSale sellerId={line.seller.id} />}
        {isAdmin && (
          <a href={to(`/orders?q=${line.orderNo}`)} className="button-plain">
            {m.own_order_open()}
          </a>
        )}
        {line.hasCommission && (
          <ReceiptLink orderId={line.id} kind="commission" className="button-plain">
            {m.order_commission_invoice()}
          </ReceiptLink>
        )}
      </div>
    </article>
  )
}

/** The seller's possible actions after the delivery. */
function AfterSale({ sellerId }: { sellerId: number }) {
  const to = useLocalPath()
  return (
    <p className="row gap-x-4">
      <a href={to(`/seller/${sellerId}`)} className="tap-link font-semibold">
        {m.own_order_answer()}
      </a>
      <a href={to('/sell')} className="tap-link font-semibold">
        {m.own_order_next_animal()}
      </a>
    </p>
  )
}

function Animal({ line, isAdmin }: { line: ShownLine; isAdmin: boolean }) {
  const to = useLocalPath()
  return (
    <div className="flex gap-3">
      <div className="thumb">
        {line.photoKey && <Thumbnail mediaKey={line.photoKey} width={96} height={96} className="size-24 object-cover" />}
      </div>
      <div className="min-w-0 flex-1">
        <h2 className="text-base leading-snug">
          <a href={to(`/product/${line.listingId}`)} className="inline-link">
            {line.name}
          </a>
        </h2>
        <p className="text-xl font-bold">{line.total}</p>
        <p className="text-sm">
          {line.count} × {line.unitPrice}
        </p>
        <p className="text-sm text-stone">{line.code}</p>
        {line.youGet && (
          <p className="font-semibold text-leaf">{(isAdmin ? m.earn_seller_gets : m.earn_you_get)({ amount: line.youGet })}</p>
        )}
      </div>
    </div>
  )
}

function Steps({ line, action, refused }: LineProps) {
  const hidden = (act: string) => (
    <>
      <CsrfField />
      <HiddenFields act={act} id={line.id} from={line.status} />
    </>
  )
  return (
    <>
      {line.isAsked && (
        <form method="post" action={action}>
          {hidden('order-yes')}
          <button type="submit" className="button-primary w-full">
            {m.own_order_yes()}
          </button>
        </form>
      )}
      {line.mayEnd && (
        <SheetButton id={`no-${line.id}`} className="button-danger" label={m.own_order_no()}>
          <form method="post" action={action} className="space-y-3">
            {hidden('order-no')}
            <p className="font-semibold">
              {line.name} · {line.orderNo}
            </p>
            <p>{m.own_order_no_confirm()}</p>
            <Field
              id={`no-reason-${line.id}`}
              name="reason"
              autoComplete="off"
              maxLength={500}
              label={m.own_order_no_reason()}
              defaultValue={refused?.typed.reason}
            />
            <YesOrNo sheet={`no-${line.id}`} />
          </form>
        </SheetButton>
      )}
    </>
  )
}
