import { VetDesk, type VetDeskProps } from './vet-desk.tsx'

/** The vets' part of the animal's own page, in a file of its own: its code comes for vets only. */
export const VetDeskOnTab = ({ product }: Pick<VetDeskProps, 'product'>) => <VetDesk product={product} from="product" />
