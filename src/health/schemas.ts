import { z } from 'zod'
import { plainDigits, singleLine } from '#src/kit/text/plain-text.ts'
import { BODY_CONDITIONS } from './rules.ts'

/** An existing calendar day in the format of date inputs and of the API. */
export const checkDay = z
  .string('field_check_date_blank')
  .refine((text) => text.trim() !== '', { error: 'field_check_date_blank', abort: true })
  .refine((text) => z.iso.date().safeParse(text).success, 'field_check_date_wrong')

const finding = z
  .enum(['good', 'watch', 'bad', ''], 'field_wrong')
  .transform((value) => (value === '' ? null : value))
  .optional()
  .transform((value) => value ?? null)

/** A living animal's temperature in degrees Celsius. Accepts the digits of every script and a comma. */
const temperature = z
  .string()
  .optional()
  .transform((typed, check) => {
    const text = plainDigits(singleLine(typed ?? '')).replace(',', '.')
    if (text === '') return null
    const value = Number(text)
    if (/^\d{2}(\.\d)?$/.test(text) && value >= 30 && value <= 45) return value
    check.addIssue({ code: 'custom', message: 'field_check_temperature' })
    return z.NEVER
  })

const bodyCondition = z
  .string()
  .optional()
  .transform((typed, check) => {
    if (!typed) return null
    const value = BODY_CONDITIONS.find((step) => String(step) === typed)
    if (value !== undefined) return value
    check.addIssue({ code: 'custom', message: 'field_wrong' })
    return z.NEVER
  })

/** A vet's optional findings in form format, each only if they examined it. */
export const findings = z.object({
  temperatureC: temperature,
  bodyCondition,
  teeth: finding,
  udder: finding,
  gait: finding,
  skin: finding,
})
export type FindingsInput = z.infer<typeof findings>

export const noFindings: FindingsInput = { temperatureC: null, bodyCondition: null, teeth: null, udder: null, gait: null, skin: null }
