import { m } from '#src/paraglide/messages.js'
import { FilterForm, FilterSelect } from '#src/ui/desk-filter.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'
import { QUEUE_VIEWS, queuePath, type QueueFilter, type QueueView } from './queue-filter.ts'
import type { VerificationPageData } from './verification-view.server.ts'

const viewTexts: Record<QueueView, () => string> = {
  'new-seller': m.verify_view_new_seller,
  again: m.verify_view_again,
  duplicate: m.verify_view_duplicate,
  answered: m.verify_view_answered,
  skipped: m.verify_view_skipped,
  asked: m.verify_view_asked,
}

const select = 'min-h-11 py-1 text-sm md:w-auto md:max-w-48 lg:min-h-9'

/** View, species and district, each with its count. A choice applies at once. */
export function QueueFilters({ filter, filters }: { filter: QueueFilter; filters: VerificationPageData['filters'] }) {
  const to = useLocalPath()
  const views = [
    { view: null, text: m.verify_view_all(), count: filters.views.all },
    ...QUEUE_VIEWS.map((view) => ({ view, text: viewTexts[view](), count: filters.views[view] })),
  ].filter(({ view, count }) => view === null || view === filter.view || count > 0)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <nav
        aria-label={m.verify_views()}
        className="relative -mx-4 flex gap-1.5 overflow-x-auto px-4 max-md:w-dvw md:mx-0 md:flex-wrap md:px-0"
      >
        {views.map(({ view, text, count }) => (
          <Link
            key={view ?? 'all'}
            to={to(queuePath({ ...filter, view }))}
            aria-current={view === filter.view ? 'true' : undefined}
            className="inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-full border border-line bg-paper px-3 text-sm font-semibold aria-[current]:border-leaf aria-[current]:bg-leaf-soft lg:min-h-9"
          >
            {text} <span className="text-stone">{count}</span>
          </Link>
        ))}
      </nav>
      <FilterForm action={to('/admin/verification')} className="flex min-w-0 gap-1.5 max-md:w-full">
        {filter.view !== null && <input type="hidden" name="view" value={filter.view} />}
        <FilterSelect
          name="species"
          label={m.verify_all_species()}
          options={filters.categories}
          defaultValue={filter.categoryId ?? ''}
          className={select}
        />
        <FilterSelect
          name="district"
          label={m.verify_all_districts()}
          options={filters.districts}
          defaultValue={filter.district ?? ''}
          className={select}
        />
        <button type="submit" className="button-plain hidden min-h-11 px-3 text-sm noscript:block">
          {m.verify_filter()}
        </button>
      </FilterForm>
    </div>
  )
}
