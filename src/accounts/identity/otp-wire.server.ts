import { z } from '@hono/zod-openapi'
import { OTP_MINUTES, RESEND_SECONDS } from './otp.server.ts'
import { OTP_DIGITS } from '../schemas.ts'

export const otpSent = z
  .strictObject({ otp: z.literal(''), otp_length: z.int(), expires_in: z.int(), resend_after: z.int() })
  .openapi('OtpSent', { description: 'The code is sent by SMS only, so `otp` is always empty. Times are in seconds.' })
export const sent = { otp: '' as const, otp_length: OTP_DIGITS, expires_in: OTP_MINUTES * 60, resend_after: RESEND_SECONDS }
