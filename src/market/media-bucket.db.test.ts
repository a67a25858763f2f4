import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeListing, makePhoto } from '#src/listings/makers.server.ts'
import { readinessOf } from '#src/operation/readiness.server.ts'
import { startS3Server, type S3Server } from '#tools/test-kit/s3-server.ts'
import { openTestApp, type TestApp } from '#tools/test-kit/test-app.ts'

let server: S3Server
let app: TestApp
beforeAll(async () => {
  server = await startS3Server()
  app = await openTestApp({ bucket: server.address })
})
beforeEach(() => server.objects.clear())
afterEach(() => {
  server.state = 'well'
})
afterAll(async () => {
  await app?.close()
  await server?.stop()
})

const picturesIn = () => [...server.objects.keys()].filter((name) => name.startsWith('pictures/'))

describe('people on a market whose pictures are in a bucket', () => {
  const upload = async (as: Awaited<ReturnType<typeof makeUser>>) => {
    const form = new FormData()
    const jpeg = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#a05020' } })
      .jpeg()
      .toBuffer()
    form.append('image', new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' }))
    const request = new Request('http://x', { method: 'POST', body: form })
    const headers = { 'Content-Type': request.headers.get('content-type')! }
    return app.call('/api/v1/userprofileimage', { method: 'POST', as, csrf: true, headers, body: (await request.bytes()) as never })
  }
  const status = async (path: string, as: Awaited<ReturnType<typeof makeUser>> | null = null) => (await app.call(path, { as })).status

  test('upload a picture, see it, and replace it, and the old one is deleted from the bucket', async () => {
    const seller = await makeUser(app.ctx, { typeId: 2 })
    const first = (await (await upload(seller)).json()) as { image: string }
    const shown = await app.call(first.image)
    expect([shown.status, (await sharp(Buffer.from(await shown.arrayBuffer())).metadata()).format]).toEqual([200, 'jpeg'])
    await upload(seller)
    expect(await status(first.image)).toBe(404)
    expect(picturesIn()).toHaveLength(1)
  })

  test('see only the pictures they may see', async () => {
    const seller = await makeUser(app.ctx, { typeId: 2 })
    const stranger = await makeUser(app.ctx)
    const mediaKey = await app.media.save({ variants: [{ width: 320, format: 'jpeg', bytes: Buffer.from('jpeg') }] })
    await makeListing(app.ctx, { sellerId: seller.id, state: 'pending' }, [{ ...makePhoto(), mediaKey }])
    const path = `/media/${mediaKey}-320.jpg`
    expect([await status(path), await status(path, stranger), await status(path, seller)]).toEqual([404, 404, 200])
  })

  test('may retry while the bucket is unreachable, and everything else works', async () => {
    const seller = await makeUser(app.ctx, { typeId: 2 })
    const { image } = (await (await upload(seller)).json()) as { image: string }
    for (const state of ['away', 'silent', 'full'] as const) {
      server.state = state
      const shown = await app.call(image)
      expect([shown.status, shown.headers.get('retry-after')], state).toEqual(state === 'full' ? [200, null] : [503, '5'])
      const sent = await upload(seller)
      expect([sent.status, Number(sent.headers.get('retry-after')) > 0], state).toEqual([503, true])
      expect(await status('/api/v1/product-top/top=4'), state).toBe(200)
    }
    server.state = 'away'
    // The answer of the second before may still be shared.
    await expect
      .poll(async () => (await readinessOf(app.market)).find(({ what }) => what === 'picture disk'))
      .toMatchObject({ isWell: false, isNeeded: false })
    server.state = 'well'
    expect(await status(image)).toBe(200)
    expect((await upload(seller)).status).toBe(200)
  })
})
