import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '../makers.server.ts'
import { users } from '../tables.ts'
import type { Viewer } from '#src/kit/context.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { testVault } from '#tools/test-kit/test-ctx.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'

const PASSWORD = 'a quiet evening'
let app: TestApp
let admin: Viewer
shareTestApp((opened) => (app = opened))
beforeAll(async () => {
  admin = await makeUser(app.ctx, { typeId: 9, passwordHash: await hashPassword(testVault, PASSWORD) })
})

const save = (as: Viewer, json: object, { id }: Viewer) =>
  app.call(`/api/v1/userprofile/id=${id}`, { method: 'POST', as, csrf: true, json })
const refusal = async (answer: Promise<Response>) => ((await (await answer).json()) as { code: string }).code
const row = async ({ id }: Viewer) => (await app.ctx.db.select().from(users).where(eq(users.id, id)))[0]!

test('the profile of another person is changed with the admin’s password only, and the person gets a message in their language', async () => {
  const one = await makeUser(app.ctx, { email: 'a@example.com' })
  const before = await row(one)
  const messages = () =>
    app.ctx.db
      .select()
      .from(outbox)
      .where(and(eq(outbox.userId, one.id), eq(outbox.template, 'profile-changed')))
  for (const changes of [{ username: 'Renamed' }, { email: 'b@example.com' }, { userdegree: 'BVSc' }, { title: 2 }]) {
    expect(await refusal(save(admin, changes, one))).toBe('VALIDATION')
    expect(await refusal(save(admin, { ...changes, password: 'wrong' }, one))).toBe('PASSWORD_WRONG')
  }
  expect(await row(one)).toEqual(before)
  // The old client sends every field, also unchanged ones.
  expect((await save(admin, { username: one.name, email: 'a@example.com', title: 1 }, one)).status).toBe(200)
  expect(await messages()).toEqual([])
  expect((await save(admin, { email: 'b@example.com', password: PASSWORD }, one)).status).toBe(200)
  expect(await row(one)).toMatchObject({ email: 'b@example.com' })
  expect(await messages()).toMatchObject([{ recipient: one.phone, locale: 'ta' }])
  expect((await save(one, { email: 'c@example.com' }, one)).status).toBe(200)
  expect(await messages()).toHaveLength(1)
})

test('a call that approves a request and changes the name does neither without the password', async () => {
  const one = await makeUser(app.ctx, { requestedTypeId: 4, requestedTypeAt: app.ctx.now })
  expect(await refusal(save(admin, { usertype: 4, username: 'Renamed' }, one))).toBe('VALIDATION')
  expect(await row(one)).toMatchObject({ typeId: 1, requestedTypeId: 4, name: one.name })
  expect((await save(admin, { usertype: 4, username: 'Renamed', password: PASSWORD }, one)).status).toBe(200)
  expect(await row(one)).toMatchObject({ typeId: 4, requestedTypeId: null, name: 'Renamed' })
})
