import type { Money } from '#src/kit/time-money/money.ts'
import { commissionOf } from './rules.ts'

interface SaleTerms {
  unitPrice: Money
  count: number
  /** Reduces the buyer's amount; Sandhai bears it. */
  discount: Money
  commissionPercent: number
}

interface SaleMoney {
  /** Sum of the items at their unit price. */
  total: Money
  /** The buyer's amount at the door. */
  payable: Money
  /** Sandhai's part. */
  commission: Money
  /** The seller's part. */
  due: Money
}

/** The amounts of a sale, from its order on, for documents, pages and sums. The same in SQL: `sales` (selling/earnings/sales.server.ts). */
export function saleMoney({ unitPrice, count, discount, commissionPercent }: SaleTerms): SaleMoney {
  const total = unitPrice * BigInt(count)
  const commission = commissionOf(total, commissionPercent)
  return { total, payable: total - discount, commission, due: total - commission }
}
