import { redirect } from 'react-router'
import { z } from 'zod'
import { useEffect, useRef } from 'react'
import { authFormLoader, redirectWith, takeLimits } from '#src/accounts/sign-in/auth-forms.server.ts'
import { expiredCookie } from '#src/accounts/identity/session-cookies.server.ts'
import { readWish, type Wish } from '#src/accounts/sign-in/wish.ts'
import { can } from '#src/accounts/policy.ts'
import type { Ctx, Site, Visitor } from '#src/kit/context.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, pageAction, textOf, type FormRefusal } from '#src/kit/http/page.server.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { fileRefusal, refusalInUrl } from '#src/kit/problem-text.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { showCartCount } from '#src/listings/cart-count.ts'
import { Icon } from '#src/ui/icon.tsx'
import { TitledPanel } from '#src/ui/panels.tsx'
import { PlaceBar } from './place-bar.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { addToCart, removeLine, setCount } from './commands.server.ts'
import { getCart } from './queries.server.ts'
import { quote } from './rules.ts'
import { MAX_COUNT, typedCount } from './schemas.ts'
import { CartLineCard } from './cart-line.tsx'
import { NotCounted } from './not-counted.tsx'
import type { Route } from './+types/cart-page'

export const loader = authFormLoader(async (ctx, { url, site, visitor }) => {
  const wish = readWish(visitor.cookies[visitor.cookieNames.wish])
  if (wish && ctx.viewer) throw await grantWish(ctx, wish, site, visitor)
  if (!ctx.viewer) return { kind: 'logged-out' as const }
  const { id, typeId } = ctx.viewer
  if (!can(ctx.viewer, 'buy')) return { kind: 'not-buyer' as const, profileId: id, isStaff: can(ctx.viewer, 'operate') && typeId > 5 }
  const lines = await getCart(ctx)
  const added = parseId(url.searchParams.get('added') ?? undefined)
  return {
    kind: 'cart' as const,
    buyerId: id,
    lines,
    sums: quote(
      lines.filter(({ state }) => state === 'ok'),
      null,
    ),
    isBlocked: lines.some(({ state }) => state !== 'ok'),
    unadded: unaddedIn(ctx, url),
    added: lines.find(({ listingId }) => listingId === added)?.name ?? null,
    done: DONE.find((each) => each === url.searchParams.get('done')) ?? null,
  }
})

/** Puts the animal that a visitor wanted before their login into the cart, once, and shows the result. */
async function grantWish(ctx: Ctx, wish: Wish, site: Site, visitor: Visitor): Promise<Response> {
  const { cookieNames } = visitor
  const says = async () => {
    if (!can(ctx.viewer, 'buy')) return ''
    try {
      await takeLimits(ctx, site, visitor, 'writeMinute', 'writeDay')
      await addToCart(ctx, wish)
      return `?added=${wish.listingId}`
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return `?unadded=${wish.listingId}&why=${error.reason ?? refusalInUrl(error)}`
    }
  }
  return redirectWith(localized(`/my-cart${await says()}`, ctx.locale), [expiredCookie(cookieNames, cookieNames.wish)])
}

const REFUSALS = ['NOT_FOUND', 'OWN_LISTING', 'OUT_OF_STOCK', 'SALE_CLOSED', 'CART_FULL', 'RATE_LIMITED'] as const

function unaddedIn(ctx: Ctx, url: URL): { id: number; detail: string } | null {
  const id = parseId(url.searchParams.get('unadded') ?? undefined)
  const asked = url.searchParams.get('why') ?? ''
  const why = REFUSALS.find((each) => each === asked.split(':')[0])
  return id === null || !why ? null : { id, detail: fileRefusal(asked, ctx.locale, why) ?? '' }
}

/** The result of the last form, in the address. */
const DONE = ['count', 'removed'] as const

/** `act`: add (from a product's page; `id` is the listing's), count or remove (`id` is the line's). */
export const action = pageAction('cart', async (ctx, { form }): Promise<never> => {
  const id = parseId(textOf(form, 'id'))
  if (id === null) throw notFound()
  const act = acts.get(textOf(form, 'act'))
  if (!act) throw new Problem('MALFORMED')
  const query = await act(ctx, id, form)
  throw redirect(localized(`/my-cart?${query}`, ctx.locale))
})

