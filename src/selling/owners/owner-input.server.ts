import { isIndianMobile } from '#src/kit/text/readers.ts'
import { can } from '#src/accounts/policy.ts'
import { personName, phoneNumber } from '#src/accounts/schemas.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { FieldProblem } from '#src/kit/base/problem.ts'
import { parseRupees } from '#src/kit/time-money/money.ts'
import { typedRupees } from '#src/kit/time-money/amounts.ts'
import { plainFigures } from '#src/kit/text/plain-text.ts'
import type { Fee, OwnerTerms } from './terms.ts'

const MAX_PERCENT = 50

export interface TypedOwner {
  ownerName?: string | undefined
  ownerPhone?: string | undefined
  ownerFee?: string | undefined
  ownerFeeUnit?: string | undefined
}

/** Reads the typed owner and fee; null with all problems. */
export function readOwner(ctx: Ctx, typed: TypedOwner): { terms: OwnerTerms | null; problems: FieldProblem[] } {
  const problems: FieldProblem[] = []
  const note = (field: string, message: string) => void problems.push({ field, message })
  if (!can(ctx.viewer, 'list-for-owner')) return { terms: null, problems: [{ field: 'whose', message: 'field_owner_agents' }] }
  const name = personName.safeParse(typed.ownerName ?? '')
  if (!name.success) note('ownerName', 'field_owner_name')
  const phone = phoneNumber.safeParse(typed.ownerPhone ?? '')
  const isReached = phone.success && isIndianMobile(phone.data)
  if (!isReached) note('ownerPhone', 'field_owner_phone')
  const fee = readFee(typed, note)
  if (!name.success || !isReached || fee === null) return { terms: null, problems }
  return { terms: { name: name.data, phone: phone.data, fee }, problems }
}

/** A form's fee in rupees as the decimal text that the API sends. */
export const withTypedFee = (typed: TypedOwner): TypedOwner => ({
  ...typed,
  ...(typed.ownerFeeUnit !== 'percent' && { ownerFee: typedRupees(typed.ownerFee ?? '') }),
})

export function readFee(
  { ownerFee = '', ownerFeeUnit = 'rupees' }: TypedOwner,
  note: (field: string, message: string) => void,
): Fee | null {
  const figures = plainFigures(ownerFee.trim())
  if (ownerFeeUnit === 'percent') {
    const percent = /^\d{1,2}$/.test(figures) ? Number(figures) : NaN
    if (percent <= MAX_PERCENT) return { percent }
    note('ownerFee', 'field_owner_fee_percent')
    return null
  }
  const rupees = figures === '' ? null : parseRupees(figures)
  if (rupees !== null && rupees >= 0n) return { rupees }
  note('ownerFee', 'field_owner_fee')
  return null
}
