import { redirect } from 'react-router'
import { z } from 'zod'
import { authFormLoader, redirectWith, takeLimits } from '#src/accounts/sign-in/auth-forms.server.ts'
import { expiredCookie } from '#src/accounts/identity/session-cookies.server.ts'
import { readWish, type Wish } from '#src/accounts/sign-in/wish.ts'
import { can } from '#src/accounts/policy.ts'
import type { Ctx, Site, Visitor } from '#src/kit/context.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, pageAction, asInternalProblem, textOf } from '#src/kit/http/page.server.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { problemText } from '#src/kit/problem-text.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { CartView } from './cart-view.tsx'
import { addToCart, removeLine, setCount } from './commands.server.ts'
import { getCart } from './queries.server.ts'
import { quote } from './rules.ts'
import { MAX_COUNT, typedCount } from './schemas.ts'
import type { Route } from './+types/cart-page'

export const loader = authFormLoader(async (ctx, { url, site, visitor }) => {
  const wish = readWish(visitor.cookies[visitor.cookieNames.wish])
  if (wish && ctx.viewer) throw await grantWish(ctx, wish, site, visitor)
  const shared = { locale: ctx.locale, origin: ctx.publicOrigin }
  if (!ctx.viewer) return { ...shared, kind: 'logged-out' as const }
  const { id, typeId } = ctx.viewer
  if (!can(ctx.viewer, 'buy'))
    return { ...shared, kind: 'not-buyer' as const, profileId: id, isStaff: can(ctx.viewer, 'operate') && typeId > 5 }
  const lines = await getCart(ctx)
  const added = parseId(url.searchParams.get('added') ?? undefined)
  return {
    ...shared,
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
      return `?unadded=${wish.listingId}&why=${error.reason ?? error.code}`
    }
  }
  return redirectWith(localized(`/my-cart${await says()}`, ctx.locale), [expiredCookie(cookieNames, cookieNames.wish)])
}

const REFUSALS = ['NOT_FOUND', 'OWN_LISTING', 'OUT_OF_STOCK', 'SALE_CLOSED', 'CART_FULL', 'RATE_LIMITED'] as const

function unaddedIn(ctx: Ctx, url: URL): { id: number; detail: string } | null {
  const id = parseId(url.searchParams.get('unadded') ?? undefined)
  const why = REFUSALS.find((each) => each === url.searchParams.get('why'))
  return id === null || !why ? null : { id, detail: problemText(why, ctx.locale) }
}

/** The result of the last form, in the address. */
const DONE = ['count', 'removed'] as const

/** `act`: add (from a product's page; `id` is the listing's), count or remove (`id` is the line's). */
export const action = pageAction('cart', async (ctx, { form }): Promise<never> => {
  const id = parseId(textOf(form, 'id'))
  if (id === null) throw notFound()
  const act = acts.get(textOf(form, 'act'))
  if (!act) throw new Problem('MALFORMED')
  const query = await asInternalProblem(ctx, 'a cart could not be changed', () => act(ctx, id, form))
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

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, path: '/my-cart', title: m.cart_title(), description: m.cart_meta() }) : []

export default function CartPage({ loaderData, actionData }: Route.ComponentProps) {
  return <CartView page={loaderData} refused={actionData?.refused} />
}

export type CartPageData = Route.ComponentProps['loaderData']
