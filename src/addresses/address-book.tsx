import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'
import { AddressLines } from './address-lines.tsx'
import type { Purpose } from './addresses-page.tsx'
import type { ShownAddress } from './addresses-view.server.ts'

/** The saved addresses as cards. `null` means that loading failed, which must not look like an empty book. */
export function AddressBook({ book, purpose, path }: { book: ShownAddress[] | null; purpose: Purpose; path: string }) {
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
  if (book.length === 0) return <p className="panel mt-5 p-4">{m.address_none()}</p>
  return (
    <section aria-labelledby="saved-addresses" className="mt-6">
      <h2 id="saved-addresses" className="sr-only">
        {m.address_saved_title()}
      </h2>
      <ul className="grid gap-3">
        {book.map((address) => (
          <li key={address.id} className="panel min-w-0 p-4 shadow-card">
            <AddressLines address={address} />
            <div className="mt-3 flex flex-wrap gap-2">
              {purpose === 'buy' && (
                <a href={to(`/confirm-order/${address.id}`)} className="button-primary basis-full sm:basis-auto">
                  {m.address_proceed()}
                </a>
              )}
              <Link to={to(`${path}?change=${address.id}`)} className="button-plain px-4">
                {m.address_edit()}
                <Whose name={address.name} />
              </Link>
              <Link
                to={to(`${path}?remove=${address.id}`)}
                className="button px-4 text-brick underline underline-offset-2 hover:bg-brick-soft"
              >
                {m.address_delete()}
                <Whose name={address.name} />
              </Link>
            </div>
          </li>
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

/** Ten links called "Edit" would sound alike in a screen reader. */
const Whose = ({ name }: { name: string }) => <span className="sr-only">: {m.address_of({ name })}</span>
