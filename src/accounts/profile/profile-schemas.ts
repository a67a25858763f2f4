import { z } from 'zod'
import { singleLine } from '#src/kit/text/plain-text.ts'
import { emailAddress, textLine } from '#src/kit/text/text.ts'
import { REGISTRABLE_TYPES } from '../rules.ts'
import { panNumber, personName, phoneNumber, typeDigit, userTitle } from '../schemas.ts'

const MAX_RAW = 1000
const notBlank = (message: string) =>
  z
    .string(message)
    .max(MAX_RAW, { error: 'field_name_long', abort: true })
    .overwrite(singleLine)
    .refine((text) => text !== '', { error: message, abort: true })

/** Empty means none. */
const email = z
  .string()
  .max(MAX_RAW, { error: 'field_email_format', abort: true })
  .overwrite(singleLine)
  .transform((text, check) => {
    if (text === '') return null
    const { success, data } = emailAddress.safeParse(text)
    if (success) return data
    check.addIssue({ code: 'custom', message: 'field_email_format' })
    return z.NEVER
  })

const MAX_DEGREE = 80

/** The fields that a person may change in their profile (specification B §5), all optional: a missing field keeps its value. */
export const profileFields = {
  name: notBlank('field_profile_name_blank').pipe(personName),
  phone: notBlank('field_profile_phone_blank').pipe(phoneNumber),
  email,
  titleId: userTitle,
  typeId: typeDigit('field_profile_type_blank').refine((id) => REGISTRABLE_TYPES.includes(id), 'field_profile_type_blank'),
  /** Empty keeps the stored PAN. */
  pan: panNumber,
  degree: textLine(MAX_DEGREE).transform((text) => text || null),
  locale: z.enum(['ta', 'en']),
}
const profileChanges = z.object(profileFields).omit({ phone: true }).partial()
export type ProfileChanges = z.infer<typeof profileChanges>

/** The register's name and the number in it. */
const MAX_REGISTRATION = 60
export const vetRegistration = z
  .string('field_registration_blank')
  .max(MAX_RAW, 'field_registration_blank')
  .overwrite(singleLine)
  .refine((text) => /[\p{L}\p{N}]/u.test(text), { error: 'field_registration_blank', abort: true })
  .max(MAX_REGISTRATION, `At most ${MAX_REGISTRATION} characters.`)

/** Maximum length of the reason for giving or withdrawing a badge, which is personal data and exported. */
export const MAX_NOTE = 200
export const badgeNote = z
  .string('field_note_blank')
  .max(MAX_RAW, { error: 'field_note_long', abort: true })
  .overwrite(singleLine)
  .refine((text) => text !== '', { error: 'field_note_blank', abort: true })
  .refine((text) => [...text].length <= MAX_NOTE, { error: 'field_note_long', abort: true })
