import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'
import { AddressLines } from './address-lines.tsx'
import type { Purpose, ShownAddress } from './addresses-view.server.ts'

interface AddressBookProps {
  book: ShownAddress[] | null
  purpose: Purpose
  /** The address that an order has already chosen; the first of the book. */
  proposed: number | null
  path: string
}

/** The saved addresses as cards. `null` means that loading failed, which must not look like an empty book. */
export function AddressBook({ book, purpose, proposed, path }: AddressBookProps) {
  const to = useLocalPath()
  if (!book)
    return (
      <div role="alert" className="mt-5 rounded-card bg-brick-soft p-4">
        <p className="font-semibold text-brick">{m.address_load_failed()}</p>
        <a href={to(path)} className="button-plain mt-3">
          {m.address_try_again()}
        </a>
      </div>
    )
  if (book.length === 0) return null
  return (
    <section aria-labelledby="saved-addresses" className="mt-6">
      <h2 id="saved-addresses" className="sr-only">
        {m.address_saved_title()}
      </h2>
      <ul className="grid gap-3">
        {book.map((address) => (
          <AddressCard key={address.id} address={address} purpose={purpose} isProposed={address.id === proposed} path={path} />
        ))}
      </ul>
      {purpose === 'sell' && (
        <a href={to('/sell')} className="button-primary mt-4 w-full sm:w-auto">
          {m.address_sell_go()}
          <Icon name="next" size={18} />
        </a>
      )}
    </section>
  )
}

interface AddressCardProps {
  address: ShownAddress
  purpose: Purpose
  isProposed: boolean
  path: string
}

function AddressCard({ address, purpose, isProposed, path }: AddressCardProps) {
  const to = useLocalPath()
  return (
    <li className={`panel min-w-0 p-4 shadow-card ${isProposed ? 'border-leaf bg-leaf-soft' : ''}`}>
      {isProposed && (
        <p className="mb-2 flex items-center gap-1.5 font-semibold text-leaf">
          <Icon name="badge" size={18} />
          {m.address_chosen()}
        </p>
      )}
      <AddressLines address={address} />
      <div className="mt-3 flex flex-wrap gap-2">
        {purpose === 'buy' && (
          <a
            href={to(`/confirm-order/${address.id}`)}
            className={`${isProposed ? 'button-primary' : 'button-plain'} basis-full sm:basis-auto`}
          >
            {m.address_proceed()}
            <Whose name={address.name} />
          </a>
        )}
        <Link to={to(`${path}?change=${address.id}`)} className="button-plain px-4">
          {m.address_edit()}
          <Whose name={address.name} />
        </Link>
        <Link to={to(`${path}?remove=${address.id}`)} className="button px-4 text-brick underline underline-offset-2 hover:bg-brick-soft">
          {m.address_delete()}
          <Whose name={address.name} />
        </Link>
      </div>
    </li>
  )
}

/** Ten links called "Edit" would sound alike in a screen reader. */
const Whose = ({ name }: { name: string }) => <span className="sr-only">: {m.address_of({ name })}</span>
