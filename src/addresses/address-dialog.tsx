import { useEffect } from 'react'
import { useFetcher } from 'react-router'
import { m } from '#src/paraglide/messages.js'
import { Dialog } from '#src/ui/dialog.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'
import { MAX_ADDRESSES } from './address-limits.ts'
import { AddressLines } from './address-lines.tsx'
import { AddressSheetForm } from './address-form.tsx'
import type { loader } from './addresses-page.tsx'
import type { ShownAddress } from './addresses-view.server.ts'

interface AddressDialogProps {
  /** The address page in the language of this page. */
  href: string
  onClose: () => void
}

/** Asks for the delivery address in a modal: a saved address, or a new one. The order then continues with it. */
export function AddressDialog({ href, onClose }: AddressDialogProps) {
  const { data, load } = useFetcher<typeof loader>()
  useEffect(() => void load(href), [load, href])
  return (
    <Dialog id="address" title={m.address_buy_title()} closeLabel={m.accounts_close()} onClose={onClose}>
      {data ? <WhereTo page={data} href={href} /> : <p role="status">{m.register_opening()}</p>}
    </Dialog>
  )
}

type Page = NonNullable<ReturnType<typeof useFetcher<typeof loader>>['data']>

function WhereTo({ page, href }: { page: Page; href: string }) {
  const { book, own, types, csrf, path } = page
  const isEmpty = book?.length === 0
  // Runs after the dialog has moved the focus to its close button.
  useEffect(() => {
    if (isEmpty) document.getElementById('address-pincode')?.focus()
  }, [isEmpty])
  if (!book)
    return (
      <div role="alert">
        <p className="font-semibold text-brick">{m.address_load_failed()}</p>
        <a href={href} className="button-plain mt-3">
          {m.address_try_again()}
        </a>
      </div>
    )
  const form = <AddressSheetForm types={types} csrf={csrf} path={path} {...(own && { own })} />
  if (isEmpty) return form
  return (
    <>
      <Choices book={book} href={href} />
      {book.length < MAX_ADDRESSES && (
        <details className="mt-3 border-t border-line pt-1">
          <summary className="min-h-11 content-center font-semibold text-leaf">{m.address_new_title()}</summary>
          <div className="mt-2">{form}</div>
        </details>
      )}
    </>
  )
}

/** Only the address page changes and deletes addresses. */
function Choices({ book, href }: { book: ShownAddress[]; href: string }) {
  const to = useLocalPath()
  return (
    <>
      <ul className="grid gap-3">
        {book.map((address) => (
          <li key={address.id} className="panel min-w-0 p-3">
            <AddressLines address={address} isShort />
            <Link to={to(`/confirm-order/${address.id}`)} replace className="button-primary mt-2 w-full">
              {m.address_use()}
              <span className="sr-only">: {m.address_of({ name: address.name })}</span>
            </Link>
          </li>
        ))}
      </ul>
      <a href={href} className="tap-link mt-2 font-semibold">
        {m.address_manage_title()}
      </a>
    </>
  )
}
