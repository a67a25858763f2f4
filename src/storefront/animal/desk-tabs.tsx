import { ProductTabs } from './product-tabs.tsx'
import type { ProductPageData } from './product-view.server.ts'

/** The tabs for vets and admins, rendered by React because they contain desks. A file of its own, so that buyers do not load it. */
export function DeskTabs({ product }: { product: ProductPageData }) {
  return <ProductTabs product={product} />
}