const acts = new Map<string, (ctx: Ctx, id: number, form: FormData) => Promise<string>>(
  Object.entries({
    add: async (ctx, id, form) => {
      await addToCart(ctx, { listingId: id, count: countIn(form) })
      return `added=${id}`
    },
    count: async (ctx, id, form) => {
      await setCount(ctx, id, countIn(form))
      return `done=count#l${id}`
    },
    remove: async (ctx, id) => {
      await removeLine(ctx, id)
      return 'done=removed'
    },
  } satisfies Record<string, (ctx: Ctx, id: number, form: FormData) => Promise<string>>),
)

/** The typed number, plus or minus one when that button was pressed. */
function countIn(form: FormData): number {
  const { count } = parseInput(z.object({ count: typedCount }), { count: textOf(form, 'count') })
  const step = { '1': 1, '-1': -1 }[textOf(form, 'step')] ?? 0
  return Math.min(MAX_COUNT, Math.max(1, count + step))
}

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const shouldRevalidate = afterRefusalToo

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.cart_title(), description: m.cart_meta() }))

/** 'Your Shopping Cart Items' of B §2. */
export default function CartPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const refused = actionData?.refused
  const to = useLocalPath()
  return (
    <div className="space-y-4 py-2">
      <h1 className="text-2xl">{m.cart_title()}</h1>
      {page.kind === 'logged-out' && (
        <div className="empty-panel mx-auto max-w-xl">
          {refused && <FormFailure detail={refused.detail} />}
          <p className="text-lg font-semibold">{m.cart_logged_out()}</p>
          <p className="text-stone">{m.cart_logged_out_text()}</p>
          <a href={to(`/login?next=${encodeURIComponent(to('/my-cart'))}`)} className="button-primary">
            {m.cart_sign_in()}
          </a>
        </div>
      )}
      {page.kind === 'not-buyer' && (
        <div className="empty-panel mx-auto max-w-xl">
          {refused && <FormFailure detail={refused.detail} />}
          <p>{page.isStaff ? m.cart_not_buyer_staff() : m.cart_not_buyer()}</p>
          <a href={to(page.isStaff ? '/orders' : `/userprofile/${page.profileId}`)} className="button-primary">
            {page.isStaff ? m.menu_all_orders() : m.cart_profile()}
          </a>
        </div>
      )}
      {page.kind === 'cart' && <Cart page={page} refused={refused} />}
    </div>
  )
}

type FullCart = Extract<Route.ComponentProps['loaderData'], { kind: 'cart' }>

function Cart({ page, refused }: { page: FullCart; refused: FormRefusal | undefined }) {
  const { lines } = page
  useEffect(() => showCartCount(lines.length), [lines.length])
  const refusedLine = refused && refused.typed.act !== 'add' ? lines.find(({ id }) => String(id) === refused.typed.id) : undefined
  return (
    <>
      <News page={page} refused={refused} isAtLine={refusedLine !== undefined} />
      {lines.length === 0 ? (
        <Empty />
      ) : (
        <div className="grid items-start gap-4 lg:grid-cols-[1fr_22rem] lg:gap-6">
          <section aria-labelledby="cart-lines">
            <h2 id="cart-lines" className="mb-2 text-base font-semibold text-stone">
              {lines.length === 1 ? m.cart_lines_one() : m.cart_lines({ count: lines.length })}
            </h2>
            <ul className="grid gap-3">
              {lines.map((line) => (
                <CartLineCard key={line.id} line={line} refused={line === refusedLine ? refused : undefined} />
              ))}
            </ul>
          </section>
          <Sums page={page} />
        </div>
      )}
    </>
  )
}

/** The result of the last act, announced to screen readers also after an update in place. */
function News({ page, refused, isAtLine }: { page: FullCart; refused: FormRefusal | undefined; isAtLine: boolean }) {
  const to = useLocalPath()
  const newsBox = useRef<HTMLDivElement>(null)
  const news = refused ?? page.done ?? page.added ?? page.unadded?.id
  const seen = useRef(news)
  useEffect(() => {
    if (seen.current === news) return
    seen.current = news
    // The pressed button may have disappeared with its line.
    if (document.activeElement === document.body) newsBox.current?.focus()
  }, [news])
  const isFailedAdd = refused?.typed.act === 'add'
  return (
    <div ref={newsBox} tabIndex={-1} className="outline-none empty:hidden">
      {isFailedAdd && <AddFailed id={refused.typed.id} detail={refused.detail} />}
      {!refused && page.unadded && <AddFailed {...page.unadded} />}
      {refused && !isFailedAdd && !isAtLine && (
        <div className="space-y-1">
          <FormFailure detail={refused.code === 'NOT_FOUND' ? m.cart_line_gone() : refused.detail || m.cart_no_line()} />
          {refused.code === 'NOT_FOUND' && (
            <a href={to('/orders')} className="tap-link font-semibold">
              {m.cart_orders()}
            </a>
          )}
        </div>
      )}
      {!refused && page.added !== null && <Added name={page.added} />}
      {!refused && page.done && <FormDone>{page.done === 'count' ? m.cart_done_count() : m.cart_done_removed()}</FormDone>}
    </div>
  )
}

