import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSession, makeUser } from './accounts/makers.server.ts'
import { makeCsrfToken } from './kit/csrf.server.ts'
import { MAX_PICTURE_BYTES } from './kit/pictures.server.ts'
import { openTestApp, type TestApp } from './testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())

/** A body that comes to an end when it is told to. */
function slowUpload() {
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const source: UnderlyingDefaultSource<Uint8Array> = {
    pull: async (controller) => {
      controller.enqueue(new TextEncoder().encode('--x\r\nContent-Disposition: form-data; name="user"\r\n\r\n'))
      begun.resolve()
      await end.promise
      controller.enqueue(new TextEncoder().encode('\r\n--x--\r\n'))
      controller.close()
    },
  }
  // Asked for nothing before somebody reads it.
  const body = new ReadableStream(source, { highWaterMark: 0 })
  return { body, begun: begun.promise, finish: end.resolve }
}

async function upload(session: string | null, body: ReadableStream | string, path = '/api/v1/userprofileimage') {
  const token = makeCsrfToken(app.secret, session ?? undefined)
  const cookie = [session && `__Host-sid=${session}`, `__Host-csrf=${token}`].filter(Boolean).join('; ')
  return app.fetch(path, {
    method: 'POST',
    headers: { cookie, 'X-CSRFToken': token, 'Content-Type': 'multipart/form-data; boundary=x' },
    body,
    duplex: 'half',
  } as RequestInit)
}

describe('something large', () => {
  const picture = 'x'.repeat(100_000)

  test('is taken from who is logged in, and from nobody else', async () => {
    const session = await makeSession(app.ctx, (await makeUser(app.ctx)).id)
    expect((await upload(session, picture)).status).toBe(400)
    expect((await upload(null, picture)).status).toBe(413)
  })

  test('of somebody whose session is over is answered with the login, not with its size', async () => {
    expect((await upload('x'.repeat(43), picture)).status).toBe(401)
    expect((await upload('x'.repeat(43), picture, '/api/v1/product')).status).toBe(413)
  })

  test('refused on a page says so in its language, and leads back to the form', async () => {
    const session = await makeSession(app.ctx, (await makeUser(app.ctx)).id)
    const refused = await upload(session, 'x'.repeat(4 * MAX_PICTURE_BYTES), '/en/orders/7/handover')
    const html = await refused.text()
    expect(refused.status).toBe(413)
    expect(html).toContain('<html lang="en">')
    expect(html).toMatch(/<p>What you sent is too large.*<p lang="ta">/)
    expect(html).toContain('<a href="/en/orders/7/handover">Back to the form</a>')
    expect(await (await upload(null, picture, '//evil.example/"><b>')).text()).toContain('<a href="/evil.example/%22%3E%3Cb%3E">')
  })

  test('is as large as three pictures only where three may come', async () => {
    const session = await makeSession(app.ctx, (await makeUser(app.ctx, { typeId: 2 })).id)
    const two = 'x'.repeat(2 * MAX_PICTURE_BYTES)
    expect((await upload(session, two, '/api/v1/productimages')).status).toBe(400)
    expect((await upload(session, two, '/api/v1/listing-draft/photo')).status).toBe(413)
    expect((await upload(session, 'x'.repeat(4 * MAX_PICTURE_BYTES), '/api/v1/productimages')).status).toBe(413)
    expect((await upload(session, two, '/api/v1/product')).status).toBe(413)
  })

  test('comes twice at a time from one person, and does not keep out another', async () => {
    const [one, other] = await Promise.all([1, 2].map(async () => makeSession(app.ctx, (await makeUser(app.ctx)).id)))
    const slow = [slowUpload(), slowUpload()]
    const running = slow.map(({ body }) => upload(one!, body))
    // Whichever comes first: one that is refused begins never.
    await Promise.race([Promise.all(slow.map(({ begun }) => begun)), ...running])
    expect((await upload(one!, picture)).status).toBe(429)
    expect((await upload(other!, picture)).status).toBe(400)
    for (const { finish } of slow) finish()
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([422, 422])
    expect((await upload(one!, picture)).status).toBe(400)
  })
})
