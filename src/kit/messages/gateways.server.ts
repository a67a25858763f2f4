import type { Env } from '#src/kit/base/env.server.ts'
import { smtpGateway } from './email.server.ts'
import { demoGateway, missingGateway, type Gateways } from './outbox.server.ts'
import { msg91Gateway } from './sms.server.ts'

/** The gateway of each channel. accounts/notifications/push-gateway.server.ts sends push messages, because it knows the devices. */
export function gatewaysFor(env: Env): Omit<Gateways, 'push'> {
  const standIn = env.mode === 'demo' ? demoGateway : missingGateway
  return { sms: env.sms === null ? standIn : msg91Gateway(env.sms), email: env.smtpUrl === null ? standIn : smtpGateway(env.smtpUrl, env) }
}
