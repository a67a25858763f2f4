import { sendLater } from '#src/kit/device/send-later.ts'
import { post } from '#src/kit/http/post-json.ts'
import { showCartCount } from '#src/listings/cart-count.ts'
import { replaceAddress } from '#src/router-seams/history-entry.ts'

/** Adds the chosen number to the cart by API, and reports it in a sheet on this page (add-to-cart.tsx). */
export async function addToCart(event: SubmitEvent): Promise<void> {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || form.dataset.add === undefined) return
  const button = form.querySelector('button')!
  // An old browser would show the sheets permanently in the page, so let the form load its own page instead.
  if (!button.showPopover) return
  event.preventDefault()
  if (button.ariaBusy === 'true') return
  const label = button.textContent
  button.ariaBusy = 'true'
  button.textContent = button.dataset.busy!
  hide('cart-failed')
  const path = `/api/v1/buyercart/buyer=${form.dataset.buyer}`
  const body = { product: Number(form.dataset.add), items_count: Number(new FormData(form).get('count')) }
  try {
    const response = await post(path, body)
    // The session has ended: log in and come back.
    if (response.status === 401) return location.assign(form.dataset.signIn!)
    if (response.status >= 500) throw new Error('The market is away.')
    if (response.ok) {
      showCartCount(Number(response.headers.get('X-Cart-Lines') ?? NaN))
      show('cart-added')
    } else fail(((await response.json()) as { detail?: string }).detail ?? '')
  } catch {
    const name = document.querySelector('h1')!.textContent
    const stored = await sendLater({
      kind: 'cart',
      object: `cart-${body.product}`,
      method: 'POST',
      path,
      body,
      words: name,
      locale: document.documentElement.lang,
    })
    if (stored === 'stored') {
      dispatchEvent(new Event('acts-changed'))
      keep(document.querySelector('[data-kept]')!)
    } else fail(null)
  } finally {
    button.ariaBusy = null
    button.textContent = label
  }
}

/** Says beside the button that the item waits on the phone: the note of what waits is at the top of the page, out of sight. */
const keep = (text: HTMLElement) => void (text.textContent = text.dataset.kept!)

/** Null: the connection failed, and the person can retry. */
function fail(detail: string | null): void {
  const sheet = document.getElementById('cart-failed')!
  const text = sheet.querySelector<HTMLElement>('[data-detail]')!
  text.textContent = detail ?? text.dataset.detail!
  sheet.querySelector<HTMLElement>('[data-again]')!.hidden = detail !== null
  show('cart-failed')
}

/** After the login that interrupted "add to cart": the item is in the cart, so show the sheet (accounts/sign-in/identity-dialog.tsx). */
export function showAdded(): void {
  if (location.hash !== '#cart-added') return
  replaceAddress(location.pathname + location.search)
  const sheet = document.getElementById('cart-added')
  // An old browser shows the sheet permanently in the page.
  if (sheet && 'showPopover' in sheet) show('cart-added')
}

const hide = (id: string) => document.getElementById(id)?.hidePopover()

/** Moves the focus to the sheet's first action. */
function show(id: string): void {
  const sheet = document.getElementById(id)!
  sheet.showPopover()
  sheet.querySelector<HTMLElement>('a, [data-again]:not([hidden])')?.focus()
}
