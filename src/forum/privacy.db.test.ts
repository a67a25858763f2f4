import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { testVault } from '#tools/test-kit/test-ctx.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { codeSentTo, shareTestOutbox } from '#tools/test-kit/test-auth-client.ts'
import { makeReply, makeThread } from './makers.server.ts'
import { replies, threads } from './tables.ts'

const PASSWORD = 'a quiet evening'
let app: TestApp
shareTestApp((opened) => (app = opened))
shareTestOutbox(() => app.ctx)

describe('a person who deletes their account', () => {
  test.each<[string, { forum?: string }]>([
    ['leaves their posts without an author by default', {}],
    ['leaves them on request', { forum: 'keep' }],
    ['deletes them on request', { forum: 'remove' }],
  ])('%s', async (_, choice) => {
    const person = await makeUser(app.ctx, { passwordHash: await hashPassword(testVault, PASSWORD) })
    const other = await makeUser(app.ctx)
    const thread = await makeThread(app.ctx, { authorId: person.id, content: 'A question' })
    await makeReply(app.ctx, { threadId: thread, authorId: other.id })
    const elsewhere = await makeThread(app.ctx, { authorId: other.id })
    const reply = await makeReply(app.ctx, { threadId: elsewhere, authorId: person.id, content: 'An answer' })
    const erase = (json: object) => app.call('/api/v1/me', { method: 'DELETE', as: person, csrf: true, json })
    expect((await erase({ password: PASSWORD })).status).toBe(200)
    const otp = await codeSentTo(app.ctx, person.phone)
    expect((await erase({ password: PASSWORD, otp, forum: 'burn' })).status).toBe(422)
    expect(await (await erase({ password: PASSWORD, otp, ...choice })).json()).toEqual({ erased: true })
    const stays = choice.forum !== 'remove'
    const [row] = await app.ctx.db.select().from(threads).where(eq(threads.id, thread))
    expect(row).toMatchObject(
      stays ? { content: 'A question', state: 'shown', authorId: null } : { content: '', state: 'deleted', authorId: null },
    )
    const [answer] = await app.ctx.db.select().from(replies).where(eq(replies.id, reply))
    if (stays) expect(answer).toMatchObject({ content: 'An answer', authorId: null })
    else expect(answer).toBeUndefined()
    const shown = await app.read<{ RepliedBy_name: string }[]>(`/api/v1/thread/Replies/id=${elsewhere}`, { as: other })
    expect(shown.map(({ RepliedBy_name }) => RepliedBy_name)).toEqual(stays ? ['Deleted user'] : [])
  })
})
