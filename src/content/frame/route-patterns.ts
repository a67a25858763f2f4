import { proseSlugOf } from '#src/content/prose/prose.ts'

/**
 * Which page an address is, by its pattern: `/product/12` is `/product/:productId`. `paths` are those of the page table (src/page-table.ts),
 * which stand below an optional language. Pages to read are distinguished by their names, which are nobody's.
 */
export function patternFinder(paths: string[]): (barePath: string) => string | null {
  const patterns = paths
    .map((path) => path.replace(/^en\?\/?/, '/'))
    .filter((path) => path !== '/*' && path !== '*')
    .map((pattern) => ({ pattern, test: new RegExp(`^${pattern.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}/?$`, 'i') }))
    // A page of its own comes before one with a place for anything.
    .toSorted((a, b) => placesIn(a.pattern) - placesIn(b.pattern))
  return (barePath) => {
    const found = patterns.find(({ test }) => test.test(barePath))
    if (found?.pattern !== '/:page') return found?.pattern ?? null
    const slug = proseSlugOf(barePath.replaceAll('/', ''))
    return slug && `/${slug}`
  }
}

const placesIn = (pattern: string) => pattern.split(':').length
