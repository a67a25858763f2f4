import { proseSlugOf } from '#src/content/prose/prose.ts'

/**
 * Finds the route pattern of an address: `/product/:productId` for `/product/12`. `paths` are those of the page table (src/page-table.ts),
 * below an optional language. Prose pages stay distinct by their slugs, which identify nobody.
 */
export function patternFinder(paths: string[]): (barePath: string) => string | null {
  const patterns = paths
    .map((path) => path.replace(/^en\?\/?/, '/'))
    .filter((path) => path !== '/*' && path !== '*')
    .map((pattern) => ({ pattern, test: new RegExp(`^${pattern.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}/?$`, 'i') }))
    // Static patterns come before patterns with parameters.
    .toSorted((a, b) => placesIn(a.pattern) - placesIn(b.pattern))
  return (barePath) => {
    const found = patterns.find(({ test }) => test.test(barePath))
    if (found?.pattern !== '/:page') return found?.pattern ?? null
    const slug = proseSlugOf(barePath.replaceAll('/', ''))
    return slug && `/${slug}`
  }
}

const placesIn = (pattern: string) => pattern.split(':').length
