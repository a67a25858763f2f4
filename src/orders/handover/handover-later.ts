import type { FormAct } from '#src/kit/device/offline-form.ts'
import { CORRECT_QUERY } from '#src/kit/device/refused-act.ts'

/**
 * A handover that waits on the bearer's phone: the market checks the buyer's digits when it arrives. Null while a field is empty. A corrected
 * handover of the same order replaces the one that waits.
 */
export function handoverLater(form: FormData, orderId: string | undefined): FormAct | null {
  const filled = ['paymentMethod', 'amountPaid', form.has('code') ? 'code' : 'note']
  if (filled.some((field) => !String(form.get(field) ?? '').trim())) return null
  return {
    kind: 'handover',
    object: `handover-${orderId}`,
    words: `${String(form.get('what'))} · ₹${String(form.get('amountPaid'))}`,
    correctAt: location.pathname + CORRECT_QUERY,
  }
}
