import { z } from 'zod'
import { leftTo, readBy } from '#src/kit/text/text.ts'
import { plainFigures } from '#src/kit/text/plain-text.ts'
import { readRupees } from './amounts.ts'
import { MAX_AMOUNT_TEXT, parseRupees, TOTAL_DIGITS } from './money.ts'

/** An amount on the wire: a JSON number or a decimal string. Checks the text, so that nothing is rounded. */
export const sentRupees = (message: `field_${string}`) =>
  z
    .union([z.number(), leftTo('plainFigures', z.string().max(40))], message)
    .transform(readBy((value) => parseRupees(plainFigures(String(value)), TOTAL_DIGITS), message))

/** An amount typed into a form, as people write it. */
export const formRupees = (message: `field_${string}`) =>
  z.string(message).max(MAX_AMOUNT_TEXT, message).transform(readBy(readRupees, message))
