import { expect, test } from 'vitest'
import { checkClip } from '#src/kit/media/clips/check-clip.server.ts'
import type { ClipKind } from '#src/kit/media/clips/clip-limits.ts'
import { makeClip, type ClipWanted } from '#tools/test-kit/make-clip.ts'
import { isSmallEnough } from './make-small.ts'

test('the phone sends a clip as it is only if the server takes it', async () => {
  const clips: [ClipWanted, ClipKind, boolean][] = [
    [{}, 'video', true],
    [{ container: 'webm' }, 'video', true],
    [{ video: null, sound: 'aac' }, 'voice', true],
    // A screen recording of a phone.
    [{ width: 1080, height: 2400 }, 'video', false],
    [{ width: 32, height: 32 }, 'video', false],
    [{ sounds: 2 }, 'video', false],
    [{ video: 'hevc' }, 'video', false],
    [{ sound: 'mp3' }, 'video', false],
    [{ container: 'mkv', video: 'avc', sound: 'opus' }, 'video', false],
    [{ container: 'mkv', video: null, sound: 'flac' }, 'voice', false],
    [{ seconds: 32 }, 'video', false],
  ]
  for (const [wanted, kind, isSmall] of clips) {
    const bytes = await makeClip(wanted)
    expect(await isSmallEnough(new Blob([new Uint8Array(bytes)]), kind), JSON.stringify(wanted)).toBe(isSmall)
    const isTaken = await checkClip(bytes, kind).then(
      () => true,
      () => false,
    )
    expect(isTaken, JSON.stringify(wanted)).toBe(isSmall)
  }
})
