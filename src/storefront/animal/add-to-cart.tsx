import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react'
import { post } from '#src/kit/http/post-json.ts'
import { m } from '#src/paraglide/messages.js'
import { Input } from '#src/ui/input.tsx'
import { Select } from '#src/ui/select.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Sheet } from '#src/ui/sheet.tsx'
import { showCartCount } from '#src/listings/cart-count.ts'
import type { ProductPageData } from './product-view.server.ts'

interface Props {
  product: ProductPageData
  csrf: string
  /** What stands beside the button. */
  children: ReactNode
}

/** As many are chosen from a list; more are typed. */
const LISTED_UP_TO = 20

type Answer = { kind: 'added' } | { kind: 'failed'; detail: string; isOffline: boolean }

/**
 * How many, and 'Add to cart': a plain form for the cart's page, which answers there; with scripts the answer stands over this page. The
 * cart comes after listings in the line of domains, so all that is known of it here is its address.
 */
export function AddToCart({ product, csrf, children }: Props) {
  const to = useLocalPath()
  const form = useRef<HTMLFormElement>(null)
  const { add, isBusy, answer } = useAdd(product)
  return (
    <>
      <form ref={form} method="post" action={to('/my-cart')} onSubmit={(event) => void add(event)} className="contents">
        <input type="hidden" name="csrf" value={csrf} />
        <input type="hidden" name="act" value="add" />
        <input type="hidden" name="id" value={product.id} />
        {product.stock === 1 ? <input type="hidden" name="count" value="1" /> : <CountPicker stock={product.stock} />}
        {children}
        <button type="submit" aria-busy={isBusy} className="button-primary px-2 text-sm leading-tight lg:text-base">
          {isBusy ? m.cart_adding() : m.cart_add()}
        </button>
      </form>
      {answer?.kind === 'added' && (
        <Modal id="cart-added" title={m.cart_added_title()}>
          <p>{m.cart_added_text({ name: product.name })}</p>
          <div className="mt-4 grid grid-cols-2 gap-2">
            <a href={to('/buy/0')} className="button-plain px-2">
              {m.cart_continue_buy()}
            </a>
            <a href={to('/my-cart')} className="button-primary px-2">
              {m.cart_view()}
            </a>
          </div>
        </Modal>
      )}
      {answer?.kind === 'failed' && (
        <Modal id="cart-failed" title={m.cart_add_failed_title()}>
          <p>{m.cart_add_failed_text()}</p>
          <p className="mt-2 font-semibold">{answer.detail}</p>
          <div className="mt-4 grid gap-2 xs:grid-cols-2">
            {answer.isOffline && (
              <button type="button" onClick={() => form.current?.requestSubmit()} className="button-primary px-2">
                {m.cart_try_again()}
              </button>
            )}
            <a href={to('/support')} className="button-plain px-2">
              {m.cart_contact_support()}
            </a>
          </div>
        </Modal>
      )}
    </>
  )
}

/** Puts the chosen number into the cart by script. */
function useAdd(product: ProductPageData) {
  const to = useLocalPath()
  const [isBusy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<Answer | null>(null)

  async function add(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const count = Number(new FormData(event.currentTarget).get('count'))
    setBusy(true)
    setAnswer(null)
    try {
      const response = await post(`/api/v1/buyercart/buyer=${product.buyerId}`, { product: product.id, items_count: count })
      // Logged out meanwhile: there and back.
      if (response.status === 401) return window.location.assign(to(`/login?next=${encodeURIComponent(to(`/product/${product.id}`))}`))
      if (response.ok) {
        showCartCount(Number(response.headers.get('X-Cart-Lines') ?? NaN))
        setAnswer({ kind: 'added' })
      } else {
        const { detail = '' } = (await response.json()) as { detail?: string }
        setAnswer({ kind: 'failed', detail, isOffline: false })
      }
    } catch {
      setAnswer({ kind: 'failed', detail: m.cart_no_line(), isOffline: true })
    } finally {
      setBusy(false)
    }
  }

  return { add, isBusy, answer }
}

/** Above the second button in the bar of a phone; a row of its own where there is room. */
function CountPicker({ stock }: { stock: number }) {
  return (
    <label className="flex min-w-0 items-center justify-end gap-2 text-sm font-semibold md:col-span-2 md:justify-start">
      {m.cart_count()}
      {stock <= LISTED_UP_TO ? (
        <Select name="count" className="w-16 shrink-0 md:w-20">
          {Array.from({ length: stock }, (_, n) => (
            <option key={n} value={n + 1}>
              {n + 1}
            </option>
          ))}
        </Select>
      ) : (
        <Input
          name="count"
          type="number"
          inputMode="numeric"
          min={1}
          max={stock}
          step={1}
          defaultValue={1}
          required
          className="w-16 shrink-0 md:w-24"
        />
      )}
    </label>
  )
}

/** Opens when it is rendered, with the focus on its first action. */
function Modal({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  useEffect(() => {
    const sheet = document.getElementById(id)
    sheet?.showPopover?.()
    sheet?.querySelector<HTMLElement>('a, .button-primary')?.focus()
  }, [id])
  return (
    <Sheet id={id} title={title} closeLabel={m.cart_close()}>
      <div role="status">{children}</div>
    </Sheet>
  )
}
