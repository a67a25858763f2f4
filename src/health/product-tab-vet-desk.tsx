import { VetDesk, type VetDeskProps } from './vet-desk.tsx'

/** The vets' section of the animal's own page, in a file of its own: only vets load its code. */
export const VetDeskOnTab = ({ product }: Pick<VetDeskProps, 'product'>) => <VetDesk product={product} from="product" />
