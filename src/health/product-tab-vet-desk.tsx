import { VetDesk, type VetDeskProps } from './vet-desk.tsx'

/** The vets' section of the product page, in its own file so that only vets load its code. */
export const VetDeskOnTab = ({ product }: Pick<VetDeskProps, 'product'>) => <VetDesk product={product} from="product" />
