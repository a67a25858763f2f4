import { ProductTabs } from './product-tabs.tsx'
import type { ProductPageData } from './product-view.server.ts'

/** For vets and admins: the same tabs with their desks in them, by React. */
export function DeskTabs({ product }: { product: ProductPageData & { csrf?: string | undefined } }) {
  return <ProductTabs product={product} />
}
