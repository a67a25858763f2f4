import { ALL_FORMATS, BufferSource, Input } from 'mediabunny'
import { describe, expect, test } from 'vitest'
import { often } from '#tools/test-kit/often.ts'
import { makeClip, type ClipWanted } from '#tools/test-kit/make-clip.ts'
import { checkClip } from './check-clip.server.ts'
import type { ClipKind } from './clip-limits.ts'
import { ClipRefused } from './clip-refused.ts'

const take = async (wanted: ClipWanted, kind: ClipKind = 'video') => checkClip(await makeClip(wanted), kind)
const refusalOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'taken',
    (error: unknown) => {
      if (error instanceof ClipRefused) return error.reason
      throw error
    },
  )

describe('a clip', () => {
  test('from a phone is accepted in each supported container and codec, with unchanged packets', async () => {
    const wanted: [ClipWanted, string][] = [
      [{}, 'mp4'],
      [{ container: 'fragmented' }, 'mp4'],
      [{ container: 'mov' }, 'mp4'],
      [{ sound: null }, 'mp4'],
      [{ container: 'webm' }, 'webm'],
      [{ container: 'webm', video: 'vp9' }, 'webm'],
      [{ container: 'mkv' }, 'webm'],
    ]
    for (const [each, format] of wanted) {
      const clip = await take(each)
      expect(clip).toMatchObject({ format, width: 480, height: 360 })
      expect(Math.round(clip.millis / 1000), JSON.stringify(each)).toBe(4)
      const again = new Input({ source: new BufferSource(clip.bytes), formats: ALL_FORMATS })
      expect((await again.getFormat()).name).toBe(format === 'mp4' ? 'MP4' : 'WebM')
      expect((await again.getTracks()).map(({ type }) => type)).toEqual(each.sound === null ? ['video'] : ['video', 'audio'])
      expect(await again.computeDuration()).toBeCloseTo(4, 1)
    }
  })

  test('filmed upright stays upright', async () => {
    const clip = await take({ rotation: 90 })
    expect(clip).toMatchObject({ width: 360, height: 480 })
    const again = new Input({ source: new BufferSource(clip.bytes), formats: ALL_FORMATS })
    expect(await (await again.getPrimaryVideoTrack())!.getRotation()).toBe(90)
  })

  test('loses all metadata: position, names, user data between frames, and appended bytes', async () => {
    const tags = { title: 'SECRET-title', comment: '+11.0168+076.9558/', artist: 'SECRET-artist', raw: { '©xyz': '+11.0168+076.9558/' } }
    for (const container of ['mp4', 'webm', 'mov'] as const) {
      const made = Buffer.concat([await makeClip({ container, tags, note: 'SECRET-note' }), Buffer.from('\0\0\0\u0010freeSECRET-end')])
      expect(made.includes('SECRET-title')).toBe(true)
      const { bytes } = await checkClip(made, 'video')
      for (const secret of ['SECRET', '11.0168', '©xyz', 'udta', 'meta', 'Tags'])
        expect(Buffer.from(bytes).includes(secret), secret).toBe(false)
    }
  })

  test('has its index in front, so that it plays while it loads', async () => {
    const made = await makeClip()
    expect(made.indexOf('moov')).toBeGreaterThan(made.indexOf('mdat'))
    const bytes = Buffer.from((await checkClip(made, 'video')).bytes)
    expect(bytes.indexOf('mdat')).toBeGreaterThan(bytes.indexOf('moov'))
  })

  test('is refused with its reason: too long, too large, no video, another codec, odd sizes, too many tracks', async () => {
    const refused: [ClipWanted, ClipKind, string][] = [
      [{ seconds: 32 }, 'video', 'too-long'],
      [{ seconds: 30, weight: 11_000 }, 'video', 'too-large-bytes'],
      [{ video: null, sound: 'aac' }, 'video', 'no-video'],
      [{ video: 'hevc', sound: 'aac' }, 'video', 'other-codec'],
      [{ sound: 'mp3' }, 'video', 'other-sound'],
      [{ container: 'mkv', video: 'avc', sound: 'opus' }, 'video', 'other-sound'],
      [{ width: 32, height: 32 }, 'video', 'odd-size'],
      [{ width: 7680, height: 4320 }, 'video', 'odd-size'],
      [{ sounds: 2 }, 'video', 'too-many-tracks'],
      [{ sounds: 40 }, 'video', 'too-many-tracks'],
      [{ seconds: 62, video: null, sound: 'aac' }, 'voice', 'too-long'],
      [{}, 'voice', 'no-sound'],
      [{ video: null, sound: 'flac', container: 'mkv' }, 'voice', 'other-sound'],
    ]
    for (const [each, kind, reason] of refused) expect(await refusalOf(take(each, kind)), JSON.stringify(each)).toBe(reason)
    expect(await refusalOf(checkClip(Buffer.from('<html>'), 'video'))).toBe('not-a-clip')
  })

  test('that was cut anywhere is damaged; nothing else is said about it', async () => {
    for (const container of ['mp4', 'fragmented', 'mov', 'webm'] as const) {
      const made = await makeClip({ container })
      for (let part = 1; part < 10; part += often(2, 1)) {
        const refusal = await refusalOf(checkClip(made.subarray(0, Math.floor((made.byteLength * part) / 10)), 'video'))
        expect(['broken', 'not-a-clip', 'taken'], `${container} ${part}`).toContain(refusal)
      }
    }
  })
})

describe('a voice note', () => {
  test('is accepted from phones, browsers and messengers', async () => {
    const wanted: [ClipWanted, string][] = [
      [{ video: null, sound: 'aac' }, 'mp4'],
      [{ container: 'webm', video: null }, 'webm'],
      [{ container: 'ogg' }, 'webm'],
    ]
    for (const [each, format] of wanted) expect(await take({ ...each, seconds: 50 }, 'voice')).toMatchObject({ format, width: null })
  })
})
