/** A person's name with their number, because two people may have one name. */
export const NumberedName = ({ name, id }: { name: string; id: number }) => (
  <>
    <bdi>{name}</bdi> <span className="whitespace-nowrap text-stone">#{id}</span>
  </>
)
