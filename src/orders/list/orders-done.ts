import { m } from '#src/paraglide/messages.js'
import type { Done } from './orders-view.server.ts'

export const doneTexts: Record<Done, () => string> = {
  cancelled: m.orders_done_cancelled,
  ended: m.orders_done_ended,
  undone: m.order_step_undone,
  saved: m.orders_done_saved,
  planned: m.orders_done_planned,
  refused: m.orders_done_refused,
  paid: m.orders_done_paid,
}