/** B §3: the animal could not be added to the cart. */
function AddFailed({ id, detail }: { id: number | string | undefined; detail: string }) {
  const to = useLocalPath()
  return (
    <section aria-labelledby="add-failed" className="rounded-card bg-brick-soft p-4">
      <div role="alert">
        <h2 id="add-failed" className="text-lg text-brick">
          {m.cart_add_failed_title()}
        </h2>
      </div>
      <p className="mt-1">{m.cart_add_failed_text()}</p>
      <p className="mt-1 font-semibold">{detail || m.cart_no_line()}</p>
      <p className="mt-3 flex flex-wrap gap-2">
        <a href={to(`/product/${id}`)} className="button-primary">
          {m.cart_back_to_item()}
        </a>
        <a href={to('/support')} className="button-plain">
          {m.cart_contact_support()}
        </a>
      </p>
    </section>
  )
}

function Added({ name }: { name: string }) {
  const to = useLocalPath()
  return (
    <section className="row panel gap-x-6 gap-y-3 border-leaf bg-leaf-soft p-4">
      <div role="status" className="min-w-0 flex-1 basis-64">
        <h2 className="flex items-center gap-2 text-lg text-leaf">
          <Icon name="badge" size={24} className="shrink-0" />
          {m.cart_added_title()}
        </h2>
        <p className="mt-1">{m.cart_added_text({ name })}</p>
      </div>
      <p className="flex flex-wrap gap-2">
        <a href={to('/buy/0')} className="button-plain">
          {m.cart_continue_buy()}
        </a>
        <a href="#cart-lines" className="button-primary">
          {m.cart_view()}
        </a>
      </p>
    </section>
  )
}

function Empty() {
  const to = useLocalPath()
  return (
    <div className="mx-auto max-w-xl py-8 text-center">
      <img src="/species/goat.webp" alt="" width={96} height={96} className="mx-auto mb-4" />
      <p className="text-lg font-semibold">{m.cart_empty()}</p>
      <p className="mt-2 text-stone">{m.cart_empty_text()}</p>
      <a href={to('/buy/0')} className="button-primary mt-5">
        {m.cart_browse()}
      </a>
    </div>
  )
}

function Sums({ page: { lines, sums, isBlocked, buyerId } }: { page: FullCart }) {
  const to = useLocalPath()
  return (
    <TitledPanel id="cart-total" title={m.cart_total_title()} className="panel space-y-3 p-4 lg:sticky lg:top-20">
      <dl className="grid grid-cols-[1fr_auto] gap-y-1">
        <dt>{m.cart_price()}</dt>
        <dd className="pl-4 text-right">{formatRupees(sums.price + sums.savings)}</dd>
        {sums.savings > 0n && (
          <>
            <dt className="text-leaf">{m.cart_savings()}</dt>
            <dd className="pl-4 text-right font-semibold text-leaf">{formatRupees(sums.savings)}</dd>
          </>
        )}
        <dt className="mt-1 border-t border-line pt-2 font-semibold">{m.cart_total()}</dt>
        <dd className="mt-1 border-t border-line pt-2 pl-4 text-right text-xl font-bold">{formatRupees(sums.payable)}</dd>
      </dl>
      <NotCounted lines={lines} />
      <p className="notice text-sm">{m.cart_pay_hint()}</p>
      {isBlocked ? (
        <>
          {/* `aria-disabled` keeps the button focusable, so that a screen reader reads its reason. */}
          <button type="button" aria-disabled="true" aria-describedby="cart-blocked" title={m.cart_blocked()} className="button-off w-full">
            {m.cart_continue()}
          </button>
          <p id="cart-blocked" className="font-semibold text-brick">
            {m.cart_blocked()}
          </p>
        </>
      ) : (
        <PlaceBar payable={sums.payable}>
          <a href={to(`/my-addresses/buy/${buyerId}`)} className="button-primary flex-1">
            {m.cart_continue()}
            <Icon name="next" size={18} />
          </a>
        </PlaceBar>
      )}
    </TitledPanel>
  )
}
