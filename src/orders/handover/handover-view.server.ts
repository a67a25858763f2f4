import { fieldRupees } from '#src/kit/time-money/money.ts'
import { can } from '#src/accounts/policy.ts'
import type { FormPage } from '#src/kit/http/page.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { fetchCode } from '#src/orders/bearers/fetch-code.server.ts'
import { TAG_TRIES } from '#src/orders/steps/handover.server.ts'
import { shownOrder } from '#src/orders/card/order-view.server.ts'
import { getOrder } from '../queries.server.ts'
import { HANDOVER_TRIES, ON_THE_WAY } from '../process.server.ts'

/** The handover at the door: the buyer's part, then the bearer's. */
export async function readHandover(ctx: Ctx, viewer: Viewer, orderId: number, phone: string) {
  const order = await getOrder(ctx, orderId)
  const shown = shownOrder(ctx, order)
  const part = order.part === 'buyer' ? ('buyer' as const) : can(viewer, 'operate') ? ('admin' as const) : ('bearer' as const)
  return {
    phone,
    // A bearer does not need the address once the order is over.
    order: part === 'bearer' && shown.isOver ? { ...shown, delivery: nowhere } : shown,
    part,
    isOnTheWay: order.status === ON_THE_WAY,
    /** The fetch code, until the bearer has fetched the animal. */
    say:
      part === 'bearer' && order.status < ON_THE_WAY && order.listedBearer
        ? fetchCode(ctx, { ...order, listedBearerId: order.listedBearer.id })
        : null,
    tag: order.hasTag ? { matched: order.tagMatched, triesLeft: Math.max(TAG_TRIES - order.tagTries, 0) } : null,
    codeTriesLeft: Math.max(HANDOVER_TRIES - order.handoverTries, 0),
    payableRupees: fieldRupees(order.payable),
  }
}

const nowhere = { name: '', phone: '', lines: [] }

export type HandoverDone = { kind: 'tag'; matched: boolean } | { kind: 'accepted'; code: string }

export type HandoverData = FormPage<typeof readHandover>
