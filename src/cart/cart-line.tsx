import { Form, useNavigation, useSubmit } from 'react-router'
import { formatRupees } from '#src/kit/time-money/money.ts'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { useSendOnce } from '#src/ui/send-once.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'
import { Picture, PictureGround } from '#src/ui/picture.tsx'
import { CsrfField, HiddenFields } from '#src/ui/post-form.tsx'
import { Price } from '#src/ui/price.tsx'
import { StepButton, Stepper } from '#src/ui/stepper.tsx'
import { VerifiedSeller } from '#src/ui/stars.tsx'
import { stockNotices } from '#src/listings/life/rules.ts'
import type { CartLine } from './queries.server.ts'

interface Props {
  line: CartLine
  refused: FormRefusal | undefined
}

/** A line with everything that B §2 lists, and its problems. */
export function CartLineCard({ line, refused }: Props) {
  const isGone = line.state === 'gone'
  return (
    <li id={`l${line.id}`} className="panel scroll-mt-20 p-3 shadow-card sm:p-4">
      <article
        aria-labelledby={`name-${line.id}`}
        className="grid grid-cols-[6rem_minmax(0,1fr)] max-[20rem]:grid-cols-[4rem_minmax(0,1fr)] gap-x-3 gap-y-3 sm:grid-cols-[9rem_1fr] sm:grid-rows-[auto_1fr] sm:gap-x-4 sm:gap-y-2"
      >
        <LinePhoto line={line} />
        <LineFacts line={line} />
        <div className="col-span-2 min-w-0 space-y-2 wrap-anywhere sm:col-span-1 sm:col-start-2">
          {line.description && <p className="line-clamp-2 text-sm text-stone">{line.description}</p>}
          {!isGone && (
            <p className="row gap-x-3 gap-y-1 text-sm">
              <span>{m.cart_sold_by({ name: line.seller.name })}</span>
              <VerifiedSeller isVerified={line.seller.isVerified} />
            </p>
          )}
          <Stock line={line} />
          <Changes line={line} />
          <Acts line={line} refused={refused} />
          {refused && (
            <p role="alert" className="failure p-2">
              {refused.errors.count ?? (refused.detail || m.cart_no_line())}
            </p>
          )}
        </div>
      </article>
    </li>
  )
}

function LineFacts({ line }: { line: CartLine }) {
  const to = useLocalPath()
  const isGone = line.state === 'gone'
  const facts = [line.age, line.gender, line.weightKg > 0 ? m.card_weight({ kg: line.weightKg }) : null].filter((fact) => fact !== null)
  return (
    <div className="min-w-0 space-y-1 wrap-anywhere">
      <h3 id={`name-${line.id}`} className="text-base leading-snug">
        {isGone ? (
          line.name
        ) : (
          <Link to={to(`/product/${line.listingId}`)} prefetch="none" className="inline-link">
            {line.name}
          </Link>
        )}
      </h3>
      <p className="text-sm text-stone">{[line.code, line.breed, isGone ? null : line.category].filter(Boolean).join(' · ')}</p>
      {facts.length > 0 && <p className="text-sm">{facts.map((fact) => fact.replaceAll(' ', '\u00a0')).join(' · ')}</p>}
      {!isGone && (
        <div className="flex flex-wrap items-baseline gap-x-2">
          <Price original={line.originalPrice} offer={line.unitPrice} />
          {line.count > 1 && (
            <p className="text-sm text-stone">
              {m.cart_each()} ·{' '}
              <b className="text-ink">{m.cart_line_total({ amount: formatRupees(line.unitPrice * BigInt(line.count)) })}</b>
            </p>
          )}
        </div>
      )}
    </div>
  )
}

function LinePhoto({ line: { photo } }: { line: CartLine }) {
  return (
    <div className="relative aspect-square self-start overflow-hidden sm:row-span-2 rounded-control bg-husk-dark">
      {photo ? (
        <>
          <PictureGround color={photo.color} hash={photo.hash} />
          <Picture
            mediaKey={photo.key}
            alt=""
            sizes="(min-width: 640px) 144px, 96px"
            width={320}
            height={320}
            isSmall
            className="fill-picture"
          />
        </>
      ) : (
        <img src="/species/none.webp" alt="" width={72} height={72} className="no-photo" />
      )}
    </div>
  )
}

