import { useEffect, useState } from 'react'
import { m } from '#src/paraglide/messages.js'
import { Dialog } from '#src/ui/dialog.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { InvoicePaper } from './invoice-paper.tsx'
import type { InvoiceKind } from './rules.ts'
import type { ShownDocument } from './shown.ts'

/** B §2 'Receipt', and the seller's commission invoice: the document with a download button. */
export function ReceiptDialog({ orderId, kind, onClose }: { orderId: number; kind: InvoiceKind; onClose: () => void }) {
  const to = useLocalPath()
  const [shown, setShown] = useState<ShownDocument | 'asking' | 'failed'>('asking')
  const at = (as: string) => to(`/orders/${orderId}/invoice${as}?of=${kind}`)
  const page = at('')
  const source = at('.json')
  const isAsking = shown === 'asking'
  useEffect(() => {
    if (!isAsking) return
    const leave = new AbortController()
    askFor(source, leave.signal).then(
      // The person was logged out or lost access meanwhile; the page explains which.
      (found) => (found ? setShown(found) : location.assign(page)),
      () => leave.signal.aborted || setShown('failed'),
    )
    return () => leave.abort()
  }, [isAsking, source, page])
  const title = kind === 'receipt' ? m.invoice_receipt_title() : m.invoice_commission_title()
  return (
    <Dialog id={`receipt-${orderId}`} title={title} onClose={onClose}>
      {shown === 'asking' && (
        <p role="status" className="py-12 text-center text-stone">
          {m.invoice_loading()}
        </p>
      )}
      {shown === 'failed' && (
        <div role="alert" className="space-y-3 py-6 text-center">
          <p>{m.invoice_load_failed()}</p>
          <button type="button" onClick={() => setShown('asking')} className="button-primary">
            {m.address_try_again()}
          </button>
        </div>
      )}
      {typeof shown === 'object' && (
        <>
          {shown.payment && <p className="notice mb-4 font-semibold">{shown.payment}</p>}
          <InvoicePaper paper={shown.paper} qr={shown.qr} />
          <div className="sticky bottom-0 -mx-4 mt-4 -mb-4 border-t border-line bg-paper p-4">
            <a href={at('.pdf')} download={shown.paper.file} className="button-primary w-full">
              {m.invoice_download()}
            </a>
          </div>
        </>
      )}
    </Dialog>
  )
}

/** Null when the response is another page: a login, or an error. */
async function askFor(source: string, signal: AbortSignal): Promise<ShownDocument | null> {
  const response = await fetch(source, { signal, headers: { Accept: 'application/json' } })
  if (!response.ok || !response.headers.get('Content-Type')?.startsWith('application/json')) return null
  return (await response.json()) as ShownDocument
}
