import { searchText } from '#src/kit/text/plain-text.ts'
import { orderViews } from '../order-conditions.ts'
import { noFilters, type OrderFilters } from '../queries.server.ts'
import { orderStatuses } from '../process.server.ts'
import { parseId } from '#src/kit/ids.ts'

/** Longer than any name or number. */
const MAX_TEXT = 80
const DAY = /^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

/** The filters in the address; an invalid value filters nothing. */
export function filtersIn(query: URLSearchParams): Omit<OrderFilters, 'buyerId'> {
  const after = query.get('after') ?? ''
  const day = (name: string) => {
    const text = query.get(name) ?? ''
    // The pattern alone accepts 30 February.
    return DAY.test(text) && new Date(text).toISOString().startsWith(text) ? text : null
  }
  return {
    ...noFilters,
    status: orderStatuses.find(({ id }) => String(id) === query.get('status'))?.id ?? null,
    text: searchText(query.get('q') ?? '', MAX_TEXT),
    on: query.get('on') === 'delivery' ? 'delivery' : 'placed',
    from: day('from'),
    to: day('to'),
    isFlagged: query.get('flagged') === '1',
    view: orderViews.find((view) => view === query.get('view')) ?? 'all',
    afterId: parseId(after),
  }
}

/** The same filters as a query string, without the position in the list. */
export function filterQuery({ status, text, on, from, to, isFlagged, view }: Omit<OrderFilters, 'buyerId'>): string {
  const query = new URLSearchParams()
  const all = {
    view: view === 'all' ? '' : view,
    q: text,
    status: status ?? '',
    on: on === 'delivery' ? on : '',
    from,
    to,
    flagged: isFlagged ? '1' : '',
  }
  for (const [name, value] of Object.entries(all)) if (value) query.set(name, String(value))
  return query.toString()
}
