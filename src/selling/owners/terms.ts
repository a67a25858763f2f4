import { formatRupees, type Money } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import type { Locale } from '#src/kit/text/locale.ts'

/** The agent's fee per animal: rupees, or per cent of its price. */
export type Fee = { rupees: Money } | { percent: number }

export interface OwnerTerms {
  name: string
  /** E.164, an Indian mobile number: the owner is asked by SMS. */
  phone: string
  fee: Fee
}

const feeOf = (fee: Fee, price: Money): Money => ('rupees' in fee ? fee.rupees : (price * BigInt(fee.percent)) / 100n)

export const feeColumns = (fee: Fee) => ('rupees' in fee ? { fee: fee.rupees, feePercent: null } : { fee: null, feePercent: fee.percent })
export const feeIn = (row: { fee: Money | null; feePercent: number | null }): Fee =>
  row.feePercent === null ? { rupees: row.fee ?? 0n } : { percent: row.feePercent }

/** A higher possible fee needs a new consent. */
export const isRaised = (before: Fee, after: Fee, price: Money): boolean =>
  'percent' in before !== 'percent' in after || feeOf(after, price) > feeOf(before, price)

/** The owner's amount for one animal that is sold through Sandhai. */
export function handOf(price: Money, fee: Fee, commissionPercent: number) {
  const commission = (price * BigInt(commissionPercent)) / 100n
  const taken = feeOf(fee, price)
  return { price, commission, fee: taken, inHand: price - commission - taken }
}

export function feeText(fee: Fee, locale: Locale): string {
  if ('percent' in fee) return m.owner_fee_percent({ percent: fee.percent }, { locale })
  return fee.rupees === 0n ? m.owner_fee_none({}, { locale }) : formatRupees(fee.rupees)
}
