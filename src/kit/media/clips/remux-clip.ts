/**
 * Rewrites an uploaded clip. Does not decode video and audio, but copies their packets one by one into a new container. Drops everything else of the
 * old file: GPS position, names, cover pictures, other tracks, appended data. Runs in a separate process (remux-process.ts).
 */
import {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
  type AudioCodec,
  type InputAudioTrack,
  type InputTrack,
  type InputVideoTrack,
  type VideoCodec,
} from 'mediabunny'
import { clipContainers, formatOf, trackRefusal } from './clip-conditions.ts'
import { ClipRefused } from './clip-refused.ts'
import { SECONDS_OVER, clipLimits, type ClipFormat, type ClipKind } from './clip-limits.ts'
import { withoutNotes } from './h264-units.ts'

export interface ClipFacts {
  format: ClipFormat
  millis: number
  /** As shown upright; null for a voice note. */
  width: number | null
  height: number | null
}

export interface RemuxedClip extends ClipFacts {
  bytes: Uint8Array
}

/** More than the slow motion of phones. */
const MOST_FRAMES_A_SECOND = 130
/** Opus allows 400; phones write 50. */
const MOST_SOUNDS_A_SECOND = 410

/** Throws ClipRefused unless the file is a complete clip, or voice note, of a supported kind. */
export async function remuxClip(bytes: Uint8Array, kind: ClipKind): Promise<RemuxedClip> {
  if (bytes.byteLength > clipLimits[kind].bytes) throw new ClipRefused('too-large-bytes')
  const input = new Input({ source: new BufferSource(bytes), formats: clipContainers })
  try {
    if (!(await input.canRead())) throw new ClipRefused('not-a-clip')
    return await rewrite(input, kind)
  } catch (error) {
    throw error instanceof ClipRefused ? error : new ClipRefused('broken', { cause: error })
  } finally {
    input.dispose()
  }
}

async function rewrite(input: Input, kind: ClipKind): Promise<RemuxedClip> {
  const tracks = await input.getTracks()
  const refusal = await trackRefusal(tracks, kind)
  if (refusal) throw new ClipRefused(refusal)
  const video = tracks.find((track) => track.isVideoTrack()) ?? null
  const sound = tracks.find((track) => track.isAudioTrack()) ?? null
  const picture = video && (await readPicture(video))
  const audio = sound && (await readSound(sound))
  const format = formatOf[picture ? picture.codec : audio!.codec]
  const end = Math.max(picture?.end ?? 0, audio?.end ?? 0)
  const begin = Math.min(picture?.begin ?? Infinity, audio?.begin ?? Infinity)
  const seconds = end - begin
  if (!(seconds > 0)) throw new ClipRefused('broken')
  if (seconds > clipLimits[kind].seconds + SECONDS_OVER) throw new ClipRefused('too-long')
  const bytes = await write(format, picture, audio, begin)
  return { format, millis: Math.round(seconds * 1000), width: picture?.width ?? null, height: picture?.height ?? null, bytes }
}

interface Packets {
  packets: EncodedPacket[]
  /** Seconds. */
  begin: number
  end: number
}

/** Reads and counts all packets of a track, because a file can declare any duration. */
async function packetsOf(track: InputTrack, most: number): Promise<Packets> {
  const packets: EncodedPacket[] = []
  let [begin, end] = [Infinity, -Infinity]
  for await (const packet of new EncodedPacketSink(track).packets(undefined, undefined, { verifyKeyPackets: true })) {
    const { timestamp, duration } = packet
    if (!Number.isFinite(timestamp) || !(duration >= 0) || packets.length >= most) throw new ClipRefused('broken')
    packets.push(packet)
    begin = Math.min(begin, timestamp)
    end = Math.max(end, timestamp + duration)
    if (end - begin > clipLimits.voice.seconds + SECONDS_OVER) throw new ClipRefused('too-long')
  }
  if (packets.length === 0 || packets[0]!.type !== 'key') throw new ClipRefused('broken')
  return { packets, begin, end }
}

