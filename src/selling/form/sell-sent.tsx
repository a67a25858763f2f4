import { useEffect, useRef } from 'react'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import type { OwnListing } from '#src/selling/own/own-listing.server.ts'
import { forgetSentCopy } from '#src/selling/unsent/store.ts'

interface SellSentProps {
  ownerId: number
  sent: OwnListing
  enquiryId: string | null
  /** How long most listings waited for their verdict lately; null when that is not known. */
  waitHours: number | null
}

/** Up to two days in hours. */
const waitText = (hours: number) => (hours <= 48 ? m.sell_sent_hours({ hours }) : m.sell_sent_days({ days: Math.ceil(hours / 24) }))

/** The listing is made. With scripts it is the specification's modal; its page says the same without. Close and Esc lead to the own listings. */
export function SellSent({ ownerId, sent, enquiryId, waitHours }: SellSentProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    forgetSentCopy(ownerId)
    const box = dialog.current
    if (!box) return
    // It is open in the document; showing it again makes it a modal.
    box.removeAttribute('open')
    box.showModal()
  }, [ownerId])
  const to = useLocalPath()
  const own = to('/seller-product/')
  return (
    <div className="mx-auto max-w-xl py-4">
      <dialog
        ref={dialog}
        open
        aria-labelledby="sent-title"
        onCancel={(event) => {
          event.preventDefault()
          location.assign(own)
        }}
        className="static m-0 w-full max-w-none rounded-card bg-paper p-6 shadow-card backdrop:bg-ink/60 [&:modal]:fixed [&:modal]:mx-auto [&:modal]:mt-4 [&:modal]:mb-auto [&:modal]:w-[calc(100%-2rem)] [&:modal]:max-w-lg"
      >
        <div className="grid justify-items-center gap-4 text-center">
          {sent.photoKey ? (
            <img src={`/media/${sent.photoKey}-320.jpg`} alt="" width={128} height={128} className="size-32 rounded-card object-cover" />
          ) : (
            <span className="large-sign">
              <Icon name="badge" size={32} />
            </span>
          )}
          <div role="status">
            <h1 id="sent-title" className="text-2xl text-leaf">
              {m.sell_sent_title()}
            </h1>
          </div>
          <p className="font-semibold">{sent.name}</p>
          <p>
            {m.sell_sent_text()} {waitHours !== null && waitText(waitHours)}
          </p>
          <Ways sent={sent} enquiryId={enquiryId} own={own} />
        </div>
      </dialog>
    </div>
  )
}

/** Close leads where Esc does, and says so. */
function Ways({ sent, enquiryId, own }: Pick<SellSentProps, 'sent' | 'enquiryId'> & { own: string }) {
  const to = useLocalPath()
  return (
    <>
      <div className="grid w-full gap-3 sm:grid-cols-2">
        <a href={own} className="button-primary min-h-12">
          {m.sell_sent_mine()}
        </a>
        <a href={to('/sell')} className="button-plain min-h-12">
          {m.sell_sent_more()}
        </a>
      </div>
      {enquiryId && (
        <a href={to(`/view-enquiry/${enquiryId}`)} className="tap-link font-semibold">
          {m.sell_see_enquiry()}
        </a>
      )}
      <a href={to(`/product/${sent.id}`)} className="tap-link">
        {m.sell_sent_see()}
      </a>
      <a href={own} className="tap-link">
        {m.sell_sent_close()}
      </a>
    </>
  )
}
