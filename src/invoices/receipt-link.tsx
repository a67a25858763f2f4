import { useState, type ComponentType, type MouseEvent, type ReactNode } from 'react'
import { useLocalPath } from '#src/ui/language.ts'
import type { InvoiceKind } from './rules.ts'

/** Link to a document of an order: opens a modal, whose code loads on the first tap; without scripts or offline it navigates to the page. */
export function ReceiptLink({
  orderId,
  kind,
  className,
  children,
}: {
  orderId: number
  kind: InvoiceKind
  className: string
  children: ReactNode
}) {
  const to = useLocalPath()
  const [Dialog, setDialog] = useState<ComponentType<{ orderId: number; kind: InvoiceKind; onClose: () => void }> | null>(null)
  const page = to(`/orders/${orderId}/invoice?of=${kind}`)
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    import('./receipt-dialog.tsx').then(
      ({ ReceiptDialog }) => setDialog(() => ReceiptDialog),
      () => location.assign(page),
    )
  }
  return (
    <>
      <a href={page} onClick={open} className={className}>
        {children}
      </a>
      {Dialog && <Dialog orderId={orderId} kind={kind} onClose={() => setDialog(null)} />}
    </>
  )
}
