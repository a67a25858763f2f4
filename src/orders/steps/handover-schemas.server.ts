import { z } from 'zod'
import type { Money } from '#src/kit/time-money/money.ts'
import { formRupees, sentRupees } from '#src/kit/time-money/money-schemas.ts'
import { leftTo, paragraphs } from '#src/kit/text/text.ts'
import { plainFigures } from '#src/kit/text/plain-text.ts'
import { paymentMethods, type Payment, type PaymentMethod } from '../rules.ts'

/** Maximum length of a reason or a note, in code points. */
const MAX_TEXT = 500
const someText = (blank: `field_${string}`) => paragraphs(MAX_TEXT, 'field_order_text_long', blank)

export const reasonText = someText('field_order_reason')
export const noteText = someText('field_order_note')
const digits = (count: number, message: `field_${string}`) =>
  z
    .string(message)
    .max(40, message)
    .overwrite(plainFigures)
    .refine((text) => new RegExp(`^\\d{${count}}$`).test(text), message)
export const doorCode = digits(4, 'field_order_code')
/** The seller's digits, when the animal is loaded. */
export const loadedDigits = digits(3, 'field_order_loaded')
/** The last six of the twelve digits of the ear tag. */
export const tagEnd = digits(6, 'field_order_tag')

export const amountPaid = sentRupees('field_order_amount')

export const paymentMethod = z.enum(paymentMethods, 'field_order_method')
const paid = { paymentMethod, amountPaid: formRupees('field_order_amount') }
const asPayment = <T extends { paymentMethod: PaymentMethod; amountPaid: Money }>({
  paymentMethod: method,
  amountPaid: amount,
  ...rest
}: T) => ({
  ...rest,
  payment: { method, amount } satisfies Payment,
})

/** Input of the bearer who hands an animal over. */
export const closing = z.object({ code: doorCode, ...paid }).transform(asPayment)

/** A blank field counts as not stated. */
const ifStated = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim() === '' ? undefined : value), schema.optional())

/** The status that a page's form was rendered with. */
export const seenStatus = z.object({ from: z.coerce.number().int('field_wrong').optional() })

/** A form of the office that names no status (0) is refused. */
export const adminStep = z.object({
  from: z.coerce.number().int('field_wrong').default(0),
  to: z.coerce.number().int('field_wrong'),
  note: ifStated(noteText),
})

/** An admin ends an order: a reason from the list, a sentence, or both. */
export const adminEnd = adminStep.extend({ reason: ifStated(noteText) }).transform(({ reason, note, ...rest }, { addIssue }) => {
  const text = [reason, note].filter(Boolean).join(' ')
  if (text === '') addIssue({ code: 'custom', path: ['reason'], message: 'field_order_reason' })
  if (Array.from(text).length > MAX_TEXT) addIssue({ code: 'custom', path: ['note'], message: 'field_order_text_long' })
  return { ...rest, reason: text }
})

/** An admin closes without the buyer's digits, so the note must say how the delivery is known. */
export const adminClosing = z.object({ note: noteText, ...paid }).transform(asPayment)

const day = z.iso.date('field_order_day')
export const deliveryPlan = z.object({
  deliverOn: z.union([z.literal('').transform(() => null), day]),
  deliverWindow: z.union([z.literal('').transform(() => null), z.enum(['morning', 'midday', 'evening'], 'field_wrong')]),
  /** Id in the list of bearers. Blank: `bearerPhone` names the bearer. */
  listedBearerId: z
    .union([z.literal('').transform(() => null), z.coerce.number('field_wrong').int('field_wrong').positive('field_wrong')])
    .optional(),
  /** Full number of a person with an account; blank: no bearer. */
  bearerPhone: leftTo('readPhone', z.string().max(40, 'field_order_bearer')).default(''),
  /** The plan that the form was rendered with (`planOf`). */
  seen: leftTo('planOf', z.string().max(60)).default(''),
})
