import { z } from 'zod'
import { parseRupees, TOTAL_DIGITS, type Money } from '#src/kit/time-money/money.ts'
import { paragraphs } from '#src/kit/text/text.ts'
import { plainFigures } from '#src/listings/typed-figures.ts'
import { paymentMethods, type Payment, type PaymentMethod } from './rules.ts'

/** Code points of a reason or a note. */
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
/** The last six of the twelve digits on the ear tag. */
export const tagEnd = digits(6, 'field_order_tag')

/** A JSON number or a decimal text; the check is on the text, so nothing is rounded on the way. */
export const amountPaid = z.union([z.number(), z.string().max(40)], 'field_order_amount').transform((value, check): Money => {
  const money = parseRupees(plainFigures(String(value)), TOTAL_DIGITS)
  if (money !== null) return money
  check.addIssue({ code: 'custom', message: 'field_order_amount' })
  return z.NEVER
})

export const paymentMethod = z.enum(paymentMethods, 'field_order_method')
const paid = { paymentMethod, amountPaid }
const asPayment = <T extends { paymentMethod: PaymentMethod; amountPaid: Money }>({
  paymentMethod: method,
  amountPaid: amount,
  ...said
}: T) => ({
  ...said,
  payment: { method, amount } satisfies Payment,
})

/** What the person who hands an animal over writes down. */
export const closing = z.object({ code: doorCode, ...paid }).transform(asPayment)

/** A blank field was not stated. */
const ifSaid = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim() === '' ? undefined : value), schema.optional())

/** An admin's step. */
export const adminStep = z.object({
  to: z.coerce.number().int('field_wrong'),
  note: ifSaid(noteText),
})

/** An admin closes an order without the buyer's digits, so the note says how the delivery is known. */
export const adminClosing = z.object({ note: noteText, ...paid }).transform(asPayment)

const day = z.iso.date('field_order_day')
export const deliveryPlan = z.object({
  deliverOn: z.union([z.literal('').transform(() => null), day]),
  deliverWindow: z.union([z.literal('').transform(() => null), z.enum(['morning', 'midday', 'evening'], 'field_wrong')]),
  /** Somebody of the list of bearers. Blank: whoever has the number below. */
  listedBearerId: z
    .union([z.literal('').transform(() => null), z.coerce.number('field_wrong').int('field_wrong').positive('field_wrong')])
    .optional(),
  /** Whole number of somebody who has an account; blank: nobody. */
  bearerPhone: z.string().max(40, 'field_order_bearer').default(''),
  /** The plan that was shown when the form was rendered (`planOf`). */
  seen: z.string().max(60).default(''),
})
