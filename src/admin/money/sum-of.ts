import { readRupees } from '#src/kit/time-money/amounts.ts'

interface OpenSale {
  id: number
  /** The usual amount and the settled one, in 1/10,000 rupee. */
  usual: string
  settled: string
  isFromSeller: boolean
}

/**
 * The open amount of the ticked sales, in 1/10,000 rupee; below 0 the seller pays. Reads amounts as the action does; one that cannot be read counts
 * as the usual one.
 */
export const sumOf = (open: OpenSale[], valueOf: (name: string) => FormDataEntryValue | null | undefined): bigint =>
  open.reduce((sum, { id, usual, settled, isFromSeller }) => {
    if (!valueOf(`sale-${id}`)) return sum
    const paid = readRupees(String(valueOf(`amount-${id}`) ?? '')) ?? BigInt(usual)
    return sum + (isFromSeller ? -paid : paid) - BigInt(settled)
  }, 0n)
