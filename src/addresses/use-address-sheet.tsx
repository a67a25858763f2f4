import { useState, type MouseEvent, type ReactNode } from 'react'
import { useLocalPath } from '#src/ui/language.ts'

/**
 * For a link to the delivery address. With scripts the question opens in a modal (address-dialog.tsx), whose code loads on tap; without
 * scripts or offline the link navigates to the address page. The dialog contains forms, so render it outside any other form.
 */
export function useAddressSheet(buyerId: number) {
  const href = useLocalPath()(`/my-addresses/buy/${buyerId}`)
  const [dialog, setDialog] = useState<ReactNode>(null)
  const [isOpening, setIsOpening] = useState(false)
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (isOpening) return
    setIsOpening(true)
    // Check the connection first: a failed request in the modal would replace the whole page by an error.
    Promise.all([import('./address-dialog.tsx'), fetch('/healthz', { cache: 'no-store' })]).then(
      ([{ AddressDialog }]) => {
        setIsOpening(false)
        setDialog(<AddressDialog href={href} onClose={() => setDialog(null)} />)
      },
      () => window.location.assign(href),
    )
  }
  return { link: { href, onClick, 'aria-busy': isOpening || undefined }, dialog }
}
