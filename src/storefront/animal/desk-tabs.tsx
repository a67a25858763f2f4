import { ProductTabs } from './product-tabs.tsx'
import type { ProductPageData } from './product-view.server.ts'

/** The tabs for vets and admins, rendered by React because they contain desks. */
export function DeskTabs({ product }: { product: ProductPageData }) {
  return <ProductTabs product={product} />
}
