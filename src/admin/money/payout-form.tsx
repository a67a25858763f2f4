import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { Choice } from '#src/ui/choice.tsx'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { PostForm } from '#src/ui/post-form.tsx'
import { sendOnce } from '#src/ui/send-once.ts'

interface PaidSeller {
  sellerId: number
  name: string
  method: string | null
  /** The id of the open payout that pays them. */
  paying: number | null
  /** In 1/10,000 rupee, as text. */
  payable: string
}

/** A payout needs an account, something due, and no other payout. */
const canBePaid = ({ method, paying, payable }: PaidSeller) => method !== null && paying === null && BigInt(payable) > 0n

interface FormProps {
  sellers: PaidSeller[]
  refused: FormRefusal | undefined
  children: (foot: ReactNode) => ReactNode
}

/** The form around the sellers' table; its foot has the sum of the ticked ones. */
export function PayoutForm({ sellers, refused, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [ticked, setTicked] = useState<number[]>([])
  const recount = () => setTicked(new FormData(form.current ?? undefined).getAll('sellers').map(Number))
  // The admin may have ticked before the scripts loaded, and a browser restores ticks after a reload.
  useEffect(recount, [])
  const payable = sellers.filter(canBePaid)
  if (payable.length === 0) return children(null)
  const sum = payable.filter(({ sellerId }) => ticked.includes(sellerId)).reduce((total, seller) => total + BigInt(seller.payable), 0n)
  const tickAll = () => {
    const boxes = [...(form.current?.querySelectorAll<HTMLInputElement>('input[name=sellers]') ?? [])]
    const isAll = boxes.every(({ checked }) => checked)
    for (const box of boxes) box.checked = !isAll
    recount()
  }
  return (
    <PostForm ref={form} reloadDocument onChange={recount} onSubmit={sendOnce}>
      {children(
        <>
          <button type="submit" className="button-primary md:min-h-9 md:py-1">
            {ticked.length === 0 ? m.payout_make() : m.payout_make_of({ count: ticked.length, amount: formatRupees(sum) })}
          </button>
          <button type="button" onClick={tickAll} className="button-plain noscript:hidden md:min-h-9 md:py-1">
            {m.payout_all({ count: payable.length })}
          </button>
          {refused && <FormFailure {...refused} detail={refused.errors.sellers ?? refused.detail} />}
        </>,
      )}
    </PostForm>
  )
}

export const PayoutTick = ({ seller }: { seller: PaidSeller }) =>
  canBePaid(seller) && (
    <>
      <input type="hidden" name={`seen-${seller.sellerId}`} value={seller.payable} />
      <Choice
        type="checkbox"
        name="sellers"
        value={seller.sellerId}
        aria-label={m.payout_choose({ name: seller.name })}
        className="justify-center md:min-h-8"
      >
        {null}
      </Choice>
    </>
  )
