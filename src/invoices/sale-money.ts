import type { Money } from '#src/kit/time-money/money.ts'
import { commissionOf } from './rules.ts'

export interface SaleTerms {
  unitPrice: Money
  count: number
  /** Taken off what the buyer pays; Sandhai bears it. */
  discount: Money
  commissionPercent: number
}

export interface SaleMoney {
  /** Items at their unit price. */
  total: Money
  /** What the buyer pays at the door. */
  payable: Money
  /** What Sandhai keeps. */
  commission: Money
  /** What the seller gets. */
  due: Money
}

/** What a sale means in money, from its order on; papers, pages and sums say the same. In SQL: `sales` (selling/earnings/sales.server.ts). */
export function saleMoney({ unitPrice, count, discount, commissionPercent }: SaleTerms): SaleMoney {
  const total = unitPrice * BigInt(count)
  const commission = commissionOf(total, commissionPercent)
  return { total, payable: total - discount, commission, due: total - commission }
}
