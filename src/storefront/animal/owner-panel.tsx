import { useSearchParams } from 'react-router'
import { m } from '#src/paraglide/messages.js'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { useFetcherForm } from '#src/ui/use-fetcher-form.ts'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { sharePathOf } from './contact-links.ts'
import { statusPath } from '../sharing/share-path.ts'
import type { ProductPageData } from './product-view.server.ts'
import { QuickEditForm } from '#src/selling/own/quick-edit-form.tsx'
import { Sale, StepButton, Withdraw } from '#src/selling/own/own-steps.tsx'

/** On the seller's own product page, in place of the cart (A §6): stock, weight, prices, and the listing's other steps. */
export function OwnerPanel({ product }: { product: ProductPageData }) {
  const to = useLocalPath()
  // The seller's list handles the forms. With only this listing on it, a refused form appears again in the right place.
  const action = to(`/seller-product/?listing=${product.id}`)
  const isOpen = product.state === 'pending' || product.state === 'passed' || product.state === 'failed'
  const canEdit = isOpen && product.availability !== 'sold'
  return (
    <section aria-labelledby="owner-title" className="panel space-y-4 p-4">
      <div>
        <h2 id="owner-title" className="text-xl">
          {m.product_your_own()}
        </h2>
        <AskedBy count={product.askedBy ?? 0} />
      </div>
      <DoneHere />
      {canEdit && <OwnEdit product={product} action={action} />}
      {canEdit && (
        <div className="grid gap-2 border-t border-line pt-4 sm:grid-cols-2">
          <Sale id={product.id} name={product.name} action={action} isFromProduct />
          {product.state === 'passed' && (
            <StepButton act="renew" id={product.id} action={action} isFromProduct className="button-plain w-full px-2">
              {product.availability === 'closed' ? m.own_still() : m.own_renew()}
            </StepButton>
          )}
          <Withdraw id={product.id} name={product.name} action={action} isFromProduct className="button-plain px-2" />
        </div>
      )}
      {product.state === 'passed' && <Tell product={product} />}
      <div className="flex flex-wrap gap-x-5">
        {product.state !== 'withdrawn' && product.availability !== 'sold' && (
          <a href={to(`/seller-product/${product.id}/edit`)} className="tap-link font-semibold">
            {m.owner_full_edit()}
          </a>
        )}
        {!canEdit && (
          <a href={action} className="tap-link font-semibold">
            {m.own_relist()}
          </a>
        )}
        <StepButton act="copy" id={product.id} action={action} className="tap-link cursor-pointer">
          {m.own_copy()}
        </StepButton>
        <a href={to('/seller-product/')} className="tap-link">
          {m.owner_all()}
        </a>
      </div>
    </section>
  )
}

/** Update stays on this page, after a refusal too; without scripts a refused form appears on the seller's list. */
function OwnEdit({ product, action }: { product: ProductPageData; action: string }) {
  const [query] = useSearchParams()
  const { refused, ...onProduct } = useFetcherForm(undefined)
  const done = refused || onProduct.isBusy ? null : query.get('done')
  return (
    <>
      {done === 'updated' && <FormDone>{m.own_done_updated()}</FormDone>}
      {done === 'pending' && <FormDone>{m.own_done_pending()}</FormDone>}
      {refused && <FormFailure {...refused} />}
      <QuickEditForm listing={product} action={action} refused={refused} onProduct={onProduct} />
    </>
  )
}

const AskedBy = ({ count }: { count: number }) =>
  count > 0 && <p className="text-stone">{count === 1 ? m.own_asked_one() : m.own_asked({ count })}</p>

/** Acts that end here, beside Update. */
function DoneHere() {
  const [query] = useSearchParams()
  const done = query.get('done')
  const text =
    done === 'renewed' ? m.own_done_renewed : done === 'withdrawn' ? m.own_done_withdrawn : done === 'sold' ? m.own_done_sold : null
  return text && <FormDone>{text()}</FormDone>
}

/** Sharing with the seller's friends and groups. */
const Tell = ({ product }: { product: ProductPageData }) => (
  <div className="grid gap-2 border-t border-line pt-4 sm:grid-cols-2">
    <a href={sharePathOf(product)} target="_blank" rel="noopener noreferrer" className="button-plain px-2">
      <Icon name="share" size={20} className="shrink-0" />
      {m.product_share()}
    </a>
    <a href={statusPath(product.id, product.locale)} download className="button-plain px-2">
      <Icon name="camera" size={20} className="shrink-0" />
      {m.owner_status()}
    </a>
  </div>
)