function Stock({ line }: { line: CartLine }) {
  const { state, stock, count } = line
  const isIn = state === 'ok'
  return (
    <div className="space-y-1">
      <p className="row gap-x-3 gap-y-1 text-sm font-semibold">
        <span className={`chip ${isIn ? 'bg-leaf-soft text-leaf' : 'bg-brick-soft text-brick'}`}>
          {isIn ? m.cart_in_stock() : m.cart_out_of_stock()}
        </span>
        {stockNotices(stock).isHurried && <span className="text-brick">{m.cart_hurry({ count: stock })}</span>}
      </p>
      {!isIn && (
        <p className="font-semibold text-brick">
          {state === 'short' && m.cart_short({ wanted: count, stock })}
          {state === 'sold' && m.cart_sold()}
          {state === 'closed' && m.cart_closed()}
          {state === 'gone' && m.cart_gone()}
        </p>
      )}
    </div>
  )
}

/** Changes since the buyer last set the quantity. */
function Changes({ line }: { line: CartLine }) {
  const { unitPrice, seenPrice, stock, seenStock, state } = line
  const prices = { before: formatRupees(seenPrice), now: formatRupees(unitPrice) }
  const isForSale = state === 'ok' || state === 'short'
  const texts = [
    isForSale && unitPrice > seenPrice && m.cart_price_up(prices),
    isForSale && unitPrice < seenPrice && m.cart_price_down(prices),
    state === 'ok' && stock < seenStock && m.cart_stock_fewer({ before: seenStock, now: stock }),
    isForSale && !line.isPickupDeliverable && m.cart_no_pickup({ place: line.place }),
  ].filter((text) => text !== false)
  if (texts.length === 0) return null
  return (
    <ul className="notice space-y-1 text-sm">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}

/** Quantity and Remove as plain forms; with scripts the page updates in place, and a typed number is sent automatically. */
function Acts({ line, refused }: Props) {
  const { onSubmit } = useSendOnce(refused)
  const { formData } = useNavigation()
  const isBusy = formData?.get('id') === String(line.id)
  const isForSale = line.state === 'ok' || line.state === 'short'
  return (
    <div className="row justify-between gap-x-3 gap-y-2" aria-busy={isBusy}>
      {isForSale && <CountForm line={line} />}
      {line.state === 'short' && (
        <Form method="post" preventScrollReset>
          <ActFields line={line} act="count" />
          <input type="hidden" name="count" value={line.stock} />
          <button type="submit" className="button-plain px-3">
            {m.cart_take({ count: line.stock })}
            <span className="sr-only">: {line.name}</span>
          </button>
        </Form>
      )}
      <Form method="post" preventScrollReset onSubmit={onSubmit} className="ml-auto">
        <ActFields line={line} act="remove" />
        <button type="submit" className="button px-3 text-brick underline underline-offset-2 hover:bg-brick-soft">
          {m.cart_remove()}
          <span className="sr-only">: {line.name}</span>
        </button>
      </Form>
    </div>
  )
}

/** Sends a step at once, and a typed number when the field loses the focus. */
function CountForm({ line }: Omit<Props, 'refused'>) {
  const submit = useSubmit()
  const step = (sign: '+' | '−', label: string, isOff: boolean) => (
    <StepButton
      type="submit"
      name="step"
      value={sign === '+' ? 1 : -1}
      sign={sign}
      disabled={isOff}
      aria-label={`${label}: ${line.name}`}
    />
  )
  return (
    <Form method="post" preventScrollReset className="row gap-x-3 gap-y-2">
      <ActFields line={line} act="count" />
      {/* The first button, so that Enter submits it. */}
      <button type="submit" className="sr-only focus:not-sr-only">
        {m.cart_update()}
      </button>
      <Stepper
        // The key resets the field to the server's value.
        key={line.count}
        type="number"
        name="count"
        defaultValue={line.count}
        min={1}
        max={Math.max(1, line.stock)}
        step={1}
        inputMode="numeric"
        aria-label={m.cart_count_of({ name: line.name })}
        onBlur={({ currentTarget: { form, validity, value } }) => {
          const isOther = value !== '' && Number(value) !== line.count
          if (isOther && validity.valid && form) void submit(form, { preventScrollReset: true })
        }}
        less={step('−', m.cart_less(), line.count <= 1 || line.count - 1 > line.stock)}
        more={step('+', m.cart_more(), line.count >= line.stock)}
      />
    </Form>
  )
}

function ActFields({ line, act }: Omit<Props, 'refused'> & { act: 'count' | 'remove' }) {
  return (
    <>
      <CsrfField />
      <HiddenFields act={act} id={line.id} />
    </>
  )
}
