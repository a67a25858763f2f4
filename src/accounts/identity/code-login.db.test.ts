import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '#src/kit/context.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { letTimePass } from '#tools/test-kit/let-time-pass.ts'
import { codeSentTo, shareTestOutbox, testAuthClient, wrongCode } from '#tools/test-kit/test-auth-client.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { newPhone, PASSWORD, refusalOf } from '#tools/test-kit/test-people.ts'
import { makeUser } from '../makers.server.ts'
import { startPhoneChange } from '#src/accounts/profile/phone-change.server.ts'
import { saveProfile } from '#src/accounts/profile/profile.server.ts'
import { startErasure } from '#src/accounts/privacy/privacy.server.ts'
import { findSession, hashOfToken } from '../sessions.server.ts'
import { consents, otps, users } from '../tables.ts'
import { dropCodeLogin, findCodeLogin, finishCodeLogin, finishNewPerson, newPerson, startCodeLogin } from './code-login.server.ts'
import type { AuthClient, LoggedIn } from './identity.server.ts'
import { changePassword, finishLogin, finishReset, login, requireOwnPassword, startReset } from './login.server.ts'
import { OTP_TRIES, sendOtp } from './otp.server.ts'
import { finishRegistration } from './register.server.ts'

let market: TestMarket
let ctx: Ctx
shareMarket((opened) => {
  market = opened
  ctx = { ...market.ctx, browserId: null }
})
shareTestOutbox(() => ctx)
beforeEach(() => letTimePass(ctx, 3 * 86_400))

const selvi = { name: 'செல்வி', typeId: 1, referralCode: '', hasConsented: true as const }
const userAt = async (phone: string) => (await ctx.db.select().from(users).where(eq(users.phone, phone)))[0]

/** A browser that has requested a code. */
async function asks(phone: string, changes: Partial<AuthClient> = {}) {
  const client = testAuthClient(changes)
  const asking = { ...ctx, browserId: randomUUID() }
  const { token, otp } = await startCodeLogin(asking, phone, client)
  return { token, client, otp, code: await codeSentTo(ctx, phone).catch(() => '123456') }
}

/** The ctx of the request after a login. */
async function asViewer({ token }: { token: string }): Promise<Ctx> {
  const session = (await findSession(ctx.db, token))!
  return { ...ctx, viewer: session.viewer, sessionId: session.id }
}

async function comesByCode(phone = newPhone()) {
  const { token, client, code } = await asks(phone)
  await finishCodeLogin(ctx, { phone, code }, token, client)
  const entered = await finishNewPerson(ctx, selvi, token, client)
  return { phone, entered, me: await asViewer(entered) }
}

describe('a person with an account', () => {
  test('is logged in by the code alone, under their account', async () => {
    const { phone, id } = await makeUser(ctx, { phone: newPhone(), typeId: 3 })
    const { token, client, code } = await asks(phone)
    const entered = (await finishCodeLogin(ctx, { phone, code }, token, client)) as LoggedIn
    expect(entered.user).toMatchObject({ id, phone, typeId: 3 })
    expect((await findSession(ctx.db, entered.token))!.viewer.id).toBe(id)
  })

  test('who is an admin of a live site also needs the authenticator’s code', async () => {
    const { phone } = await makeUser(ctx, { phone: newPhone(), typeId: 9 })
    const { token, client, code } = await asks(phone, { env: { mode: 'live', authEnumeration: 'spec' } })
    const entered = (await finishCodeLogin(ctx, { phone, code }, token, client)) as LoggedIn
    expect(entered.awaitsTotp).toBe(true)
    expect((await findSession(ctx.db, entered.token))!.awaitsTotp).toBe(true)
  })

  test('who is deactivated gets the same answer, but no SMS and no login', async () => {
    const { phone } = await makeUser(ctx, { phone: newPhone(), isActive: false })
    const { token, client, otp } = await asks(phone)
    expect(otp).toEqual((await asks(newPhone())).otp)
    await expect(codeSentTo(ctx, phone)).rejects.toThrow()
    expect(await refusalOf(finishCodeLogin(ctx, { phone, code: '123456' }, token, client))).toBe('OTP_WRONG')
  })

  test('who is deactivated after the code was sent is refused', async () => {
    const { phone, id } = await makeUser(ctx, { phone: newPhone() })
    const { token, client, code } = await asks(phone)
    await ctx.db.update(users).set({ isActive: false }).where(eq(users.id, id))
    expect(await refusalOf(finishCodeLogin(ctx, { phone, code }, token, client))).toBe('OTP_EXPIRED')
  })
})

