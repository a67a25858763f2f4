import { redirect, type LoaderFunctionArgs, type RouterContextProvider } from 'react-router'
import { useEffect, useRef } from 'react'
import { takeLimits } from '#src/accounts/sign-in/auth-forms.server.ts'
import { requireConsent } from '#src/accounts/consent.server.ts'
import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { visitorContext } from '#src/kit/context.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { IDEMPOTENCY_KEY } from '#src/kit/records/idempotency.server.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, textOf, type FormRefusal } from '#src/kit/http/page.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { idIn } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { AddressLines } from '#src/addresses/address-lines.tsx'
import { NotCounted } from '#src/cart/not-counted.tsx'
import { useSendOnce } from '#src/ui/send-once.ts'
import { Icon } from '#src/ui/icon.tsx'
import { Input } from '#src/ui/input.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { PlaceBar } from '#src/cart/place-bar.tsx'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { TitledPanel } from '#src/ui/panels.tsx'
import { placeOrder } from './place-order.server.ts'
import { placedUnder } from './placed-orders.server.ts'
import { readConfirmOrder, codeIn, isCode } from './confirm-order-view.server.ts'
import { CheckoutFailure } from './checkout-failure.tsx'
import { CheckoutItems } from './checkout-items.tsx'
import { CheckoutPlaced } from './checkout-placed.tsx'
import { OrderSummary } from './order-summary.tsx'
import type { Route } from './+types/confirm-order-page'

export const loader = ({ request, params, context }: LoaderFunctionArgs) => {
  const router = context as Readonly<RouterContextProvider>
  const visitor = router.get(visitorContext)!
  return formLoader(async (ctx, { url, site }) => {
    const { id: buyerId } = requireViewer(ctx, url)
    await requireConsent(ctx, url)
    const takeTry = () => takeLimits(ctx, site, visitor, 'discountMinute')
    const refcode = visitor.cookies.refcode ?? ''
    return readConfirmOrder(ctx, { buyerId, addressId: idIn(params.addressId), query: url.searchParams, refcode, takeTry })
  })({ request, params, context: router })
}

export const action = pageAction('confirm-order', async (ctx, { params, form, site }): Promise<never> => {
  const addressId = idIn(params.addressId)
  const code = codeIn(textOf(form, 'code'))
  const back = (query: Record<string, string>) =>
    redirect(localized(`/confirm-order/${addressId}?${new URLSearchParams(query)}`, ctx.locale))
  // The page shows what a code is worth, so it counts the tries.
  if (textOf(form, 'act') === 'apply') throw back({ code })
  const key = textOf(form, 'attempt')
  const leadToPlaced = async () => {
    const placed = await placedUnder(ctx, key)
    if (placed !== null) throw back({ placed: String(placed) })
  }
  // A mistyped code must not cost the buyer their discount: before they order with a code, they read what it is worth.
  if (code !== '' && code !== textOf(form, 'answered')) {
    await leadToPlaced()
    throw back({ code })
  }
  const shownLines = textOf(form, 'lines')
  const shown = /^\d{1,17}$/.exec(textOf(form, 'shown'))?.[0]
  try {
    const { orders } = await placeOrder(ctx, {
      addressId,
      code: isCode(code) ? code : '',
      ...(IDEMPOTENCY_KEY.test(key) && { key }),
      ...(shown !== undefined && { shownPayable: BigInt(shown) }),
      ...(shownLines !== '' && { shownLines }),
    })
    throw back({ placed: String(orders[0]!.id) })
  } catch (error) {
    // Covers a total that was computed with another code, too.
    if (error instanceof Problem && error.code === 'PRICE_CHANGED') {
      await site.limits.giveBackQuotas(ctx.db)
      throw back({ code, changed: '1' })
    }
    // The first response was lost and the buyer has typed another code since. The order exists, so redirect to it.
    if (error instanceof Problem && error.code === 'IDEMPOTENCY_MISMATCH') await leadToPlaced()
    throw error
  }
})

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const shouldRevalidate = afterRefusalToo

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>((page) => ({
  title: page.kind === 'review' ? m.confirm_title() : page.isOver ? m.confirm_placed_over() : m.confirm_placed_title(),
  description: m.confirm_meta(),
}))

