import { useEffect, useRef, type ReactNode } from 'react'
import { redirect } from 'react-router'
import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { getIdentity } from '#src/accounts/identity/identity.server.ts'
import { addressTypes } from '#src/accounts/reference-data.ts'
import { can, requireLoggedIn } from '#src/accounts/policy.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'
import { parseInput } from '#src/kit/parse-input.ts'
import { idIn } from '#src/kit/ids.ts'
import { MAX_ADDRESSES } from './address-limits.ts'
import { addressInput } from './address-schemas.ts'
import { addAddress, changeAddress, getTypedPlace, removeAddress } from './addresses.server.ts'
import { AddressBook } from './address-book.tsx'
import { AddressForm } from './address-form.tsx'
import { AddressRemoval } from './address-removal.tsx'
import { AddressSaved } from './address-saved.tsx'
import { findBook, findProposed, shownPlaceOf, type Purpose, type ShownAddress, type ShownPlace } from './addresses-view.server.ts'
import type { Route } from './+types/addresses-page'

export const loader = formLoader(
  async (ctx, { params, url, site }) => {
    const viewer = requireViewer(ctx, url)
    const own = ownPath(viewer, params)
    if (own !== null) throw redirect(localized(own, ctx.locale))
    const book = await findBook(ctx, viewer.id, site.noteAway)
    const purpose = purposeOf(viewer, params.type)
    const proposed = book && purpose === 'buy' ? await findProposed(ctx, viewer.id, book) : null
    return {
      path: bookPath(params),
      purpose,
      book: book && book.toSorted((a, b) => Number(b.id === proposed) - Number(a.id === proposed)),
      proposed,
      view: viewOf(url.searchParams, book),
      own: book ? await ownContact(ctx) : undefined,
      types: addressTypes.map((type) => ({ id: type.id, name: type[ctx.locale] })),
    }
  },
  ({ book }) => (book ? 200 : 503),
)

type View =
  | { kind: 'book'; done: 'changed' | 'removed' | null }
  | { kind: 'saved'; address: ShownAddress }
  | { kind: 'change'; address: ShownAddress }
  | { kind: 'remove'; address: ShownAddress }

/** Changing and removing have addresses such as `?change=7`, so they work without scripts. NOT_FOUND for another person's address. */
function viewOf(query: URLSearchParams, book: ShownAddress[] | null): View {
  for (const kind of ['change', 'remove', 'saved'] as const) {
    const id = query.get(kind)
    if (id === null || !book) continue
    const address = book.find((each) => String(each.id) === id)
    if (address) return { kind, address }
    // When the saved address was deleted meanwhile, show the book; the other views need the address.
    if (kind !== 'saved') throw notFound()
  }
  const done = query.get('done')
  return { kind: 'book', done: done === 'changed' || done === 'removed' ? done : null }
}

/** The id after `buy` is the buyer's (B §2). Returns the viewer's own path for another person's id; null when it is the viewer's. */
function ownPath(viewer: Viewer, { type = '', orderId }: { type?: string; orderId?: string }): string | null {
  return type.toLowerCase() !== 'buy' || orderId === String(viewer.id) ? null : `/my-addresses/buy/${viewer.id}`
}

/** People who may not buy have an address book without deliveries. The book is always the viewer's own. */
const purposeOf = (viewer: Viewer, type = ''): Purpose => {
  const name = type.toLowerCase()
  if (name === 'sell') return 'sell'
  return name === 'buy' && can(viewer, 'buy') ? 'buy' : 'manage'
}
const bookPath = ({ type, orderId }: { type?: string; orderId?: string }) =>
  type && orderId ? `/my-addresses/${encodeURIComponent(type.toLowerCase())}/${encodeURIComponent(orderId)}` : '/my-addresses'

/** The form's data after a PIN code lookup without scripts. */
interface Looked {
  place: ShownPlace
  typed: Record<string, string>
}

