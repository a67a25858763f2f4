import { afterEach, expect, test, vi } from 'vitest'
import { discardClips, listClipActs, moveClips, putClipOnPhone, writeCaption } from './queue.ts'

afterEach(() => vi.unstubAllGlobals())

/** A page with a service worker that records the questions and gives these answers. */
function phone(answers: Record<string, unknown> = {}) {
  const asked: Record<string, unknown>[] = []
  const postMessage = (question: { ask: string }, [port]: [MessagePort]) => {
    asked.push(question)
    port.postMessage(answers[question.ask] ?? null)
    port.close()
  }
  vi.stubGlobal('navigator', { serviceWorker: { controller: { postMessage } } })
  vi.stubGlobal('document', { documentElement: { lang: 'ta' } })
  vi.stubGlobal('dispatchEvent', () => true)
  return asked
}
const video = { kind: 'video' as const, blob: new Blob(['video'], { type: 'video/mp4' }), still: new Blob(['still']), upload: undefined }

test('a clip is stored with its file, still, form and version, and with the upload that the page has begun', async () => {
  const asked = phone({ later: 'stored' })
  expect(await putClipOnPhone({ form: 'edit-7', name: 'Kangayam', version: '3' }, { ...video, upload: 'begun' })).toBe('stored')
  expect(asked).toEqual([
    {
      ask: 'later',
      act: {
        kind: 'video',
        method: 'POST',
        path: '/api/v1/listing-draft/clip?form=edit-7',
        follows: 'edit-7',
        fields: [
          ['kind', 'video'],
          ['caption', ''],
          ['version', '3'],
        ],
        files: [['still', video.still]],
        upload: { blob: video.blob, id: 'begun' },
        words: 'Kangayam · 1 KB',
        locale: 'ta',
      },
    },
  ])
})

test('a full phone and a page without a worker are reported as such', async () => {
  phone({ later: 'full' })
  expect(await putClipOnPhone({ form: 'a-key' }, video)).toBe('full')
  vi.stubGlobal('navigator', {})
  expect(await putClipOnPhone({ form: 'a-key' }, video)).toBeNull()
  expect(await listClipActs('a-key')).toEqual([])
})

test('a caption changes one field; a corrected listing takes its clips along to its new key; an emptied form takes them away', async () => {
  const act = {
    n: 4,
    kind: 'video',
    state: 'waiting',
    follows: 'old',
    fields: [
      ['kind', 'video'],
      ['caption', ''],
    ],
  }
  const others = [
    { ...act, n: 5, kind: 'listing' },
    { ...act, n: 6, state: 'sent' },
    { ...act, n: 7, follows: 'another' },
  ]
  const asked = phone({ acts: [act, ...others] })
  expect((await listClipActs('old')).map(({ n }) => n)).toEqual([4, 6])
  await writeCaption((await listClipActs('old'))[0]!, 'She walks')
  await moveClips('old', 'new')
  discardClips('new')
  expect(asked.filter(({ ask }) => ask !== 'acts')).toEqual([
    {
      ask: 'revise',
      n: 4,
      changes: {
        fields: [
          ['kind', 'video'],
          ['caption', 'She walks'],
        ],
      },
    },
    { ask: 'revise', n: 4, changes: { follows: 'new', path: '/api/v1/listing-draft/clip?form=new' } },
    { ask: 'discardFollowers', name: 'new' },
  ])
})
