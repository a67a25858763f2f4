import type { ReactNode } from 'react'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { AddressLines } from './address-lines.tsx'
import type { Purpose, ShownAddress } from './addresses-view.server.ts'

/** Confirms a new address and links to the page that needs it. */
export function AddressSaved({
  title,
  purpose,
  address,
  path,
}: {
  title: (text: string) => ReactNode
  purpose: Purpose
  address: ShownAddress
  path: string
}) {
  const to = useLocalPath()
  const next = { sell: '/sell', buy: `/confirm-order/${address.id}`, manage: path }[purpose]
  const nextText = { sell: m.address_next_sell, buy: m.address_next_buy, manage: null }[purpose]
  return (
    <div className="panel mt-4 grid justify-items-center gap-4 p-6 text-center shadow-card">
      <span className="large-sign">
        <Icon name="badge" size={32} />
      </span>
      <div role="status">{title(m.address_saved())}</div>
      <div className="max-w-full min-w-0 text-start">
        <AddressLines address={address} />
      </div>
      {nextText && <p className="text-stone">{nextText()}</p>}
      <a href={to(next)} className="button-primary min-w-40">
        {m.address_continue()}
      </a>
    </div>
  )
}
