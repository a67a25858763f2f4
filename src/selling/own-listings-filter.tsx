import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import type { SellerProductData } from './seller-product-page.tsx'

type ListPage = Extract<SellerProductData, { kind: 'list' }>

const stateTexts = {
  draft: m.own_state_draft,
  pending: m.own_state_pending,
  passed: m.own_state_passed,
  failed: m.own_state_failed,
  withdrawn: m.own_state_withdrawn,
}

/** For admins, who see everybody's. */
export function OwnListingsFilter({ page }: { page: ListPage }) {
  const to = useLocalPath()
  const { filters, tab } = page
  return (
    <form method="get" action={to('/seller-product/')} className="panel grid items-end gap-3 p-4 md:grid-cols-[2fr_1fr_1fr_auto]">
      {tab === 'soldout' && <input type="hidden" name="tab" value="2" />}
      <div>
        <label htmlFor="own-seller" className="label">
          {m.own_filter_seller()}
        </label>
        <input id="own-seller" name="seller" type="search" defaultValue={filters.seller} maxLength={80} className="field" />
      </div>
      <div>
        <label htmlFor="own-state" className="label">
          {m.own_filter_state()}
        </label>
        <select id="own-state" name="state" defaultValue={filters.state ?? ''} className="field">
          <option value="">{m.own_filter_any()}</option>
          {(Object.keys(stateTexts) as (keyof typeof stateTexts)[]).map((state) => (
            <option key={state} value={state}>
              {stateTexts[state]()}
            </option>
          ))}
        </select>
      </div>
      <div>
        <label htmlFor="own-category" className="label">
          {m.own_filter_category()}
        </label>
        <select id="own-category" name="category" defaultValue={filters.categoryId ?? ''} className="field">
          <option value="">{m.own_filter_any()}</option>
          {page.categories.map((category) => (
            <option key={category.id} value={category.id}>
              {category.name}
            </option>
          ))}
        </select>
      </div>
      <button type="submit" className="button-primary">
        {m.own_filter_find()}
      </button>
    </form>
  )
}
