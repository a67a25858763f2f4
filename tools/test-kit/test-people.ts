import { sql } from 'drizzle-orm'
import type { LoggedIn } from '#src/accounts/identity/identity.server.ts'
import { finishRegistration, startRegistration } from '#src/accounts/identity/register.server.ts'
import { registration, type Registration } from '#src/accounts/schemas.ts'
import type { Ctx } from '#src/kit/context.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { codeSentTo, testAuthClient } from './test-auth-client.ts'

let lastPhone = 9_100_000_000
/** No two numbers are neighbours, because neighbours share a limit. */
export const newPhone = () => `+91${(lastPhone += 10_001)}`

export const PASSWORD = 'காளை மாடு ஏழு'

export const registrationForm = (phone: string, changes: Record<string, unknown> = {}): Registration =>
  registration.parse({
    phone,
    password: PASSWORD,
    name: 'Selvi',
    titleId: 2,
    typeId: '1',
    pan: '',
    degree: '',
    referralCode: '',
    hasConsented: true,
    ...changes,
  })

/** Submits the registration form and its code. The market's outbox worker must be running. */
export async function registerPerson(ctx: Ctx, phone: string, changes: Record<string, unknown> = {}): Promise<LoggedIn> {
  const device = testAuthClient()
  const { token } = await startRegistration(ctx, registrationForm(phone, changes), device)
  return finishRegistration(ctx, { token, code: await codeSentTo(ctx, phone) }, device)
}

/** Allows the next code at once, as a minute would. */
export const forgetSends = (ctx: Ctx) => ctx.db.execute(sql`delete from limit_counts where key like 'otpPhone%'`)

/** The code of the refusal, or 'taken'. */
export const refusalOf = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => 'taken',
    (error: unknown) => (error instanceof Problem ? error.code : String(error)),
  )
