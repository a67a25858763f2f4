import {
  ADTS,
  BlobSource,
  BufferSource,
  BufferTarget,
  Conversion,
  Input,
  type InputAudioTrack,
  MP3,
  MkvOutputFormat,
  Mp4OutputFormat,
  Output,
  WAVE,
  WebMOutputFormat,
  canEncodeAudio,
  canEncodeVideo,
} from 'mediabunny'
import { clipContainers, SIDES, trackRefusal } from '#src/kit/media/clips/clip-conditions.ts'
import { clipLimits, SECONDS_OVER, type ClipKind } from '#src/kit/media/clips/clip-limits.ts'
import { m } from '#src/paraglide/messages.js'
import { ClipNotSent } from './send-clip.ts'

/** Runs in the browser and loads only once there is a clip: trims it to the allowed length and re-encodes it for slow connections. */

/** The server refuses the last three, so they are always re-encoded. */
const formats = [...clipContainers, MP3, WAVE, ADTS]
/** Height of the shorter side. */
const LINES = 480
/** Thirty seconds of both are 2.5 MB. */
const VIDEO_BITS = 600_000
const SOUND_BITS = { video: 64_000, voice: 32_000 }

export interface Making {
  kind: ClipKind
  onProgress: (percent: number) => void
  /** The person agreed to lose a sound that this browser cannot read. */
  isMuted: boolean
}

/**
 * Returns the clip unchanged when it is small already, or when this browser cannot re-encode it. Throws ClipNotSent for a clip that would lose its
 * picture or its sound, that has no picture, or of a kind that nobody here can read.
 */
export async function madeSmall(file: Blob, making: Making): Promise<Blob> {
  const { kind } = making
  const input = new Input({ source: new BlobSource(file), formats })
  try {
    if (!(await input.canRead())) throw new ClipNotSent(kind === 'video' ? m.field_clip_kind() : m.field_voice_kind(), false)
    if ((await input.getTracks()).length === 0 || (await isSmall(input, file, kind))) return file
    return await converted(input, making)
  } catch (error) {
    if (error instanceof ClipNotSent && !((await input.canRead()) && (await isTaken(input, file, kind)))) throw error
    // The server reports what is wrong with it.
    return file
  } finally {
    input.dispose()
  }
}

/** True for a clip that the server takes, and that re-encoding would make hardly smaller. */
export async function isSmallEnough(file: Blob, kind: ClipKind): Promise<boolean> {
  const input = new Input({ source: new BlobSource(file), formats })
  try {
    return (await input.canRead()) && (await isSmall(input, file, kind))
  } finally {
    input.dispose()
  }
}

/** True for a clip that the server takes as it is. */
async function isTaken(input: Input, file: Blob, kind: ClipKind): Promise<boolean> {
  const { bytes, seconds } = clipLimits[kind]
  if (file.size > bytes || (await input.computeDuration()) > seconds + SECONDS_OVER) return false
  return clipContainers.includes(await input.getFormat()) && (await trackRefusal(await input.getTracks(), kind)) === null
}

async function isSmall(input: Input, file: Blob, kind: ClipKind): Promise<boolean> {
  const limit = clipLimits[kind]
  const seconds = await input.computeDuration()
  // The clip is already about as small as re-encoding would make it.
  if (file.size > limit.bytes * Math.max(0.1, Math.min(1, seconds / limit.seconds)) || seconds > limit.seconds) return false
  return isTaken(input, file, kind)
}

/** A track of this kind would be dropped, because this browser cannot decode it. */
const isUnread = ({ discardedTracks }: Conversion, type: 'video' | 'audio'): boolean =>
  discardedTracks.some(
    ({ track, reason }) => track.type === type && (reason === 'unknown_source_codec' || reason === 'undecodable_source_codec'),
  )

/** A dropped track must not go unnoticed: the person hears of it before anything is sent. */
function ensureTracks(conversion: Conversion, kind: ClipKind, isMuted: boolean): void {
  if (kind === 'voice' && isUnread(conversion, 'audio')) throw new ClipNotSent(m.sell_voice_unread(), false)
  if (kind === 'video' && isUnread(conversion, 'video')) throw new ClipNotSent(m.sell_clip_unread_picture(), false)
  if (kind === 'video' && !isMuted && isUnread(conversion, 'audio'))
    throw new ClipNotSent(m.sell_clip_unread_sound(), false, undefined, true)
}

/**
 * A transparent clip without its transparency, which no MP4 keeps. The packets are copied. The library decodes transparency in a worker from a
 * blob, which the content security policy refuses.
 */
async function withoutAlpha(input: Input, { kind, isMuted }: Making): Promise<Input> {
  if (!(await (await input.getPrimaryVideoTrack())?.canBeTransparent())) return input
  const target = new BufferTarget()
  const output = new Output({ format: new MkvOutputFormat(), target })
  const copy = await Conversion.init({ input, output, tracks: 'primary', video: { alpha: 'discard' }, tags: {}, showWarnings: false })
  ensureTracks(copy, kind, isMuted)
  await copy.execute()
  return new Input({ source: new BufferSource(target.buffer!), formats })
}

/** The first sound that this browser can read: some phones record the same one in stereo and as spatial sound. */
async function bestSound(input: Input): Promise<InputAudioTrack | null> {
  for (const track of await input.getAudioTracks()) if (await track.canDecode()) return track
  return input.getPrimaryAudioTrack()
}

async function converted(transparent: Input, making: Making): Promise<Blob> {
  const { kind, onProgress, isMuted } = making
  const input = await withoutAlpha(transparent, making)
  const isMp4 = (await canEncodeAudio('aac')) && (kind === 'voice' || (await canEncodeVideo('avc')))
  const target = new BufferTarget()
  const output = new Output({ format: isMp4 ? new Mp4OutputFormat({ fastStart: 'in-memory' }) : new WebMOutputFormat(), target })
  const picture = await input.getPrimaryVideoTrack()
  if (kind === 'video' && !picture) throw new ClipNotSent(m.field_clip_no_video(), false)
  const sound = await bestSound(input)
  const size = picture && smaller(await picture.getDisplayWidth(), await picture.getDisplayHeight())
  const conversion = await Conversion.init({
    input,
    output,
    trim: { start: 0, end: clipLimits[kind].seconds },
    video: (track) =>
      kind === 'voice' || !size || track !== picture
        ? { discard: true }
        : {
            ...size,
            fit: 'fill',
            codec: isMp4 ? 'avc' : 'vp9',
            bitrate: VIDEO_BITS,
            forceTranscode: true,
            allowTransformationMetadata: false,
          },
    audio: (track) =>
      track === sound
        ? { codec: isMp4 ? 'aac' : 'opus', bitrate: SOUND_BITS[kind], numberOfChannels: 1, forceTranscode: true }
        : { discard: true },
    tags: {},
    showWarnings: false,
  })
  ensureTracks(conversion, kind, isMuted)
  if (!conversion.isValid) throw new Error('This browser cannot re-encode the clip.')
  conversion.onProgress = (part) => onProgress(Math.round(part * 100))
  await conversion.execute()
  return new Blob([target.buffer!], { type: `${kind === 'video' ? 'video' : 'audio'}/${isMp4 ? 'mp4' : 'webm'}` })
}

/** Encoders need even sides, and the server refuses a longer side than `SIDES.most`. */
function smaller(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, LINES / Math.min(width, height), SIDES.most / Math.max(width, height))
  const even = (side: number) => Math.max(2, Math.round((side * scale) / 2) * 2)
  return { width: even(width), height: even(height) }
}