describe('a new person', () => {
  test('gives the code, then name and consent, and is logged in without a password', async () => {
    const phone = newPhone()
    const { token, client, code } = await asks(phone)
    expect(await findCodeLogin(ctx, token)).toMatchObject({ phone, isProved: false })
    expect(await finishCodeLogin(ctx, { phone, code }, token, client)).toEqual({ needsName: true })
    expect(await userAt(phone)).toBeUndefined()
    expect(await findCodeLogin(ctx, token)).toMatchObject({ phone, isProved: true })
    const { user } = await finishNewPerson(ctx, selvi, token, client)
    const row = (await userAt(phone))!
    expect(row).toMatchObject({ id: user.id, name: 'செல்வி', typeId: 1, passwordHash: null })
    expect(await ctx.db.select().from(consents).where(eq(consents.userId, user.id))).toMatchObject([{ purpose: 'account' }])
    expect(await findCodeLogin(ctx, token)).toBeNull()
  })

  test('needs a name and the consent, and cannot become a vet or an admin', () => {
    expect(newPerson.safeParse({ ...selvi, hasConsented: false }).success).toBe(false)
    expect(newPerson.safeParse({ ...selvi, name: ' ' }).success).toBe(false)
    for (const typeId of [0, 5, 9]) expect(newPerson.safeParse({ ...selvi, typeId }).success).toBe(false)
  })

  test('is not created twice: when the number was registered meanwhile, the code creates no second account', async () => {
    const phone = newPhone()
    const { token, client, code } = await asks(phone)
    await finishCodeLogin(ctx, { phone, code }, token, client)
    await makeUser(ctx, { phone })
    expect(await refusalOf(finishNewPerson(ctx, selvi, token, client))).toBe('PHONE_TAKEN')
  })

  test('who was invited is stored with the inviter', async () => {
    const friend = await makeUser(ctx, { phone: newPhone() })
    const { referralCode } = (await userAt(friend.phone))!
    const phone = newPhone()
    const { token, client, code } = await asks(phone)
    await finishCodeLogin(ctx, { phone, code }, token, client)
    await finishNewPerson(ctx, { ...selvi, referralCode: referralCode.toLowerCase() }, token, client)
    expect((await userAt(phone))!.referredById).toBe(friend.id)
  })

  test('has fifteen minutes for the name, however often they give the code', async () => {
    const phone = newPhone()
    const { token, client, code } = await asks(phone)
    await finishCodeLogin(ctx, { phone, code }, token, client)
    await letTimePass(ctx, 10 * 60)
    expect(await finishCodeLogin(ctx, { phone, code }, token, client)).toEqual({ needsName: true })
    await letTimePass(ctx, 5 * 60 + 1)
    expect(await refusalOf(finishNewPerson(ctx, selvi, token, client))).toBe('OTP_EXPIRED')
  })
})

