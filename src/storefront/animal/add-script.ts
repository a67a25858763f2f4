import { sendLater } from '#src/kit/device/send-later.ts'
import { post } from '#src/kit/http/post-json.ts'
import { showCartCount } from '#src/listings/cart-count.ts'

/** Puts the chosen number into the cart where one is, and says so in a sheet of the page (add-to-cart.tsx). */
export async function addToCart(event: SubmitEvent): Promise<void> {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || form.dataset.add === undefined) return
  const button = form.querySelector('button')!
  // An old browser shows a sheet in its place in the page, always: there the form's own page answers.
  if (!button.showPopover) return
  event.preventDefault()
  if (button.ariaBusy === 'true') return
  const words = button.textContent
  button.ariaBusy = 'true'
  button.textContent = button.dataset.busy!
  hide('cart-failed')
  const path = `/api/v1/buyercart/buyer=${form.dataset.buyer}`
  const body = { product: Number(form.dataset.add), items_count: Number(new FormData(form).get('count')) }
  try {
    const response = await post(path, body)
    // Logged out meanwhile: there and back.
    if (response.status === 401) return location.assign(form.dataset.signIn!)
    if (response.ok) {
      showCartCount(Number(response.headers.get('X-Cart-Lines') ?? NaN))
      show('cart-added')
    } else fail(((await response.json()) as { detail?: string }).detail ?? '')
  } catch {
    const name = document.querySelector('h1')!.textContent
    const stored = await sendLater({ kind: 'cart', method: 'POST', path, body, words: name, locale: document.documentElement.lang })
    if (stored === 'stored') dispatchEvent(new Event('acts-changed'))
    else fail(null)
  } finally {
    button.ariaBusy = null
    button.textContent = words
  }
}

/** Null: the line was lost, and it can be tried again. */
function fail(detail: string | null): void {
  const sheet = document.getElementById('cart-failed')!
  const text = sheet.querySelector<HTMLElement>('[data-detail]')!
  text.textContent = detail ?? text.dataset.detail!
  sheet.querySelector<HTMLElement>('[data-again]')!.hidden = detail !== null
  show('cart-failed')
}

const hide = (id: string) => document.getElementById(id)?.hidePopover()

/** With the focus on its first action. */
function show(id: string): void {
  const sheet = document.getElementById(id)!
  sheet.showPopover()
  sheet.querySelector<HTMLElement>('a, [data-again]:not([hidden])')?.focus()
}
