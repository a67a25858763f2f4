import { MATROSKA, MP4, OGG, QTFF, WEBM, type AudioCodec, type InputAudioTrack, type InputTrack, type InputVideoTrack } from 'mediabunny'
import type { ClipKind } from './clip-limits.ts'
import type { ClipRefusal } from './clip-refused.ts'

/** The conditions for the tracks of a clip. The server refuses by them, and the phone makes small what does not meet them. */

export const clipContainers = [MP4, QTFF, WEBM, MATROSKA, OGG]
/** Phones write video, audio, and sometimes a track with position and time. */
const MOST_TRACKS = 6
export const SIDES = { least: 64, most: 1920 }
const MOST_CHANNELS = 2
const SAMPLES_A_SECOND = { least: 8000, most: 96_000 }

export const formatOf = { avc: 'mp4', vp8: 'webm', vp9: 'webm', aac: 'mp4', opus: 'webm' } as const
const isPictureCodec = (codec: string | null) => codec === 'avc' || codec === 'vp8' || codec === 'vp9'
const isSoundCodec = (codec: AudioCodec | null) => codec === 'aac' || codec === 'opus'

/** The reason to refuse these tracks, or null. */
export async function trackRefusal(tracks: InputTrack[], kind: ClipKind): Promise<ClipRefusal | null> {
  const pictures = tracks.filter((track) => track.isVideoTrack())
  const sounds = tracks.filter((track) => track.isAudioTrack())
  // A file that was cut has lost the list of its tracks.
  if (tracks.length === 0) return 'broken'
  if (tracks.length > MOST_TRACKS || sounds.length > 1 || (kind === 'video' && pictures.length > 1)) return 'too-many-tracks'
  if (kind === 'voice' && (pictures.length > 0 || sounds.length === 0)) return 'no-sound'
  if (kind === 'video' && pictures.length === 0) return 'no-video'
  const [picture, sound] = [pictures[0], sounds[0]]
  return (picture && (await pictureRefusal(picture))) ?? (sound && (await soundRefusal(sound, picture))) ?? null
}

async function pictureRefusal(track: InputVideoTrack): Promise<ClipRefusal | null> {
  if (!isPictureCodec(await track.getCodec())) return 'other-codec'
  const sides = [track.getDisplayWidth(), track.getDisplayHeight(), track.getCodedWidth(), track.getCodedHeight()]
  return (await Promise.all(sides)).every((side) => side >= SIDES.least && side <= SIDES.most) ? null : 'odd-size'
}

async function soundRefusal(track: InputAudioTrack, picture: InputVideoTrack | undefined): Promise<ClipRefusal | null> {
  const [codec, beside] = [await track.getCodec(), picture && (await picture.getCodec())]
  if (!isSoundCodec(codec)) return 'other-sound'
  if (beside && formatOf[beside as keyof typeof formatOf] !== formatOf[codec as 'aac' | 'opus']) return 'other-sound'
  const [channels, samples] = [await track.getNumberOfChannels(), await track.getSampleRate()]
  const isSane = channels >= 1 && channels <= MOST_CHANNELS && samples >= SAMPLES_A_SECOND.least && samples <= SAMPLES_A_SECOND.most
  return isSane ? null : 'other-sound'
}