describe('an attacker', () => {
  test('has five guesses at a code; after that the right code is refused, too', async () => {
    const { phone } = await makeUser(ctx, { phone: newPhone() })
    const { token, client, code } = await asks(phone)
    for (let n = 0; n < OTP_TRIES; n++)
      expect(await refusalOf(finishCodeLogin(ctx, { phone, code: wrongCode(code) }, token, client))).toBe('OTP_WRONG')
    expect(await refusalOf(finishCodeLogin(ctx, { phone, code }, token, client))).toBe('OTP_EXPIRED')
  })

  test('gets the same answers for known and unknown numbers, before the code and for a wrong one', async () => {
    const known = (await makeUser(ctx, { phone: newPhone() })).phone
    const answers = []
    for (const phone of [known, newPhone()]) {
      const { token, client, code, otp } = await asks(phone)
      const { phone: _, ...state } = (await findCodeLogin(ctx, token))!
      answers.push({ otp, state, refused: await refusalOf(finishCodeLogin(ctx, { phone, code: wrongCode(code) }, token, client)) })
    }
    expect(answers[0]).toEqual(answers[1])
  })

  test('cannot use a code twice, nor in another browser', async () => {
    const { phone } = await makeUser(ctx, { phone: newPhone() })
    const { token, client, code } = await asks(phone)
    expect(await refusalOf(finishCodeLogin(ctx, { phone, code }, 'another browser', client))).toBe('OTP_EXPIRED')
    await finishCodeLogin(ctx, { phone, code }, token, client)
    expect(await refusalOf(finishCodeLogin(ctx, { phone, code }, token, client))).toBe('OTP_EXPIRED')
  })

  test('cannot give a name without a right code, nor after the code was dropped', async () => {
    const phone = newPhone()
    const { token, client, code } = await asks(phone)
    expect(await refusalOf(finishNewPerson(ctx, selvi, token, client))).toBe('OTP_EXPIRED')
    await finishCodeLogin(ctx, { phone, code }, token, client)
    expect(await refusalOf(finishNewPerson(ctx, selvi, undefined, client))).toBe('OTP_EXPIRED')
    await dropCodeLogin(ctx, token)
    expect(await refusalOf(finishNewPerson(ctx, selvi, token, client))).toBe('OTP_EXPIRED')
    expect(await userAt(phone)).toBeUndefined()
  })

  test.each(['register', 'reset', 'phone', 'erase', 'login', 'totp'] as const)('cannot log in with a code for %s', async (purpose) => {
    const { phone } = await makeUser(ctx, { phone: newPhone() })
    const token = randomUUID()
    const client = testAuthClient()
    await sendOtp(ctx, { phone, purpose, browserHash: hashOfToken(token) }, client)
    const code = await codeSentTo(ctx, phone)
    expect(await refusalOf(finishCodeLogin(ctx, { phone, code }, token, client))).toBe('OTP_EXPIRED')
  })

  test('cannot use a sign-in code for a new password, a second step or a registration', async () => {
    const { phone } = await makeUser(ctx, { phone: newPhone(), passwordHash: await hashPassword(ctx.vault, PASSWORD) })
    const { token, client, code } = await asks(phone)
    expect(await refusalOf(finishReset(ctx, { phone, code, password: 'வெள்ளை ஆடு நான்கு' }, token, client))).toBe('OTP_EXPIRED')
    expect(await refusalOf(finishLogin(ctx, code, token, client))).toBe('OTP_EXPIRED')
    expect(await refusalOf(finishRegistration(ctx, { token, code }, client))).toBe('NOT_FOUND')
  })

  test('cannot request more than one code a minute by changing its purpose', async () => {
    const phone = newPhone()
    const { client } = await asks(phone)
    expect(await refusalOf(startCodeLogin(ctx, phone, client))).toBe('RATE_LIMITED')
    expect(await refusalOf(startReset(ctx, phone, { ...client, env: { mode: 'demo', authEnumeration: 'uniform' } }))).toBe('RATE_LIMITED')
  })

  test('cannot log in with a password as a person who has none', async () => {
    const { phone } = await comesByCode()
    for (const password of ['', 'null', '-', PASSWORD])
      expect(await refusalOf(login(ctx, { phone, password }, testAuthClient()))).toBe('LOGIN_FAILED')
  })
})

