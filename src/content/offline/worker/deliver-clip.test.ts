import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { OWNER_HEADER } from '#src/kit/http/market-answer.ts'
import { Outbox } from '#src/content/offline/outbox/outbox.ts'
import type { LaterAct } from '#src/kit/device/send-later.ts'
import { often } from '#tools/test-kit/often.ts'
import { deliverWith } from './deliver.ts'

afterEach(() => vi.unstubAllGlobals())

const BYTES = 600 * 1024
const NOW = 1_800_000_000_000
const clip: LaterAct = {
  kind: 'video',
  method: 'POST',
  path: '/api/v1/listing-draft/clip?form=key-of-cow',
  follows: 'key-of-cow',
  fields: [
    ['kind', 'video'],
    ['caption', 'She walks'],
  ],
  files: [['still', new Blob(['still'])]],
  upload: { blob: new Blob([new Uint8Array(BYTES)]) },
  words: '',
  locale: 'en',
}

/**
 * The fate of one request. `lost`: it arrived, but its answer did not. `forgotten`: the server has deleted all uploads before it. `forged`, `missing`
 * and `replaced`: another server answers in place of the market, or in place of its answer.
 */
const FATES = ['taken', 'offline', 'lost', 'forgotten', 'forged', 'missing', 'replaced'] as const
type Fate = (typeof FATES)[number]

/** The calls for clips as the market answers them: an upload is used up by its clip, and the same upload is one clip. */
class ClipServer {
  readonly uploads = new Map<string, number>()
  readonly clips: { upload: string; caption: string }[] = []
  /** Bytes that arrived, with repeated ones. */
  bytes = 0
  readonly fates: Fate[]
  refusal: Response | undefined
  constructor(fates: Fate[] = []) {
    this.fates = fates
  }
  readonly fetch = async (path: string, init: RequestInit = {}): Promise<Response> => {
    if (path === '/api/v1/csrf') return new Response('{}', { headers: { [OWNER_HEADER]: 'me' } })
    const fate = this.fates.shift() ?? 'taken'
    if (fate === 'offline') throw new TypeError('offline')
    if (fate === 'forged' || fate === 'missing') return new Response('<h1>Wi-Fi</h1>', { status: fate === 'forged' ? 200 : 404 })
    if (fate === 'forgotten') this.uploads.clear()
    const answer = this.#answer(path, init)
    if (fate === 'lost') throw new TypeError('lost')
    if (fate === 'replaced') return new Response('<h1>Wi-Fi</h1>')
    answer.headers.set(OWNER_HEADER, 'me')
    return answer
  }
  #answer(path: string, { method = 'GET', headers, body }: RequestInit): Response {
    const ask = new Headers(headers)
    const id = /id=(.*)$/.exec(path)?.[1]
    if (path.startsWith('/api/v1/listing-draft/clip')) return this.#take(body as FormData)
    expect(ask.get('Tus-Resumable')).toBe('1.0.0')
    if (id === undefined) {
      const fresh = `upload-${this.uploads.size}-${Math.random()}`
      this.uploads.set(fresh, 0)
      return new Response(null, { status: 201, headers: { Location: `/api/v1/clip-upload/id=${fresh}` } })
    }
    const offset = this.uploads.get(id)
    if (offset === undefined) return new Response(null, { status: 404 })
    if (method === 'GET') return Response.json({ offset, length: BYTES })
    if (ask.get('Upload-Offset') !== String(offset)) return new Response(null, { status: 409 })
    this.bytes += (body as Blob).size
    this.uploads.set(id, offset + (body as Blob).size)
    return new Response(null, { status: 204, headers: { 'Upload-Offset': String(this.uploads.get(id)) } })
  }
  #take(form: FormData): Response {
    if (this.refusal) return this.refusal.clone()
    const upload = String(form.get('upload'))
    if (this.clips.some((each) => each.upload === upload)) return Response.json({})
    if (this.uploads.get(upload) !== BYTES) return Response.json({ code: 'NOT_FOUND' }, { status: 404 })
    this.uploads.delete(upload)
    this.clips.push({ upload, caption: String(form.get('caption')) })
    return Response.json({})
  }
}

let boxes = 0
/** Sends as often as there are fates, as one connection after the other, and once more on a good line. */
async function send(server: ClipServer, act = clip) {
  vi.stubGlobal('fetch', server.fetch)
  const name = `clips-${boxes++}`
  await new Outbox(name).add('me', act, NOW)
  for (let n = server.fates.length + 1; n >= 0; n--) await new Outbox(name).send('me', deliverWith('token'), NOW)
  return (await new Outbox(name).list('me'))[0]!
}

test('whatever breaks while a clip is sent, it arrives once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...FATES), { maxLength: 12 }), async (fates) => {
      const server = new ClipServer([...fates])
      expect((await send(server)).state).toBe('sent')
      expect(server.clips.map(({ caption }) => caption)).toEqual(['She walks'])
    }),
    // The example: the upload is deleted between its last part and the call that makes the clip.
    { numRuns: often(30, 300), examples: [[['taken', 'taken', 'taken', 'taken', 'forgotten']]] },
  )
})

test('a broken line costs one part at most, not the whole clip', async () => {
  const server = new ClipServer(['taken', 'taken', 'lost', 'offline', 'offline'])
  expect((await send(server)).state).toBe('sent')
  // The part whose answer was lost had arrived.
  expect(server.bytes).toBe(BYTES)
})

test('an upload that the page has begun, or finished without hearing the answer, is continued', async () => {
  const begun = new ClipServer()
  begun.uploads.set('of-the-page', 512 * 1024)
  const act = { ...clip, upload: { ...clip.upload!, id: 'of-the-page' } }
  await send(begun, act)
  expect([begun.bytes, begun.clips.length]).toEqual([BYTES - 512 * 1024, 1])
  const done = new ClipServer()
  done.clips.push({ upload: 'of-the-page', caption: '' })
  expect([(await send(done, act)).state, done.bytes, done.clips.length]).toEqual(['sent', 0, 1])
})

test('the caption that the seller writes during the upload arrives with the clip', async () => {
  const server = new ClipServer()
  const outbox = new Outbox(`clips-${boxes++}`)
  await outbox.add('me', clip, NOW)
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    if (init?.method === 'PATCH') await outbox.revise('me', 1, { fields: [['caption', 'She eats']] })
    return server.fetch(path, init)
  })
  await outbox.send('me', deliverWith('token'), NOW)
  expect(server.clips.map(({ caption }) => caption)).toEqual(['She eats'])
})

test('a refusal is shown with its reason, and the clip stays on the phone', async () => {
  const refusals: [Response, string][] = [
    [Response.json({ code: 'NOT_FOUND' }, { status: 404 }), 'Its listing is not here any more.'],
    [Response.json({ fields: [{ field: 'clip', message: 'There can be two.' }] }, { status: 422 }), 'There can be two.'],
    [Response.json({ code: 'LISTING_STEP', detail: 'Not now.' }, { status: 409 }), 'Not now.'],
  ]
  for (const [refusal, reason] of refusals) {
    const server = new ClipServer()
    server.refusal = refusal
    const { state, reason: shown, upload } = await send(server)
    expect([state, shown, upload?.blob.size]).toEqual(['refused', reason, BYTES])
  }
})