interface Picture extends Packets {
  codec: 'avc' | 'vp8' | 'vp9'
  config: VideoDecoderConfig
  rotation: 0 | 90 | 180 | 270
  width: number
  height: number
}

async function readPicture(track: InputVideoTrack): Promise<Picture> {
  const codec = (await track.getCodec()) as Picture['codec']
  const config = await track.getDecoderConfig()
  // H.264 without a description is in Annex B format, which MP4 players do not accept.
  if (!config || (codec === 'avc' && !config.description)) throw new ClipRefused('broken')
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()]
  const found = await packetsOf(track, MOST_FRAMES_A_SECOND * (clipLimits.video.seconds + SECONDS_OVER))
  const packets = codec === 'avc' ? found.packets.map((packet) => withoutUserData(packet, config)) : found.packets
  return { ...found, packets, codec, config, rotation: await track.getRotation(), width: Math.round(width), height: Math.round(height) }
}

/** Encoders may write user data between H.264 pictures. Phones write their model there and could write more. */
function withoutUserData(packet: EncodedPacket, config: VideoDecoderConfig): EncodedPacket {
  const description = new Uint8Array(config.description as ArrayBuffer)
  const data = withoutNotes(packet.data, ((description[4] ?? 3) & 3) + 1)
  if (!data) throw new ClipRefused('broken')
  return new EncodedPacket(data, packet.type, packet.timestamp, packet.duration)
}

interface Sound extends Packets {
  codec: 'aac' | 'opus'
  config: AudioDecoderConfig
}

async function readSound(track: InputAudioTrack): Promise<Sound> {
  const codec = (await track.getCodec()) as Sound['codec']
  const config = await track.getDecoderConfig()
  if (!config || (codec === 'aac' && !config.description)) throw new ClipRefused('broken')
  return { ...(await packetsOf(track, MOST_SOUNDS_A_SECOND * (clipLimits.voice.seconds + SECONDS_OVER))), codec, config }
}

/** Writes the index first, so that a player can start before the whole file has arrived. */
async function write(format: ClipFormat, picture: Picture | null, sound: Sound | null, begin: number): Promise<Uint8Array> {
  const target = new BufferTarget()
  const output = new Output({ format: format === 'mp4' ? new Mp4OutputFormat({ fastStart: 'in-memory' }) : new WebMOutputFormat(), target })
  const video = picture && new EncodedVideoPacketSource(picture.codec satisfies VideoCodec)
  const audio = sound && new EncodedAudioPacketSource(sound.codec satisfies AudioCodec)
  if (video) output.addVideoTrack(video, { rotation: picture!.rotation })
  if (audio) output.addAudioTrack(audio)
  await output.start()
  // Interleave video and audio; otherwise a player must seek between them.
  const all = [
    ...(picture?.packets.map((packet) => ({ packet, source: video!, meta: { decoderConfig: picture.config } })) ?? []),
    ...(sound?.packets.map((packet) => ({ packet, source: audio!, meta: { decoderConfig: sound.config } })) ?? []),
  ]
  const inOrder = picture && sound ? interleaved(picture, sound, all) : all
  for (const { packet, source, meta } of inOrder) {
    const { data, type, timestamp, duration } = packet
    await source.add(new EncodedPacket(data, type, Math.max(0, timestamp - begin), duration), meta as never)
  }
  await output.finalize()
  return new Uint8Array(target.buffer!)
}

/** Keeps the order within each track, because pictures are not always stored in display order. */
function interleaved<T>(picture: Picture, sound: Sound, all: T[]): T[] {
  const merged: T[] = []
  let [frame, soundPacket] = [0, 0]
  const frames = picture.packets.length
  while (frame < frames || soundPacket < sound.packets.length) {
    const isPicture =
      frame < frames && (soundPacket >= sound.packets.length || picture.packets[frame]!.timestamp <= sound.packets[soundPacket]!.timestamp)
    merged.push(all[isPicture ? frame++ : frames + soundPacket++]!)
  }
  return merged
}
