import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import type { ListPage } from './seller-product-view.server.ts'

const stateTexts = {
  draft: m.own_state_draft,
  pending: m.own_state_pending,
  passed: m.own_state_passed,
  failed: m.own_state_failed,
  withdrawn: m.own_state_withdrawn,
}

/** For admins, who see all sellers' listings. */
export function OwnListingsFilter({ page }: { page: ListPage }) {
  const to = useLocalPath()
  const { filters, tab } = page
  return (
    <form method="get" action={to('/seller-product/')} className="panel grid items-end gap-3 p-4 md:grid-cols-[2fr_1fr_1fr_auto]">
      {tab === 'soldout' && <input type="hidden" name="tab" value="2" />}
      <Field id="own-seller" name="seller" type="search" label={m.own_filter_seller()} defaultValue={filters.seller} maxLength={80} />
      <SelectField
        id="own-state"
        name="state"
        label={m.own_filter_state()}
        none={m.own_filter_any()}
        options={(Object.keys(stateTexts) as (keyof typeof stateTexts)[]).map((id) => ({ id, name: stateTexts[id]() }))}
        defaultValue={filters.state ?? ''}
      />
      <SelectField
        id="own-category"
        name="category"
        label={m.own_filter_category()}
        none={m.own_filter_any()}
        options={page.categories}
        defaultValue={filters.categoryId ?? ''}
      />
      <button type="submit" className="button-primary">
        {m.own_filter_find()}
      </button>
    </form>
  )
}
