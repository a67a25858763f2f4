import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { AccountMenu } from './account-menu.tsx'
import type { FrameViewer } from './frame-viewer.ts'

/** The end of the header: the cart with its count (not at a desk), the login, and the menu. Rendered on the server only. */
export function HeaderOwn({ viewer, isDesk }: { viewer: FrameViewer | null; isDesk: boolean }) {
  const to = useLocalPath()
  return (
    <>
      {!isDesk && <Cart viewer={viewer} />}
      {!viewer && (
        <a
          href={to('/login')}
          className="hidden min-h-11 items-center gap-1.5 rounded-control px-3 text-sm font-semibold hover:bg-leaf-dark md:flex"
        >
          <Icon name="login" size={20} />
          <span className="sr-only lg:not-sr-only">{m.frame_login()}</span>
        </a>
      )}
      <AccountMenu viewer={viewer} isDesk={isDesk} />
    </>
  )
}

function Cart({ viewer }: { viewer: FrameViewer | null }) {
  const to = useLocalPath()
  return (
    <a href={to('/my-cart')} className="icon-button relative hover:bg-leaf-dark">
      <span className="sr-only">{m.frame_cart()}</span>
      <Icon name="cart" size={22} />
      {viewer && viewer.cartLines !== null && (
        // listings/cart-count.ts updates it.
        <span
          id="cart-count"
          hidden={viewer.cartLines === 0}
          className="absolute top-0.5 right-0.5 min-w-5 rounded-full bg-turmeric px-1 text-center text-sm leading-5 font-bold text-ink"
        >
          {viewer.cartLines}
        </span>
      )}
    </a>
  )
}
