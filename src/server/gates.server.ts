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
 * Admins, bearers and vets have slots of their own and a longer wait, so visitors who fill the other gates do not refuse them (decision 0119).
 * It ignores the lateness of the process, which is the load of others; its few slots bound its own.
 */
const desks = { atOnce: 8, waitAtMostMs: 2000, retryAfterSeconds: 2, latenessMs: () => 0 }

type Gates = ReturnType<typeof openGates>

/** The gates of one process. `latenessMs`: how late the event loop runs its timers. */
export const openGates = (latenessMs: () => number) => ({
  reads: new Gate({ name: 'reads', ...readers, latenessMs }),
  writes: new Gate({ name: 'writes', ...writers, latenessMs }),
  checkouts: new Gate({ name: 'checkouts', ...checkouts, latenessMs }),
  desks: new Gate({ name: 'desks', ...desks }),
})

export const isRead = ({ method }: { method: string }) => method === 'GET' || method === 'HEAD'

/** The gate that a request passes. `isOfOffice`: of an admin, a bearer or a vet. */
export function gateFor(gates: Gates, request: { method: string; path: string }, isOfOffice: boolean): Gate {
  if (isOfOffice) return gates.desks
  if (isRead(request)) return gates.reads
  return isCheckout(request.path) ? gates.checkouts : gates.writes
}