export const action = pageAction('addresses', async (ctx, { params, form }): Promise<Looked> => {
  const typed = Object.fromEntries(
    ['id', 'name', 'phone', 'typeId', 'address1', 'address2', 'pincode'].map((name) => [name, textOf(form, name)]),
  )
  const back = (query: string) => redirect(localized(`${bookPath(params)}?${query}`, ctx.locale))
  switch (form.get('act')) {
    case 'lookup': {
      const { pincode } = parseInput(addressInput.pick({ pincode: true }), typed)
      return { place: await placeOf(ctx, pincode), typed }
    }
    case 'remove': {
      await removeAddress(ctx, idIn(typed.id))
      throw back('done=removed')
    }
    case 'change': {
      const input = parseInput(addressInput, typed)
      await changeAddress(ctx, idIn(typed.id), input)
      throw back('done=changed')
    }
    default: {
      const input = parseInput(addressInput, typed)
      const { id: ownerId } = requireLoggedIn(ctx)
      const id = await addAddress(ctx, ownerId, input)
      throw back(`saved=${id}`)
    }
  }
})

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>((page) => ({
  path: page.path,
  title: headings[page.purpose].title(),
  description: headings[page.purpose].text(),
}))

const headings = {
  buy: { title: m.address_buy_title, text: m.address_buy_text },
  sell: { title: m.address_sell_title, text: m.address_sell_text },
  manage: { title: m.address_manage_title, text: m.address_manage_text },
}

/** Default name and number of a new address: the viewer's. */
async function ownContact(ctx: Ctx): Promise<{ name: string; phone: string }> {
  const { name, phone } = await getIdentity(ctx)
  return { name, phone }
}

const placeOf = async (ctx: Ctx, pincode: string): Promise<ShownPlace> => shownPlaceOf(ctx, await getTypedPlace(ctx, pincode))

export default function AddressesPage({ loaderData, actionData }: Route.ComponentProps) {
  const { view, purpose, book, proposed, types, path, own } = loaderData
  const refused = actionData?.refused
  const heading = useHeadingFocus(view.kind === 'book' ? `book ${view.done ?? ''}` : view.kind)
  const form = { types, path, own, refused, looked: actionData?.done }
  const title = (text: string) => (
    <h1 ref={heading} tabIndex={-1} className="text-2xl outline-none">
      {text}
    </h1>
  )
  if (view.kind === 'saved')
    return (
      <Column>
        <AddressSaved title={title} purpose={purpose} address={view.address} path={path} />
      </Column>
    )
  if (view.kind === 'remove')
    return (
      <Column>
        {title(m.address_delete_title())}
        <AddressRemoval address={view.address} path={path} refused={refused} />
      </Column>
    )
  if (view.kind === 'change')
    return (
      <Column>
        {title(m.address_change_title())}
        {view.address.listings > 0 && <p className="mt-2 text-stone">{m.address_change_listings({ count: view.address.listings })}</p>}
        <AddressForm key={view.address.id} {...form} address={view.address} />
      </Column>
    )
  const isFirstPickup = purpose === 'sell' && book?.length === 0
  return (
    <Column>
      {isFirstPickup && <FirstStep />}
      {title(headings[purpose].title())}
      <p className="mt-2 text-stone">{book?.length === 0 ? m.address_none() : headings[purpose].text()}</p>
      {view.done && (
        <p role="status" className="done mt-4">
          {view.done === 'changed' ? m.address_changed() : m.address_removed()}
        </p>
      )}
      <AddressBook book={book} purpose={purpose} proposed={proposed} path={path} />
      <section aria-labelledby="new-address" className="mt-4">
        <h2 id="new-address" className="text-xl">
          {m.address_new_title()}
        </h2>
        {book && book.length >= MAX_ADDRESSES ? (
          <p className="mt-3">{m.address_full()}</p>
        ) : (
          <AddressForm {...form} address={null} isFirst={book?.length === 0} />
        )}
      </section>
    </Column>
  )
}

/** A first listing starts with the pickup address (A §8); the form follows. */
function FirstStep() {
  const to = useLocalPath()
  return (
    <>
      <Link to={to('/')} className="tap-link">
        {m.address_sell_back()}
      </Link>
      <p className="note mb-3 font-semibold">{m.address_sell_step()}</p>
    </>
  )
}

const Column = ({ children }: { children: ReactNode }) => <div className="mx-auto max-w-2xl py-2 md:py-4">{children}</div>

/** Moves the focus to the heading when the view changes; for the first view the document announces itself. */
function useHeadingFocus(view: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  const seen = useRef(view)
  useEffect(() => {
    if (seen.current === view) return
    seen.current = view
    heading.current?.focus()
  }, [view])
  return heading
}
