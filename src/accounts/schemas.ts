import { z } from 'zod'
import { userTitles } from './reference-data.ts'
import { REGISTRABLE_TYPES } from './rules.ts'
import { hidePhones } from '#src/kit/text/phones-in-text.ts'
import { singleLine } from '#src/kit/text/plain-text.ts'
import { codeDigits, plainPan, readPhone } from '#src/kit/text/readers.ts'
import { leftTo, readBy, textLine } from '#src/kit/text/text.ts'

export const phoneNumber = textLine(200, 'field_phone_blank')
  .refine((text) => text !== '', { error: 'field_phone_blank', abort: true })
  .transform(readBy(readPhone, 'field_phone_format'))

const MIN_PASSWORD = 8
const MAX_PASSWORD = 128
/** Any characters, including Tamil and spaces, exactly as typed. The command refuses common passwords, because it has the list. */
export const newPassword = leftTo(
  'hashPassword',
  z
    .string('field_password_blank')
    .refine((text) => text !== '', { error: 'field_password_blank', abort: true })
    .refine((text) => [...text].length >= MIN_PASSWORD, { error: 'field_password_short', abort: true })
    .refine((text) => [...text].length <= MAX_PASSWORD && text.isWellFormed(), 'field_password_long'),
)

/** For login: accepts any password that was ever allowed. */
export const anyPassword = leftTo(
  'verifyPassword',
  z
    .string('field_password_blank')
    .refine((text) => text !== '', { error: 'field_password_blank', abort: true })
    .refine((text) => [...text].length <= MAX_PASSWORD && text.isWellFormed(), 'field_password_long'),
)

const MAX_NAME = 80

export const personName = z
  .string('field_name_blank')
  .max(1000, 'field_name_long')
  .overwrite(singleLine)
  .refine((text) => text !== '', { error: 'field_name_blank', abort: true })
  .refine((text) => [...text].length <= MAX_NAME, 'field_name_long')
  .refine((text) => /[\p{L}\p{N}]/u.test(text), 'field_name_letters')
  // A name is public, a number is not.
  .refine((text) => hidePhones(text) === text, 'field_name_phone')

/** A number, or one digit as forms send it; no other text. */
export const typeDigit = (message: `field_${string}`) => z.union([z.int(), z.string().regex(/^\d$/).transform(Number)], message)
export const userType = typeDigit('field_type_blank').refine((id) => REGISTRABLE_TYPES.includes(id), 'field_type_blank')

/** 0 or empty: no title. An unknown id is refused, so that a typing error erases nothing. */
export const userTitle = z
  .union(
    [
      z.int(),
      z
        .string()
        .regex(/^\d{0,4}$/)
        .transform(Number),
      z.null().transform(() => 0),
    ],
    'field_title_unknown',
  )
  .refine((id) => id === 0 || userTitles.some((title) => title.id === id), 'field_title_unknown')
  .transform((id) => (id === 0 ? null : id))

/** Maximum raw length of what somebody pastes into a field for a code: a whole SMS. */
const MAX_PASTE = 500

export const panNumber = z
  .string('field_pan_format')
  .max(MAX_PASTE, 'field_pan_format')
  .overwrite(plainPan)
  .refine((text) => text === '' || /^[A-Z]{5}\d{4}[A-Z]$/.test(text), 'field_pan_format')

export const OTP_DIGITS = 6
const typedCode = z
  .string('field_otp_blank')
  .max(MAX_PASTE, 'field_otp_format')
  .overwrite(codeDigits)
  .refine((text) => text !== '', { error: 'field_otp_blank', abort: true })
export const otpCode = typedCode.refine((text) => /^\d{6}$/.test(text), 'field_otp_format')
/** Six digits of an authenticator, or a recovery code (recovery-codes.server.ts). */
export const secondStepCode = typedCode.refine((text) => /^(\d{6}|\d{10})$/.test(text), 'field_otp_format')

export const REFERRAL_CODE_LENGTH = 10

/** The registration as a form sends it; the API maps its own field names to this. Title, PAN and degree may be empty. */
export const registration = z.object({
  phone: phoneNumber,
  password: newPassword,
  name: personName,
  titleId: userTitle,
  typeId: userType,
  /** For sellers; empty means not given. */
  pan: panNumber,
  degree: textLine(80),
  /** Anything but ten letters or digits is an unknown code and ignored. */
  referralCode: z.string().max(200).overwrite(singleLine),
  hasConsented: z.literal(true, 'field_consent_missing'),
})

/** On the page the password may be empty, too: such a person signs in with codes (decisions.md §8.2). */
export const pageRegistration = registration.extend({ password: newPassword.nullable() })

/** Only the API accepts a registration without consent (decisions.md §8.2). */
export type Registration = Omit<z.infer<typeof pageRegistration>, 'hasConsented'> & { hasConsented: boolean }

/** Version of the consent text at registration; a new text needs a new version. */
export const ACCOUNT_CONSENT_VERSION = '2026-11'
