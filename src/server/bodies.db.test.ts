import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { makeBearer } from '#src/orders/steps/makers.server.ts'
import { makeRunLink } from '#src/orders/run-sheet/run-links.server.ts'
import { makeCsrfToken } from '#src/kit/http/csrf.server.ts'
import { MAX_PICTURE_BYTES } from '#src/kit/media/pictures.server.ts'
import { openTestApp, type TestApp } from '#tools/test-kit/test-app.ts'

let app: TestApp
/** The forms that reached a page. */
const pageRequests: Record<string, FormDataEntryValue>[] = []
beforeAll(async () => {
  app = await openTestApp({}, async (request) => {
    pageRequests.push(Object.fromEntries(await request.formData()))
    return new Response('a page')
  })
})
afterAll(() => app?.close())

/** A boundary as browsers write it; some parsers refuse shorter ones. */
const BOUNDARY = '----WebKitFormBoundaryq1w2e3r4t5y6u7i8'

/** An upload whose body ends on request. */
function slowUpload() {
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const source: UnderlyingDefaultSource<Uint8Array> = {
    pull: async (controller) => {
      controller.enqueue(new TextEncoder().encode(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="user"\r\n\r\n`))
      begun.resolve()
      await end.promise
      controller.enqueue(new TextEncoder().encode(`\r\n--${BOUNDARY}--\r\n`))
      controller.close()
    },
  }
  // The stream produces nothing before somebody reads it.
  const body = new ReadableStream(source, { highWaterMark: 0 })
  return { body, begun: begun.promise, finish: end.resolve }
}

async function upload(session: string | null, body: ReadableStream | string, path = '/api/v1/userprofileimage') {
  const token = makeCsrfToken(app.secret, session ?? undefined)
  const cookie = [session && `__Host-sid=${session}`, `__Host-csrf=${token}`].filter(Boolean).join('; ')
  return app.fetch(path, {
    method: 'POST',
    headers: { cookie, 'X-CSRFToken': token, 'Sec-Fetch-Site': 'same-origin', 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
    body,
    duplex: 'half',
  } as RequestInit)
}

describe('a large body', () => {
  const picture = 'x'.repeat(100_000)

  test('is accepted from logged-in people only', async () => {
    const session = await makeSession(app.ctx, (await makeUser(app.ctx)).id)
    expect((await upload(session, picture)).status).toBe(400)
    expect((await upload(null, picture)).status).toBe(401)
  })

  test('is accepted behind a working link of a bearer, and a dead link says that it is none', async () => {
    const admin = await makeUser(app.ctx, { typeId: 9 })
    const bearer = await makeBearer(app.ctx)
    const day = indianDay(app.ctx.now)
    const link = await makeRunLink({ ...app.ctx, viewer: admin }, { bearerId: bearer.id, day })
    const path = new URL(link).pathname
    const form = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="reason"\r\n\r\n${picture}\r\n--${BOUNDARY}--\r\n`
    expect((await upload(null, form, path)).status).toBe(200)
    expect((await upload(null, 'x'.repeat(4 * MAX_PICTURE_BYTES), path)).status).toBe(413)
    const dead = `/bring/${'0'.repeat(32)}`
    for (const each of [dead, `/en${dead}.data`]) expect((await upload(null, form, each)).status).toBe(404)
  })

  test('from a person with an expired session is answered with the login, not with its size', async () => {
    expect((await upload('x'.repeat(43), picture)).status).toBe(401)
    expect((await upload('x'.repeat(43), picture, '/api/v1/product')).status).toBe(401)
    expect((await upload(null, picture, '/api/v1/login')).status).toBe(413)
  })

  test('refused on a page is explained in the page’s language, with a link back to the form', async () => {
    const session = await makeSession(app.ctx, (await makeUser(app.ctx)).id)
    const refused = await upload(session, 'x'.repeat(4 * MAX_PICTURE_BYTES), '/en/orders/7/handover')
    const html = await refused.text()
    expect(refused.status).toBe(413)
    expect(html).toContain('<html lang="en">')
    expect(html).toMatch(/<p>What you sent is too large.*<p lang="ta">/)
    expect(html).toContain('<a href="/en/orders/7/handover">Back to the form</a>')
    expect(await (await upload(null, picture, '//evil.example/"><b>')).text()).toContain('<a href="/evil.example/%22%3E%3Cb%3E">')
  })

  test('may be as large as three pictures only where a form takes three', async () => {
    const session = await makeSession(app.ctx, (await makeUser(app.ctx, { typeId: 2 })).id)
    const two = 'x'.repeat(2 * MAX_PICTURE_BYTES)
    expect((await upload(session, two, '/api/v1/productimages')).status).toBe(400)
    expect((await upload(session, two, '/api/v1/listing-draft/photo')).status).toBe(413)
    expect((await upload(session, 'x'.repeat(4 * MAX_PICTURE_BYTES), '/api/v1/productimages')).status).toBe(413)
    expect((await upload(session, two, '/api/v1/product')).status).toBe(413)
  })

  test('is accepted twice at a time from one person, and does not block others', async () => {
    const [one, other] = await Promise.all([1, 2].map(async () => makeSession(app.ctx, (await makeUser(app.ctx)).id)))
    const slow = [slowUpload(), slowUpload()]
    const running = slow.map(({ body }) => upload(one!, body))
    // Whichever comes first, because a refused upload never begins.
    await Promise.race([Promise.all(slow.map(({ begun }) => begun)), ...running])
    expect((await upload(one!, picture)).status).toBe(429)
    expect((await upload(other!, picture)).status).toBe(400)
    for (const { finish } of slow) finish()
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([422, 422])
    expect((await upload(one!, picture)).status).toBe(400)
  })
})

describe('a slow body', () => {
  const encoder = new TextEncoder()
  /** Sends each text after its number of seconds; then nothing more. */
  function trickle(parts: [afterSeconds: number, text: string][], isComplete: boolean): ReadableStream {
    return new ReadableStream({
      async start(controller) {
        for (const [afterSeconds, text] of parts) {
          await new Promise((resolve) => setTimeout(resolve, afterSeconds * 1000))
          controller.enqueue(encoder.encode(text))
        }
        if (isComplete) controller.close()
      },
    })
  }
  const field = (name: string, value: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const photo = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`

  /** Fakes the timers, so that minutes pass in an instant. Nobody is logged in, so no statement runs meanwhile: its time-out would expire, too. */
  async function answered(answer: Promise<Response>): Promise<Response> {
    let response: Response | undefined
    answer.then((found) => (response = found)).catch(() => {})
    while (!response) await vi.advanceTimersByTimeAsync(1000)
    return response
  }
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  test('is accepted whole after two minutes while it keeps coming', async () => {
    const parts: [number, string][] = Array.from({ length: 12 }, () => [10, field('more', 'x'.repeat(5000))])
    const body = trickle([[0, field('user', '1')], ...parts, [1, `--${BOUNDARY}--\r\n`]], true)
    const response = await answered(upload(null, body, '/en/support'))
    expect(response.status, JSON.stringify(app.logged.at(-1))).toBe(200)
    expect(pageRequests.at(-1)).toEqual({ user: '1', more: 'x'.repeat(5000) })
  })

  test.each<[string, [number, string][]]>([
    ['stops', [[0, field('user', '1')]]],
    ['trickles in', Array.from({ length: 60 }, () => [10, 'x'.repeat(900)])],
  ])('that %s is cut off and answered', async (_, parts) => {
    const response = await answered(upload(null, trickle(parts, false), '/api/v1/newsletter'))
    expect([response.status, await response.json()]).toEqual([408, expect.objectContaining({ code: 'REQUEST_TIMEOUT' })])
  })

  test('that breaks off within a photo reaches its page with the fields before it', async () => {
    const body = trickle([[0, field('csrf', 'x') + field('reason', 'ஒரு கொம்பு உடைந்துள்ளது') + photo + 'x'.repeat(50_000)]], false)
    const response = await answered(upload(null, body, '/en/support'))
    expect(pageRequests.at(-1)).toEqual({ csrf: 'x', reason: 'ஒரு கொம்பு உடைந்துள்ளது' })
    expect(response.status).toBe(200)
  })
})
