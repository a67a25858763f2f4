import { m } from '#src/paraglide/messages.js'

export const FEE_UNITS = [
  { id: 'rupees', name: m.sell_owner_rupees },
  { id: 'percent', name: m.sell_owner_percent },
] as const