const FORM = 'confirm-order'
const canPlace = ({ isDeliverable, isBlocked }: Review) => isDeliverable && !isBlocked

type Review = Extract<Route.ComponentProps['loaderData'], { kind: 'review' }>

export default function ConfirmOrderPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const refused = actionData?.refused
  if (page.kind === 'placed') return <CheckoutPlaced placed={page} />
  return (
    <div className="space-y-2 md:space-y-4 md:py-2">
      <h1 className="text-lg md:text-2xl">{m.confirm_title()}</h1>
      {refused && (
        <CheckoutFailure
          refused={refused}
          names={new Map(page.lines.map(({ id, name }) => [id, name]))}
          form={page.lines.length > 0 && canPlace(page) ? FORM : null}
        />
      )}
      {page.lines.length === 0 ? <Empty /> : <ReviewForm key={page.addressId} page={page} refused={refused} />}
    </div>
  )
}

function Empty() {
  const to = useLocalPath()
  return (
    <div className="mx-auto max-w-xl py-6 text-center">
      <img src="/species/goat.webp" alt="" width={96} height={96} className="mx-auto mb-4" />
      <p className="text-lg font-semibold">{m.cart_empty()}</p>
      <p className="mt-2 text-stone">{m.confirm_empty_orders()}</p>
      <p className="row justify-center gap-3 mt-5">
        <a href={to('/buy/0')} className="button-primary">
          {m.cart_browse()}
        </a>
        <a href={to('/orders')} className="button-plain">
          {m.confirm_orders()}
        </a>
      </p>
    </div>
  )
}

function ReviewForm({ page, refused }: { page: Review; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const { isBusy, onSubmit } = useSendOnce(refused)
  const changed = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (page.hasChanged) changed.current?.focus()
  }, [page.hasChanged, page.attempt])
  // A retry keeps its idempotency key, also after a submit that failed offline.
  const attempt = refused?.typed.attempt ?? page.attempt
  return (
    <>
      <PostForm id={FORM} onSubmit={onSubmit} className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[1fr_24rem] lg:gap-6">
        <HiddenFields
          attempt={attempt}
          shown={String(page.sums.payable)}
          lines={page.shownLines}
          answered={page.codeSays ? page.code : undefined}
        />
        <div className="min-w-0 space-y-2 md:space-y-4">
          {page.hasChanged && !refused && (
            <p ref={changed} tabIndex={-1} role="status" className="notice font-semibold outline-none">
              {m.confirm_changed()}
            </p>
          )}
          <CheckoutItems lines={page.lines} />
          <Delivery page={page} />
          <HowToPay />
        </div>
        <TitledPanel id="summary" title={m.confirm_summary()} className="panel space-y-4 p-4 lg:sticky lg:top-20">
          <ReferralCode page={page} refused={refused} />
          <OrderSummary sums={page.sums} />
          <NotCounted lines={page.lines} />
          {page.wasted && (
            <p className="notice font-semibold">
              {m.confirm_wasted({ worth: formatRupees(page.wasted.worth), taken: formatRupees(page.wasted.taken) })}{' '}
              <a href={to('/my-cart')} className="tap-link">
                {m.confirm_open_cart()}
              </a>
            </p>
          )}
          <PlaceOrder page={page} isBusy={isBusy} />
        </TitledPanel>
      </PostForm>
    </>
  )
}

function Delivery({ page: { address, days, buyerId } }: { page: Review }) {
  const to = useLocalPath()
  return (
    <section aria-labelledby="delivery-to" className="panel px-3 pb-2 md:p-4">
      <div className="flex items-center justify-between gap-x-4 max-[20rem]:flex-wrap">
        <h2 id="delivery-to" className="flex items-center gap-2 text-base md:text-lg">
          <Icon name="truck" size={20} className="max-md:hidden" />
          {m.confirm_address()}
        </h2>
        <a href={to(`/my-addresses/buy/${buyerId}`)} className="tap-link shrink-0 font-semibold">
          {m.confirm_change()}
          <span className="sr-only">: {m.confirm_address()}</span>
        </a>
      </div>
      <AddressLines address={address} isShort />
      {days && (
        <p className="mt-1 border-t border-line pt-1 leading-snug md:mt-2 md:pt-2">
          <b className="font-semibold">{m.confirm_when(days)}</b> <span className="text-sm text-stone">{m.confirm_when_text()}</span>
        </p>
      )}
    </section>
  )
}

