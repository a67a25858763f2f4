import { Gate } from '#src/kit/http/gate.server.ts'

/**
 * Everything expensive passes a gate before its first statement. The gate admits as many requests as keep the database's connections and
 * the processor busy; more would slow everybody down. Cached pages bypass it; only rendering them passes it.
 */
const readers = { atOnce: 8, waitAtMostMs: 400, retryAfterSeconds: 2 }
/** Writes have a gate of their own: a write may wait for seconds, while pictures arrive or an SMS is sent, and must not delay reads. */
const writers = { atOnce: 64, waitAtMostMs: 400, retryAfterSeconds: 2 }

/**
 * A buyer who confirms an order should learn about the animal, not about our load, so this gate has a longer wait and queue; only one buyer
 * per animal is at the database at a time (decision 0054).
 */
const checkouts = { atOnce: 64, waitAtMostMs: 4000, retryAfterSeconds: 2, mostWaiting: 1000 }
const isCheckout = (path: string) => /^(\/api\/v1|\/en)?\/confirm-order\//.test(path)

/**
 * The work of admins, bearers and vets has slots of its own and a longer wait, so visitors who fill the other gates do not refuse it (decision 0119).
 * It ignores the lateness of the process, which is the load of others; its few slots bound its own.
 */
const desks = { atOnce: 8, waitAtMostMs: 2000, retryAfterSeconds: 2, latenessMs: () => 0 }
const DESK_CALLS =
  /^\/api\/v1\/(admin|order-detail-status|order-step|update-product|livestock-veterinary-check|vet-productlist|vet-check-photo|vet-hold|settlement)(\/|$)/
const DESK_PAGES = /^(\/en)?\/(admin|orders|vet-verify|bring)(\/|\.|$)/i
/** Addresses that everybody reads, and at which the office decides. */
const DESK_WRITES = /^(\/api\/v1\/product-requirement-enquiry\/|(\/en)?\/(view-enquiry\/|earnings\.))/i

type Gates = ReturnType<typeof openGates>

/** The gates of one process. `latenessMs`: how late the event loop runs its timers. */
export const openGates = (latenessMs: () => number) => ({
  reads: new Gate({ name: 'reads', ...readers, latenessMs }),
  writes: new Gate({ name: 'writes', ...writers, latenessMs }),
  checkouts: new Gate({ name: 'checkouts', ...checkouts, latenessMs }),
  desks: new Gate({ name: 'desks', ...desks }),
})

type Asked = { method: string; path: string }
export const isRead = ({ method }: Asked) => method === 'GET' || method === 'HEAD'

export const isDeskWork = (asked: Asked) =>
  DESK_CALLS.test(asked.path) || DESK_PAGES.test(asked.path) || (!isRead(asked) && DESK_WRITES.test(asked.path))

/** The gate that a request passes. */
export function gateFor(gates: Gates, asked: Asked): Gate {
  if (isDeskWork(asked)) return gates.desks
  if (isRead(asked)) return gates.reads
  return isCheckout(asked.path) ? gates.checkouts : gates.writes
}
