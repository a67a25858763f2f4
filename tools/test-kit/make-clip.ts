/**
 * Makes clips as phones write them, without recording: the containers are real, the frames are noise behind real headers. The market never decodes a
 * clip, so this suffices for its tests. Clips that a browser must play are recorded in one (e2e/clips.spec.ts).
 */
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  MkvOutputFormat,
  MovOutputFormat,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  WebMOutputFormat,
  type MetadataTags,
  type OutputFormat,
} from 'mediabunny'

const containers = {
  mp4: () => new Mp4OutputFormat({ fastStart: false }),
  fragmented: () => new Mp4OutputFormat({ fastStart: 'fragmented' }),
  mov: () => new MovOutputFormat(),
  webm: () => new WebMOutputFormat(),
  mkv: () => new MkvOutputFormat(),
  ogg: () => new OggOutputFormat(),
} satisfies Record<string, () => OutputFormat>

export interface ClipWanted {
  container?: keyof typeof containers
  video?: 'avc' | 'vp8' | 'vp9' | 'hevc' | 'av1' | null
  sound?: 'aac' | 'opus' | 'mp3' | 'flac' | null
  seconds?: number
  width?: number
  height?: number
  rotation?: 0 | 90 | 180 | 270
  weight?: number
  tags?: MetadataTags
  /** User data that an encoder writes between the frames (H.264). */
  note?: string
  sounds?: number
}

const FRAMES_A_SECOND = 10
const SOUNDS_A_SECOND = 50
const AVCC = Uint8Array.from([
  1, 0x42, 0, 0x1e, 0xff, 0xe1, 0, 9, 0x67, 0x42, 0, 0x1e, 0xf4, 0x05, 0, 0x78, 0x80, 1, 0, 4, 0x68, 0xce, 6, 0xf2,
])
const HVCC = Uint8Array.from([1, 1, 0x60, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 93, 0xf0, 0, 0xfc, 0xfd, 0xf8, 0xf8, 0, 0, 15, 0])
const AAC_LC = Uint8Array.from([0x12, 0x10])
const OPUS = Uint8Array.from([...Buffer.from('OpusHead'), 1, 1, 0x38, 1, 0x80, 0xbb, 0, 0, 0, 0, 0])
const FLAC = Uint8Array.from([0x66, 0x4c, 0x61, 0x43, 0x80, 0, 0, 34, ...Array.from({ length: 34 }, () => 1)])

/** Defaults to four seconds with sound. */
export async function makeClip(wanted: ClipWanted = {}): Promise<Buffer> {
  const { container = 'mp4', seconds = 4, width = 480, height = 360, rotation = 0, weight = 400, tags, sounds = 1 } = wanted
  const { video = container === 'webm' || container === 'mkv' ? 'vp8' : container === 'ogg' ? null : 'avc' } = wanted
  const { sound = video === 'avc' ? 'aac' : 'opus', note = '' } = wanted
  const target = new BufferTarget()
  const output = new Output({ format: containers[container](), target })
  const picture = video && new EncodedVideoPacketSource(video)
  const audioSources = sound ? Array.from({ length: sounds }, () => new EncodedAudioPacketSource(sound)) : []
  if (picture) output.addVideoTrack(picture, container === 'webm' || container === 'mkv' ? {} : { rotation })
  for (const each of audioSources) output.addAudioTrack(each)
  if (tags) output.setMetadataTags(tags)
  await output.start()
  for (let n = 0; n < seconds * SOUNDS_A_SECOND; n++) {
    if (picture && n % (SOUNDS_A_SECOND / FRAMES_A_SECOND) === 0) {
      const at = n / SOUNDS_A_SECOND
      const isKey = n % SOUNDS_A_SECOND === 0
      const packet = new EncodedPacket(
        frameOf(video!, { isKey, width, height, weight, note }),
        isKey ? 'key' : 'delta',
        at,
        1 / FRAMES_A_SECOND,
      )
      await picture.add(packet, { decoderConfig: videoConfig(video!, width, height) })
    }
    for (const each of audioSources) {
      const packet = new EncodedPacket(Uint8Array.from([0xf8, 0xff, 0xfe, n & 255]), 'key', n / SOUNDS_A_SECOND, 1 / SOUNDS_A_SECOND)
      await each.add(packet, { decoderConfig: soundConfig(sound!) })
    }
  }
  await output.finalize()
  return Buffer.from(target.buffer!)
}

type VideoName = NonNullable<ClipWanted['video']>

function videoConfig(video: VideoName, codedWidth: number, codedHeight: number): VideoDecoderConfig {
  const codecs = { avc: 'avc1.42001e', vp8: 'vp8', vp9: 'vp09.00.10.08', hevc: 'hev1.1.6.L93.B0', av1: 'av01.0.04M.08' }
  const description = video === 'avc' ? AVCC : video === 'hevc' ? HVCC : undefined
  return { codec: codecs[video], codedWidth, codedHeight, ...(description && { description }) }
}

function soundConfig(sound: NonNullable<ClipWanted['sound']>): AudioDecoderConfig {
  const codec = { aac: 'mp4a.40.2', opus: 'opus', mp3: 'mp3', flac: 'flac' }[sound]
  const description = { aac: AAC_LC, flac: FLAC, opus: OPUS, mp3: undefined }[sound]
  return { codec, sampleRate: sound === 'aac' ? 44_100 : 48_000, numberOfChannels: 1, ...(description && { description }) }
}

interface Frame {
  isKey: boolean
  width: number
  height: number
  weight: number
  note: string
}

function frameOf(video: VideoName, { isKey, width, height, weight, note }: Frame): Uint8Array {
  const noise = Buffer.alloc(weight, 0xa5)
  if (video === 'avc') {
    const notes = note ? [unit([6, 5, note.length, ...Buffer.from(note), 0x80])] : []
    return Buffer.concat([...notes, unit([isKey ? 0x65 : 0x41, ...noise])])
  }
  if (video === 'vp8') {
    const size = [width & 255, width >> 8, height & 255, height >> 8]
    return Buffer.concat([Buffer.from(isKey ? [0x10, 2, 0, 0x9d, 1, 0x2a, ...size] : [0x11, 2, 0]), noise])
  }
  if (video === 'vp9') return Buffer.concat([Buffer.from(isKey ? [0x82, 0x49, 0x83, 0x42, 0, 0, 0, 0, 0] : [0x86, 0]), noise])
  return Buffer.concat([unit([isKey ? 0x26 : 0x02, 1]), noise])
}

function unit(bytes: number[]): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, Buffer.from(bytes)])
}
