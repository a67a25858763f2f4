import { useSearchParams } from 'react-router'
import { m } from '#src/paraglide/messages.js'
import { FormDone } from '#src/ui/form-failure.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import type { ProductPageData } from './product-view.server.ts'
import { VerificationForm } from '#src/verification/verification-form.tsx'
import { DuplicateList, stateTexts, VerdictHistory } from '#src/verification/verification-parts.tsx'

/** Tab 4, for admins: the verdict form, the warnings about the listing, and all earlier verdicts. */
export function VerificationPanel({ product }: { product: ProductPageData }) {
  const to = useLocalPath()
  const [query] = useSearchParams()
  const isSold = product.availability === 'sold'
  const mayDecide =
    product.mayVerify && (product.state === 'pending' || product.state === 'passed' || (product.state === 'failed' && !isSold))
  return (
    <div className="grid grid-cols-1 gap-5 px-4 py-4 lg:grid-cols-2">
      <div className="space-y-3">
        <p className="row gap-x-4">
          <span>
            {m.product_verification_state()}: <b>{stateTexts[product.state]()}</b>
          </span>
          <a href={to(`/admin/verification?id=${product.id}`)} className="tap-link font-semibold">
            {m.verify_open()}
          </a>
        </p>
        {query.has('verified') && <FormDone>{m.verify_saved()}</FormDone>}
        {!product.mayVerify && <p>{m.verify_own()}</p>}
        {mayDecide && (
          // The key resets the form after each verdict.
          <VerificationForm
            key={`${product.state} ${product.verifications.length}`}
            listingId={product.id}
            seen={product.seen}
            from="product"
          />
        )}
      </div>
      <div className="space-y-5">
        <DuplicateList duplicates={product.duplicates} />
        <VerdictHistory verdicts={product.verifications} />
      </div>
    </div>
  )
}