function HowToPay() {
  return (
    <section aria-labelledby="how-to-pay" className="rounded-card bg-turmeric-soft px-3 py-2 md:p-4">
      <h2 id="how-to-pay" className="text-base md:text-lg">
        {m.confirm_pay_title()}
      </h2>
      <ol className="list-decimal pl-5 text-sm leading-snug md:mt-2 md:space-y-1 md:pl-6 md:text-base">
        <li>{m.confirm_pay_nothing()}</li>
        <li>{m.confirm_pay_door()}</li>
        <li>{m.confirm_pay_refuse()}</li>
      </ol>
    </section>
  )
}

/** This button comes first in the form, so Enter in the field recalculates instead of ordering. */
function ReferralCode({ page, refused }: { page: Review; refused: FormRefusal | undefined }) {
  const { code, codeSays, codeWait, isCodeTyped, sums, attempt } = page
  const answer = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (isCodeTyped && !refused) answer.current?.focus()
  }, [isCodeTyped, attempt, refused])
  return (
    <div>
      <label htmlFor="code" className="label">
        {m.confirm_code()}
      </label>
      <div className="flex gap-2 max-[20rem]:flex-wrap">
        <Input
          id="code"
          key={code}
          name="code"
          defaultValue={refused?.typed.code ?? code}
          maxLength={40}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          aria-invalid={codeSays === 'wrong' || undefined}
          aria-describedby={codeSays ? 'code-hint code-answer' : 'code-hint'}
        />
        <button type="submit" name="act" value="apply" className="button-plain shrink-0 max-[20rem]:shrink">
          {m.confirm_code_apply()}
        </button>
      </div>
      <p id="code-hint" className="mt-1 text-sm text-stone">
        {m.confirm_code_hint()}
      </p>
      {codeSays && (
        <p
          ref={answer}
          id="code-answer"
          tabIndex={-1}
          role="status"
          className={`mt-1 font-semibold outline-none ${codeLook(codeSays, sums)}`}
        >
          {codeText(codeSays, sums, codeWait)}
        </p>
      )}
    </div>
  )
}

type CodeSays = NonNullable<Review['codeSays']>

function codeText(says: CodeSays, { referralDiscount, firstOrderDiscount }: Review['sums'], wait: string): string {
  if (says === 'wrong') return m.confirm_code_wrong()
  if (says === 'later') return m.confirm_code_later({ wait })
  if (referralDiscount > 0n) return m.confirm_code_taken({ amount: formatRupees(referralDiscount) })
  return firstOrderDiscount > 0n ? m.confirm_code_first() : m.confirm_code_nothing()
}

function codeLook(says: CodeSays, { referralDiscount }: Review['sums']): string {
  if (says === 'looked') return referralDiscount > 0n ? 'text-leaf' : ''
  return 'text-brick'
}

function PlaceOrder({ page, isBusy }: { page: Review; isBusy: boolean }) {
  const to = useLocalPath()
  const { isDeliverable } = page
  if (canPlace(page))
    return (
      <PlaceBar payable={page.sums.payable}>
        <button type="submit" name="act" value="place" aria-busy={isBusy} className="button-primary flex-1">
          {isBusy ? m.confirm_placing() : m.confirm_place()}
        </button>
      </PlaceBar>
    )
  return (
    <>
      {/* `aria-disabled` keeps the button focusable, so a screen reader reads it with its reason. */}
      <button type="button" aria-disabled="true" aria-describedby="why-not" className="button-off w-full">
        {m.confirm_place()}
      </button>
      <p id="why-not" className="font-semibold text-brick">
        {isDeliverable ? m.confirm_blocked() : m.confirm_no_service()}
      </p>
      <a href={to(isDeliverable ? '/my-cart' : '/coming-soon')} className="tap-link font-semibold">
        {isDeliverable ? m.confirm_open_cart() : m.confirm_no_service_more()}
      </a>
    </>
  )
}
