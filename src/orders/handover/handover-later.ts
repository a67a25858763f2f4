import type { FormAct } from '#src/kit/device/offline-form.ts'
import { CORRECT_QUERY } from '#src/kit/device/refused-act.ts'

const isFilled = (form: FormData, field: string): boolean => {
  const value = form.get(field)
  return value instanceof File ? value.size > 0 : Boolean(value?.trim())
}

/**
 * A handover that waits on the bearer's phone: the market checks the buyer's digits when it arrives. Null while a field is empty. A corrected
 * handover of the same order replaces the one that waits.
 */
export function handoverLater(form: FormData, orderId: string | undefined): FormAct | null {
  if (!['paymentMethod', 'amountPaid', form.has('code') ? 'code' : 'note'].every((field) => isFilled(form, field))) return null
  return waiting(form, `handover-${orderId}`, `${String(form.get('what'))} · ₹${String(form.get('amountPaid'))}`)
}

/**
 * An act on the page of a bearer's day, which waits under the rights of its link: the animal is loaded, handed over or
 * not taken. The acts of one phone arrive in the order in which they were done.
 */
export function stopLater(form: FormData): FormAct | null {
  const [act, id] = [String(form.get('act')), String(form.get('id'))]
  if (act !== 'fetch' && act !== 'refuse') return byLink(handoverLater(form, id))
  if (!(act === 'fetch' ? ['code'] : ['reason', 'photo']).every((field) => isFilled(form, field))) return null
  return byLink(waiting(form, `${act}-${id}`, String(form.get('what'))))
}

const byLink = (act: FormAct | null): FormAct | null => act && { ...act, isByLink: true }

const waiting = (form: FormData, object: string, words: string): FormAct => ({
  kind: 'handover',
  object,
  words,
  correctAt: location.pathname + CORRECT_QUERY,
})
