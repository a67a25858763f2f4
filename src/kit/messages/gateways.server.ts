import { smtpGateway } from './email.server.ts'
import type { Env } from '#src/kit/env.server.ts'
import { demoGateway, missingGateway, type Gateways } from './outbox.server.ts'
import { msg91Gateway } from './sms.server.ts'

/** Who brings which message on its way. What devices show is brought by accounts/push/push-gateway.server.ts, which knows them. */
export function gatewaysFor(env: Env): Omit<Gateways, 'push'> {
  const standIn = env.mode === 'demo' ? demoGateway : missingGateway
  return { sms: env.sms === null ? standIn : msg91Gateway(env.sms), email: env.smtpUrl === null ? standIn : smtpGateway(env.smtpUrl, env) }
}
