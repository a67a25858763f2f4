/** A seller's name with their number, because two sellers may have one name. */
export const SellerName = ({ name, id }: { name: string; id: number }) => (
  <>
    {name} <span className="whitespace-nowrap text-stone">#{id}</span>
  </>
)