describe('a person without a password', () => {
  test('may do acts that need a password within fifteen minutes of their code, and needs a new code after that', async () => {
    const { me } = await comesByCode()
    expect(await refusalOf(requireOwnPassword(me, undefined))).toBe('taken')
    await startPhoneChange(me, { phone: newPhone() }, testAuthClient())
    await letTimePass(ctx, 15 * 60 + 1)
    expect(await refusalOf(requireOwnPassword(me, 'anything at all'))).toBe('PROOF_NEEDED')
    expect(await refusalOf(startPhoneChange(me, { phone: newPhone() }, testAuthClient()))).toBe('PROOF_NEEDED')
  })

  test('can delete the account by a code alone', async () => {
    const { me, phone } = await comesByCode()
    await letTimePass(ctx, 3600)
    await startErasure(me, undefined, testAuthClient())
    expect(await codeSentTo(ctx, phone)).toMatch(/^\d{6}$/)
  })

  test('can set a password by a code, and must give it from then on', async () => {
    const { phone } = await comesByCode()
    await letTimePass(ctx, 3600)
    const client = testAuthClient()
    const { token } = await startReset(ctx, phone, client)
    const entered = await finishReset(ctx, { phone, code: await codeSentTo(ctx, phone), password: PASSWORD }, token, client)
    const me = await asViewer(entered)
    expect(await refusalOf(requireOwnPassword(me, undefined))).toBe('VALIDATION')
    expect(await refusalOf(requireOwnPassword(me, PASSWORD))).toBe('taken')
    expect(await login(ctx, { phone, password: PASSWORD }, testAuthClient())).toHaveProperty('token')
  })

  test('can set a password in the profile right after a code', async () => {
    const { me, phone } = await comesByCode()
    await changePassword(me, { newPassword: PASSWORD }, testAuthClient().limits)
    expect(await login(ctx, { phone, password: PASSWORD }, testAuthClient())).toHaveProperty('token')
  })

  test('cannot request to be a vet before setting one', async () => {
    const { me } = await comesByCode()
    expect(await refusalOf(saveProfile(me, me.viewer!.id, { typeId: 5 }))).toBe('VALIDATION')
    await changePassword(me, { newPassword: PASSWORD }, testAuthClient().limits)
    expect(await refusalOf(saveProfile(me, me.viewer!.id, { typeId: 5 }))).toBe('taken')
  })
})

test('a person with a password must give it, however fresh their code is', async () => {
  const { phone } = await makeUser(ctx, { phone: newPhone(), passwordHash: await hashPassword(ctx.vault, PASSWORD) })
  const { token, client, code } = await asks(phone)
  const me = await asViewer((await finishCodeLogin(ctx, { phone, code }, token, client)) as LoggedIn)
  expect(await refusalOf(requireOwnPassword(me, undefined))).toBe('VALIDATION')
  expect(await refusalOf(requireOwnPassword(me, 'not this one'))).toBe('PASSWORD_WRONG')
})

describe('when the share of logins by code is used up', () => {
  const asksAt = (phone: string, client: AuthClient) => refusalOf(startCodeLogin({ ...ctx, browserId: randomUUID() }, phone, client))
  const useUpShare = () =>
    ctx.db.insert(otps).values(
      Array.from({ length: 40 }, () => ({
        phone: newPhone(),
        purpose: 'sign-in' as const,
        browserHash: hashOfToken(randomUUID()),
        salt: Buffer.from('salt'),
        mac: Buffer.from('mac'),
        expiresAt: new Date(Date.now() + 600_000),
      })),
    )

  test('a number with an account still gets a code, a new number must wait', async () => {
    const { phone } = await makeUser(ctx, { phone: newPhone() })
    await useUpShare()
    expect(await asksAt(phone, testAuthClient())).toBe('taken')
    expect(await asksAt(newPhone(), testAuthClient())).toBe('RATE_LIMITED')
  })

  test('numbers are alike once an address has learned of twenty, and always where nothing may be revealed', async () => {
    const { phone } = await makeUser(ctx, { phone: newPhone() })
    const client = testAuthClient()
    await useUpShare()
    for (let n = 0; n < 20; n++) expect(await asksAt(newPhone(), client)).toBe('RATE_LIMITED')
    expect(await asksAt(phone, client)).toBe('RATE_LIMITED')
    expect(await asksAt(phone, testAuthClient({ env: { mode: 'demo', authEnumeration: 'uniform' } }))).toBe('RATE_LIMITED')
  })
})

test('a dropped code is invalid', async () => {
  const phone = newPhone()
  const { token, client, code } = await asks(phone)
  await dropCodeLogin(ctx, token)
  expect(await findCodeLogin(ctx, token)).toBeNull()
  expect(await refusalOf(finishCodeLogin(ctx, { phone, code }, token, client))).toBe('OTP_EXPIRED')
  expect(await ctx.db.$count(otps, eq(otps.phone, phone))).toBe(1)
})
