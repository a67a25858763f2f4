import { eq, sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { makeCsrfToken } from '#src/kit/http/csrf.server.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { openVault } from '#src/kit/vault.server.ts'
import { openTestApp, shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { TestBrowser } from '#tools/test-kit/test-browser.ts'
import { codeSentTo, shareTestOutbox, startTestOutbox, testAuthClient, wrongCode } from '#tools/test-kit/test-auth-client.ts'
import { giveConsent, hasConsent, requireConsent } from '../consent.server.ts'
import { makeUser } from '../makers.server.ts'
import { ACCOUNT_CONSENT_VERSION } from '../schemas.ts'
import { findSession, isDeskToken } from '../sessions.server.ts'
import { consents, users } from '../tables.ts'
import { findSecondStep, openEnrolment, passTotp, sendEnrolmentCode } from './totp.server.ts'
import { registerByApi, userForm } from '#tools/test-kit/register-by-api.ts'
import { PASSWORD } from '#tools/test-kit/test-people.ts'

let app: TestApp
let lastPhone = 9_200_000_000
const newPhone = () => `+91${(lastPhone += 10_001)}`
shareTestApp((opened) => (app = opened))
shareTestOutbox(() => app.ctx)

const NEW_PASSWORD = 'வெள்ளை ஆடு நான்கு'
const userOf = async (phone: string) => (await app.ctx.db.select().from(users).where(eq(users.phone, phone)))[0]

const register = (phone: string, changes?: object, browser?: TestBrowser) => registerByApi(app, phone, changes, browser)

describe('registration over the API', () => {
  test('the form returns an id; the code creates the rows and a session', async () => {
    const browser = new TestBrowser(app)
    const phone = newPhone()
    const [friend] = await app.ctx.db
      .select()
      .from(users)
      .where(eq(users.id, (await makeUser(app.ctx)).id))
    const form = userForm(phone, { usertype: '3', sellerpannumber: 'abcde1234f', loginreferralcode: friend!.referralCode })
    const begun = await browser.call('POST', '/user', form)
    expect(begun.headers.get('cache-control')).toBe('no-store')
    const { id } = (await begun.json()) as { id: number }
    expect(await userOf(phone)).toBeUndefined()
    expect(await browser.says('POST', '/validatesession')).toBe('401 AUTH_REQUIRED')
    const code = await codeSentTo(app.ctx, phone)
    expect(await browser.says('PUT', `/userprofile/id=${id}`, { otp: wrongCode(code), verify_otp: true })).toBe('422 OTP_WRONG')
    const done = await browser.call('PUT', `/userprofile/id=${id}`, { otp: code, verify_otp: true })
    expect(await done.json()).toEqual({ rows: 1 })
    expect(await (await browser.call('POST', '/validatesession')).json()).toMatchObject({ name: 'Selvi', phone, usertype: 3 })
    expect(browser.cookies['__Host-reg']).toBeUndefined()
    expect((await userOf(phone))!.referredById).toBe(friend!.id)
  })

  test('the code uses the stored form and ignores fields sent with it', async () => {
    const browser = new TestBrowser(app)
    const phone = newPhone()
    const { id } = (await (
      await browser.call('POST', '/user', userForm(phone, { is_admin: true, is_staff: true, is_superuser: true, is_verified: true }))
    ).json()) as { id: number }
    const all = {
      is_admin: true,
      is_staff: true,
      is_superuser: true,
      is_active: false,
      is_verified: true,
      created_by: 1,
      createdon: '2020-01-01',
    }
    const swapped = {
      ...userForm(newPhone(), { usertype: 9, username: 'Somebody else', password: 'another one entirely', title: 5 }),
      id: 1,
      ...all,
    }
    expect(
      await browser.says('PUT', `/userprofile/id=${id}`, { ...swapped, otp: await codeSentTo(app.ctx, phone), verify_otp: true }),
    ).toBe('200')
    expect(await userOf(phone)).toMatchObject({
      phone,
      name: 'Selvi',
      typeId: 1,
      titleId: 2,
      isAdmin: false,
      isStaff: false,
      superAdmin: false,
      isVerified: false,
      vetApproved: false,
      isActive: true,
    })
    expect(await new TestBrowser(app).says('POST', '/login', { username: phone, password: PASSWORD })).toBe('200')
  })

  test.each([
    ['usertype', 0],
    ['usertype', 9],
    ['usertype', '9'],
    ['usertype', 6],
    ['usertype', null],
    ['phone', '12345'],
    ['phone', ''],
    ['phone', 9876543210],
    ['password', 'short'],
    ['password', 'password'],
    ['username', ' '],
    ['username', '\u202E'],
    ['username', 'Mani 98765 43210'],
    ['username', 'மணி ௯௮௭௬௫௪௩௨௧௦'],
    ['sellerpannumber', 'ABCD12345F'],
    ['consent', false],
    ['consent', 'true'],
  ])('%s %j is refused and named', async (field, value) => {
    const response = await new TestBrowser(app).call('POST', '/user', userForm(newPhone(), { [field]: value }))
    expect(response.status).toBe(422)
    const { fields } = (await response.json()) as { fields: { field: string }[] }
    expect(fields.map((each) => each.field)).toEqual([field])
  })

  test('a registration without consent is accepted; pages ask before the first order and listing, and the calls never do', async () => {
    const phone = newPhone()
    const browser = await register(phone, { consent: undefined, usertype: 3 })
    const user = (await userOf(phone))!
    const viewer = { id: user.id, name: user.name, typeId: 3, vetApproved: false, superAdmin: false }
    const as = app.as(viewer)
    expect(await hasConsent(as, user.id)).toBe(false)
    const asked = await requireConsent(as, new URL('https://x/en/sell?copy=7')).catch((error: unknown) => error)
    expect((asked as Response).headers.get('Location')).toBe('/en/consent?next=%2Fen%2Fsell%3Fcopy%3D7')
    // The order is refused for its address, not for the consent.
    expect(await browser.says('PUT', `/confirm-order/buyer=${user.id}&address=999999&code=`)).toBe('404 NOT_FOUND')
    await giveConsent(as)
    await giveConsent(as)
    expect(await app.ctx.db.select().from(consents).where(eq(consents.userId, user.id))).toMatchObject([
      { purpose: 'account', version: ACCOUNT_CONSENT_VERSION, withdrawnAt: null },
    ])
    await requireConsent(as, new URL('https://x/en/sell'))
  })

  test('a new person of PUT login-code is accepted without consent, too, and refused with `false`', async () => {
    const phone = newPhone()
    const browser = new TestBrowser(app)
    expect(await browser.says('POST', '/login-code', { phone })).toBe('200')
    const code = { phone, otp: await codeSentTo(app.ctx, phone) }
    expect(await browser.says('PUT', '/login-code', { ...code, username: 'Selvi', consent: false })).toBe('422 VALIDATION')
    expect(await browser.says('PUT', '/login-code', { ...code, username: 'Selvi' })).toBe('200')
    const user = (await userOf(phone))!
    const viewer = { id: user.id, name: user.name, typeId: 1, vetApproved: false, superAdmin: false }
    expect(await hasConsent(app.as(viewer), user.id)).toBe(false)
  })

  test('PAN is stored for sellers only and sealed; the degree is stored for vets only', async () => {
    const [buyer, seller, vet] = [newPhone(), newPhone(), newPhone()]
    const facts = { sellerpannumber: 'ABCDE1234F', userdegree: 'BVSc' }
    await register(buyer, { ...facts, usertype: 1 })
    await register(seller, { ...facts, usertype: 2 })
    await register(vet, { ...facts, usertype: 5 })
    expect(await userOf(buyer)).toMatchObject({ panSealed: null, degree: null })
    expect(await userOf(vet)).toMatchObject({ panSealed: null, degree: 'BVSc', vetApproved: false })
    const row = (await userOf(seller))!
    expect(row.degree).toBeNull()
    expect(row.panSealed!.includes('ABCDE1234F')).toBe(false)
    expect(app.ctx.vault.open('pan', row.panSealed!)).toBe('ABCDE1234F')
  })

  test('the code works only in the browser that sent the form, and for its own id', async () => {
    const mine = new TestBrowser(app)
    const phone = newPhone()
    const { id } = (await (await mine.call('POST', '/user', userForm(phone))).json()) as { id: number }
    const proof = { otp: await codeSentTo(app.ctx, phone), verify_otp: true }
    expect(await new TestBrowser(app).says('PUT', `/userprofile/id=${id}`, proof)).toBe('404 NOT_FOUND')
    expect(await mine.says('PUT', `/userprofile/id=${id + 1}`, proof)).toBe('404 NOT_FOUND')
    const other = new TestBrowser(app)
    await other.call('POST', '/user', userForm(newPhone()))
    expect(await other.says('PUT', `/userprofile/id=${id}`, proof)).toBe('404 NOT_FOUND')
    expect(await mine.says('PUT', `/userprofile/id=${id}`, { otp: proof.otp })).toBe('422 VALIDATION')
    expect(await mine.says('PUT', `/userprofile/id=${id}`, proof)).toBe('200')
  })

  test('another code is sent after a minute, or at once to a corrected number', async () => {
    const browser = new TestBrowser(app)
    const [typo, phone] = [newPhone(), newPhone()]
    const { id } = (await (await browser.call('POST', '/user', userForm(typo))).json()) as { id: number }
    const again = await browser.call('POST', '/auth/otp/resend', {})
    expect(again.status).toBe(429)
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(50)
    const sent = await browser.call('POST', '/auth/otp/resend', { phone: phone.slice(3) })
    expect(await sent.json()).toEqual({ otp: '', otp_length: 6, expires_in: 600, resend_after: 60 })
    expect(await browser.says('PUT', `/userprofile/id=${id}`, { otp: await codeSentTo(app.ctx, phone), verify_otp: true })).toBe('200')
    expect(await userOf(phone)).toBeDefined()
    expect(await userOf(typo)).toBeUndefined()
    expect(await new TestBrowser(app).says('POST', '/auth/otp/resend', {})).toBe('404 NOT_FOUND')
  })

  test('a registered number gets PHONE_TAKEN', async () => {
    const phone = newPhone()
    await register(phone)
    expect(await new TestBrowser(app).says('POST', '/user', userForm(phone))).toBe('409 PHONE_TAKEN')
  })
})

describe('login over the API', () => {
  test('accepts the usual spellings of a number and returns the person', async () => {
    const phone = newPhone()
    await register(phone)
    for (const username of [phone, phone.slice(3), `0${phone.slice(3)}`, `${phone.slice(1, 6)} ${phone.slice(6)}`]) {
      const response = await new TestBrowser(app).call('POST', '/login', { username, password: PASSWORD })
      expect(await response.json()).toEqual({
        id: (await userOf(phone))!.id,
        name: 'Selvi',
        phone,
        usertype: 1,
        referralcode: (await userOf(phone))!.referralCode,
      })
    }
  })

  test('a wrong password, an unknown phone and a deactivated account get the same answer', async () => {
    const [phone, gone] = [newPhone(), newPhone()]
    await register(phone)
    await register(gone)
    await app.ctx.db.update(users).set({ isActive: false }).where(eq(users.phone, gone))
    const answers = await Promise.all(
      [
        { username: phone, password: 'not this one' },
        { username: newPhone(), password: PASSWORD },
        { username: gone, password: PASSWORD },
      ].map(async (json) => {
        const response = await new TestBrowser(app).call('POST', '/login', json)
        const { requestId: _, ...said } = (await response.json()) as { requestId: string; detail: string }
        return JSON.stringify([response.status, said])
      }),
    )
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toContain('Authentication failed. Try resetting password using Forgot password option below!')
  })

  test('session fixation is impossible: each login creates a new token and ends the old one', async () => {
    const phone = newPhone()
    const owner = await register(phone)
    const first = owner.cookies['__Host-sid']!
    const planted = 'x'.repeat(43)
    const victim = new TestBrowser(app)
    victim.cookies['__Host-sid'] = planted
    expect(await victim.says('POST', '/login', { username: phone, password: PASSWORD })).toBe('200')
    expect(victim.cookies['__Host-sid']).not.toBe(planted)
    expect(await findSession(app.ctx.db, planted)).toBeNull()
    expect(await owner.says('POST', '/login', { username: phone, password: PASSWORD })).toBe('200')
    expect(owner.cookies['__Host-sid']).not.toBe(first)
    expect(await findSession(app.ctx.db, first)).toBeNull()
  })

  test('the CSRF token from before the login is invalid after it', async () => {
    const phone = newPhone()
    await register(phone)
    const browser = new TestBrowser(app)
    const before = makeCsrfToken(app.secret, undefined)
    browser.cookies['__Host-csrf'] = before
    await browser.call('POST', '/login', { username: phone, password: PASSWORD })
    expect(browser.cookies['__Host-csrf']).not.toBe(before)
    browser.cookies['__Host-csrf'] = before
    expect(await browser.says('POST', '/validatesession')).toBe('403 CSRF_REJECTED')
  })

  // The embedded database runs in this process, so its CPU time would count.
  const measures = process.env.TEST_DATABASE === 'postgres' ? test : test.skip
  measures('takes as long for an unknown number as for a wrong password', async () => {
    const phone = newPhone()
    // Uses the password hashes of a live market; those of tests cost next to nothing.
    const live = await openTestApp({}, undefined, openVault('p'.repeat(32)))
    const passwordHash = await hashPassword(openVault('p'.repeat(32)), PASSWORD)
    await makeUser(live.ctx, { phone, passwordHash })
    // The CPU time of this process, because wall-clock time would include other processes.
    const timeOf = async (username: string) => {
      const started = process.cpuUsage()
      expect(await new TestBrowser(live).says('POST', '/login', { username, password: 'not this one' })).toBe('401 LOGIN_FAILED')
      const { user, system } = process.cpuUsage(started)
      return user + system
    }
    // Load only adds time: the least of many times approaches the cost of the work itself.
    let [known, unknown] = [Infinity, Infinity]
    const areAlike = () => unknown / known > 0.9 && unknown / known < 1.1
    // Below a hundred wrong tries, at which the number would need a code.
    for (let tries = 0; tries < 20 || (tries < 90 && !areAlike()); tries++) {
      known = Math.min(known, await timeOf(phone))
      unknown = Math.min(unknown, await timeOf(newPhone()))
    }
    expect(unknown / known).toBeGreaterThan(0.9)
    expect(unknown / known).toBeLessThan(1.1)
    await live.close()
  })

  test('an admin of a live site is anonymous until they give the authenticator’s code, and each code works once', async () => {
    const live = await openTestApp({ mode: 'live' })
    const worker = startTestOutbox(live.ctx)
    try {
      const phone = newPhone()
      await register(phone)
      const admin = await makeUser(live.ctx, { typeId: 9, passwordHash: (await userOf(phone))!.passwordHash })
      const browser = new TestBrowser(live)
      const response = await browser.call('POST', '/login', { username: admin.phone, password: PASSWORD })
      expect(await response.json()).toMatchObject({ id: admin.id, awaits_totp: true })
      expect(await browser.says('POST', '/validatesession')).toBe('401 AUTH_REQUIRED')
      expect(await browser.says('GET', '/auth/sessions')).toBe('401 AUTH_REQUIRED')
      const half = browser.cookies['__Host-sid']!
      const session = (await findSession(live.ctx.db, half))!
      await sendEnrolmentCode(live.ctx, session, testAuthClient())
      await openEnrolment(live.ctx, session, await codeSentTo(live.ctx, admin.phone))
      const found = await findSecondStep(live.ctx, session)
      if (found.step !== 'enrol') throw new Error(found.step)
      const { secret } = found.enrolment
      const code = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate({ timestamp: live.ctx.now.getTime() })
      await expect(passTotp(live.ctx, session, wrongCode(code))).rejects.toMatchObject({ code: 'OTP_WRONG' })
      browser.cookies['__Host-sid'] = await passTotp(live.ctx, session, code)
      delete browser.cookies['__Host-csrf']
      expect(await browser.says('POST', '/validatesession')).toBe('200')
      expect([half, browser.cookies['__Host-sid']].map((token) => isDeskToken(live.ctx.vault, token))).toEqual([true, true])
      expect(await findSession(live.ctx.db, half)).toBeNull()
      expect(await findSecondStep(live.ctx, session)).toEqual({ step: 'totp' })
      // An attacker who saw the code cannot use it again.
      await expect(passTotp(live.ctx, session, code)).rejects.toMatchObject({ code: 'OTP_WRONG' })
    } finally {
      await worker.stop()
      await live.close()
    }
  })
})

describe('a new password over the API', () => {
  test('by code: all sessions end, and this browser is logged in with a new token', async () => {
    const phone = newPhone()
    const owner = await register(phone)
    await forgetSends()
    const browser = new TestBrowser(app)
    const begun = await browser.call('PATCH', `/init-forgot-password/userphone=${phone}`)
    expect(await begun.json()).toEqual({ otp: '', otp_length: 6, expires_in: 600, resend_after: 60 })
    const code = await codeSentTo(app.ctx, phone)
    const path = `/reset-password/userphone=%2B${phone.slice(1)}`
    const body = { otp: code, password: NEW_PASSWORD }
    expect(await new TestBrowser(app).says('PATCH', path, body)).toBe('422 OTP_EXPIRED')
    expect(await browser.says('PATCH', path, { ...body, otp: wrongCode(code) })).toBe('422 OTP_WRONG')
    const done = await browser.call('PATCH', path, body)
    const { id, referralCode: referralcode } = (await userOf(phone))!
    expect(await done.json()).toEqual({ id, name: 'Selvi', phone, usertype: 1, referralcode })
    expect(await owner.says('POST', '/validatesession')).toBe('401 AUTH_REQUIRED')
    expect(await browser.says('POST', '/validatesession')).toBe('200')
    expect(await new TestBrowser(app).says('POST', '/login', { username: phone, password: PASSWORD })).toBe('401 LOGIN_FAILED')
  })

  test.each(['+', '%2B', '%20'])('a plus written as %s is accepted; a number without a plus is malformed', async (plus) => {
    const digits = newPhone().slice(1)
    expect(await new TestBrowser(app).says('PATCH', `/init-forgot-password/userphone=${plus}${digits}`)).toBe('404 PHONE_UNKNOWN')
    expect(await new TestBrowser(app).says('PATCH', `/init-forgot-password/userphone=${digits}`)).toBe('422 VALIDATION')
    expect(await new TestBrowser(app).says('PATCH', `/init-forgot-password/userphone=%252B${digits}`)).toBe('422 VALIDATION')
    expect(await new TestBrowser(app).says('PATCH', `/init-forgot-password/userphone=++${digits}`)).toBe('422 VALIDATION')
  })

  test('the number may be in the body instead', async () => {
    const phone = newPhone()
    await register(phone)
    await forgetSends()
    expect(await new TestBrowser(app).says('POST', '/auth/reset', { phone: phone.slice(3) })).toBe('200')
    expect(await new TestBrowser(app).says('POST', '/auth/reset', { phone: newPhone() })).toBe('404 PHONE_UNKNOWN')
  })

  test('never reveals who is registered when configured to be uniform', async () => {
    const uniform = await openTestApp({ authEnumeration: 'uniform' })
    const worker = startTestOutbox(uniform.ctx)
    try {
      const { phone } = await makeUser(uniform.ctx)
      const unknown = newPhone()
      const answersFor = async (phone: string) => {
        const browser = new TestBrowser(uniform)
        const said = [await browser.says('POST', '/auth/reset', { phone }), browser.bodies[0]!.split('\n').at(-1)]
        for (let n = 0; n < 6; n++)
          said.push(await browser.says('PATCH', `/reset-password/userphone=${phone}`, { otp: '000000', password: NEW_PASSWORD }))
        return [...said, await browser.says('POST', '/auth/reset', { phone }), Object.keys(browser.cookies).join()]
      }
      const ofKnown = await answersFor(phone)
      expect(ofKnown).toContain('422 OTP_WRONG')
      expect(ofKnown.slice(-3)).toEqual(['422 OTP_EXPIRED', '429 RATE_LIMITED', '__Host-csrf,__Host-rst'])
      expect(await answersFor(unknown)).toEqual(ofKnown)
      const taken = new TestBrowser(uniform)
      const free = new TestBrowser(uniform)
      const { phone: other } = await makeUser(uniform.ctx)
      for (const [browser, number] of [
        [taken, other],
        [free, newPhone()],
      ] as const) {
        const { id } = (await (await browser.call('POST', '/user', userForm(number))).json()) as { id: number }
        expect(await browser.says('PUT', `/userprofile/id=${id}`, { otp: '000000', verify_otp: true })).toBe('422 OTP_WRONG')
        expect(await browser.says('POST', '/auth/otp/resend', {})).toBe('429 RATE_LIMITED')
      }
      await expect(codeSentTo(uniform.ctx, unknown)).rejects.toThrow('No code')
    } finally {
      await worker.stop()
      await uniform.close()
    }
  })

  test('with the old password; other sessions end', async () => {
    const phone = newPhone()
    const here = await register(phone)
    const elsewhere = new TestBrowser(app)
    await elsewhere.call('POST', '/login', { username: phone, password: PASSWORD })
    const refused = await here.call('POST', '/auth/password', { old_password: 'not this one', new_password: NEW_PASSWORD })
    expect(await refused.json()).toMatchObject({ status: 403, code: 'PASSWORD_WRONG', fields: [{ field: 'old_password' }] })
    expect(await (await here.call('POST', '/auth/password', { old_password: PASSWORD, new_password: 'password' })).json()).toMatchObject({
      status: 422,
      fields: [{ field: 'new_password' }],
    })
    expect(await here.says('POST', '/auth/password', { old_password: PASSWORD, new_password: NEW_PASSWORD })).toBe('200')
    expect(await here.says('POST', '/validatesession')).toBe('200')
    expect(await elsewhere.says('POST', '/validatesession')).toBe('401 AUTH_REQUIRED')
    expect(await new TestBrowser(app).says('POST', '/auth/password', { old_password: PASSWORD, new_password: NEW_PASSWORD })).toBe(
      '401 AUTH_REQUIRED',
    )
  })
})

describe('sessions over the API', () => {
  type Row = { id: number; device: string; is_this: boolean }
  const list = async (browser: TestBrowser) => (await (await browser.call('GET', '/auth/sessions')).json()) as Row[]

  test('are listed for their owner, and one session can end another of the same owner', async () => {
    const phone = newPhone()
    const here = await register(phone)
    const there = new TestBrowser(app)
    await there.call('POST', '/login', { username: phone, password: PASSWORD })
    const rows = await list(here)
    expect(rows).toHaveLength(2)
    expect(rows.filter((row) => row.is_this)).toHaveLength(1)
    const other = rows.find((row) => !row.is_this)!
    expect(await here.says('DELETE', `/auth/sessions/id=${other.id}`)).toBe('200')
    expect(await there.says('POST', '/validatesession')).toBe('401 AUTH_REQUIRED')
    expect(await here.says('DELETE', `/auth/sessions/id=${other.id}`)).toBe('404 NOT_FOUND')
  })

  test('of other people cannot be ended, and the answer is the same as for an unknown one', async () => {
    const [me, you] = [await register(newPhone()), await register(newPhone())]
    const [yours] = await list(you)
    const answers = await Promise.all(
      [yours!.id, 999_999_999].map(async (id) => {
        const response = await me.call('DELETE', `/auth/sessions/id=${id}`)
        const { requestId: _, ...said } = (await response.json()) as { requestId: string }
        return JSON.stringify([response.status, said])
      }),
    )
    expect(answers[0]).toBe(answers[1])
    expect(await you.says('POST', '/validatesession')).toBe('200')
    expect(await me.says('DELETE', '/auth/sessions/id=0')).toBe('422 VALIDATION')
    expect(await new TestBrowser(app).says('GET', '/auth/sessions')).toBe('401 AUTH_REQUIRED')
    expect(await new TestBrowser(app).says('DELETE', `/auth/sessions/id=${yours!.id}`)).toBe('401 AUTH_REQUIRED')
  })

  test('end with the logout, which always succeeds', async () => {
    const browser = await register(newPhone())
    const token = browser.cookies['__Host-sid']!
    browser.cookies.refcode = 'ABCDE12345'
    const response = await browser.call('POST', '/logout')
    expect(response.status).toBe(200)
    expect(response.headers.get('clear-site-data')).toBe('"cache"')
    for (const name of ['__Host-sid', 'refcode']) expect(browser.cookies[name]).toBeUndefined()
    expect(await findSession(app.ctx.db, token)).toBeNull()
    expect(await browser.says('POST', '/logout')).toBe('200')
    const stale = new TestBrowser(app)
    stale.cookies['__Host-sid'] = token
    expect(await stale.says('POST', '/logout')).toBe('200')
  })
})

/** Allows the next code at once, as a minute of time would. */
const forgetSends = () => app.ctx.db.execute(sql`delete from limit_counts where key like 'otpPhone%'`)
