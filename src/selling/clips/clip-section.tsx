import { lazy, Suspense, use, useEffect, useState, type ReactNode } from 'react'
import { MAX_CAPTION, clipLimits, type ClipKind } from '#src/kit/media/clips/clip-limits.ts'
import { clipText } from '#src/listings/clips/clip-text.ts'
import type { ShownClip } from '#src/listings/clips/clip-wire.server.ts'
import { m } from '#src/paraglide/messages.js'
import { ListingForm, TextQuestion } from '#src/selling/form/form-parts.tsx'
import { Choice } from '#src/ui/choice.tsx'
import { FieldError } from '#src/ui/field.tsx'
import { FileButton } from '#src/ui/file-field.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { VideoPlayer, VoicePlayer } from '#src/ui/player.tsx'
import { captionFields } from './captions.ts'
import { useClips, type ClipOnItsWay } from './use-clips.ts'

const Recorder = lazy(async () => ({ default: (await import('./recorder.tsx')).Recorder }))

interface ClipSectionProps {
  /** The key under which they wait (decision 0081). */
  form: string
  waiting: readonly ShownClip[]
  /** The listing's own, which a change may remove. */
  own?: readonly ShownClip[]
  /** Hears how many wait for the form, and whether one is on its way. */
  onChange: (waiting: number, isBusy: boolean) => void
}

/** Videos and a voice note: recorded in the page, or chosen from the phone. Without scripts they travel with the form. */
export function ClipSection({ form, waiting, own = [], onChange }: ClipSectionProps) {
  const clips = useClips({ form, waiting })
  const { stored, moving, isBusy } = clips
  const [recording, setRecording] = useState<ClipKind | null>(null)
  useEffect(() => onChange(stored.length, isBusy), [isBusy, onChange, stored.length])
  const all = [...own, ...stored]
  const ofKind = (kind: ClipKind) => [...all, ...moving].filter((clip) => clip.kind === kind).length
  const videos = all.filter(({ kind }) => kind === 'video')
  return (
    <section id="clips" aria-labelledby="clips-title" className="form-panel gap-3 sm:p-5">
      <div>
        <h2 id="clips-title" className="text-lg">
          {m.sell_clips_title()}
        </h2>
        <p className="text-sm text-stone">{m.sell_clips_hint()}</p>
      </div>
      {all.length + moving.length > 0 && (
        <ul className="grid gap-2">
          {videos.map((clip, index) => (
            <StoredClip key={clip.id} clip={clip} number={index + 1} isOwn={own.includes(clip)} onRemove={clips.remove}>
              {captionFields[index] && (
                <TextQuestion name={captionFields[index]} label={m.sell_clip_caption({ number: index + 1 })} maxLength={MAX_CAPTION} />
              )}
            </StoredClip>
          ))}
          {all
            .filter(({ kind }) => kind === 'voice')
            .map((clip) => (
              <StoredClip key={clip.id} clip={clip} number={1} isOwn={own.includes(clip)} onRemove={clips.remove} />
            ))}
          {moving.map((clip) => (
            <MovingClip key={clip.name} clip={clip} onRetry={clips.retry} onDrop={clips.drop} />
          ))}
        </ul>
      )}
      <Takers kind="video" isFull={ofKind('video') >= clipLimits.video.perListing} onFile={clips.add} onRecord={setRecording} />
      <Takers kind="voice" isFull={ofKind('voice') >= clipLimits.voice.perListing} onFile={clips.add} onRecord={setRecording} />
      {recording && (
        <Suspense>
          <Recorder
            kind={recording}
            onDone={(clip) => {
              setRecording(null)
              clips.add(clip, recording)
            }}
            onClose={() => setRecording(null)}
          />
        </Suspense>
      )}
    </section>
  )
}

interface TakersProps {
  kind: ClipKind
  isFull: boolean
  onFile: (file: Blob, kind: ClipKind) => void
  onRecord: (kind: ClipKind) => void
}

const taking = {
  video: { field: 'clip', accept: 'video/*', record: m.sell_clip_record, choose: m.sell_clip_choose },
  voice: { field: 'voice', accept: 'audio/*', record: m.sell_voice_record, choose: m.sell_voice_choose },
} as const

/** The two ways to a clip. */
function Takers({ kind, isFull, onFile, onRecord }: TakersProps) {
  const { errors, isAlive } = use(ListingForm)
  const { field, accept, record, choose } = taking[kind]
  const canRecord = isAlive && typeof MediaRecorder !== 'undefined' && Boolean(navigator.mediaDevices?.getUserMedia)
  return (
    <div className={isFull ? 'hidden' : 'grid gap-2 xs:grid-cols-2'}>
      {canRecord && (
        <button type="button" onClick={() => onRecord(kind)} className="button-plain min-h-14">
          <Icon name={kind === 'video' ? 'video' : 'mic'} />
          {record()}
        </button>
      )}
      <FileButton
        id={`listing-${field}`}
        name={field}
        accept={accept}
        onChange={({ currentTarget: input }) => {
          const file = input.files?.[0]
          // Otherwise it would travel a second time, with the form.
          input.value = ''
          if (file) onFile(file, kind)
        }}
        aria-invalid={errors[field] ? true : undefined}
        aria-describedby={errors[field] ? `listing-${field}-error` : undefined}
        className="button-plain min-h-14"
      >
        <Icon name="plus" />
        {choose()}
      </FileButton>
      <FieldError id={`listing-${field}`} error={errors[field]} />
    </div>
  )
}

interface StoredClipProps {
  clip: ShownClip
  number: number
  isOwn: boolean
  onRemove: (id: number) => void
  children?: ReactNode
}

const row = 'grid min-w-0 gap-2 rounded-control border border-line bg-field p-2'

/** Played, described, taken off. */
function StoredClip({ clip, number, isOwn, onRemove, children }: StoredClipProps) {
  const { isAlive } = use(ListingForm)
  const isVideo = clip.kind === 'video'
  const label = isVideo ? m.sell_clip_remove({ number }) : m.sell_voice_remove()
  const name = isVideo ? m.product_clip({ number }) : m.product_clip_voice()
  return (
    <li className={row}>
      <div className="flex items-center gap-2">
        <p className="min-w-0 grow text-sm">
          <b>{name}</b> <span className="text-stone">{clipText(clip)}</span>
        </p>
        {!isOwn && (
          <button
            type={isAlive ? 'button' : 'submit'}
            name="act"
            value={`unclip:${clip.id}`}
            onClick={isAlive ? () => onRemove(clip.id) : undefined}
            aria-label={label}
            className="grid size-11 shrink-0 cursor-pointer place-items-center rounded-control hover:bg-brick-soft"
          >
            <Icon name="close" size={20} />
          </button>
        )}
      </div>
      {isVideo ? (
        <VideoPlayer src={clip.url} name={name} still={clip.still} className="aspect-video w-full max-w-sm rounded bg-husk-dark" />
      ) : (
        <VoicePlayer src={clip.url} name={name} className="w-full" />
      )}
      {children}
      {isOwn && (
        <Choice type="checkbox" name="goneClip" value={clip.id} className="gap-2" tick="accent-brick">
          <span>
            {m.sell_clip_gone()}
            <span className="sr-only"> ({name})</span>
          </span>
        </Choice>
      )}
    </li>
  )
}

interface MovingClipProps {
  clip: ClipOnItsWay
  onRetry: (clip: ClipOnItsWay) => void
  onDrop: (name: string) => void
}

function MovingClip({ clip, onRetry, onDrop }: MovingClipProps) {
  const { name, kind, state, percent, reason } = clip
  return (
    <li className={`${row} text-sm`}>
      {state === 'failed' ? (
        <p role="alert" className="font-semibold text-brick">
          {reason}
        </p>
      ) : (
        <>
          <progress value={percent} max={100} aria-label={m.sell_clip_progress()} className="h-3 w-full accent-leaf" />
          <span>{state === 'making' ? m.sell_clip_making() : m.profile_picture_sent({ percent })}</span>
        </>
      )}
      <div className="flex gap-2">
        {state === 'failed' && clip.isLineDead && (
          <button type="button" onClick={() => onRetry(clip)} className="button-plain grow px-2">
            {m.sell_photo_retry()}
          </button>
        )}
        <button type="button" onClick={() => onDrop(name)} className="button-plain grow px-2">
          {kind === 'video' ? m.sell_clip_gone() : m.sell_voice_remove()}
        </button>
      </div>
    </li>
  )
}
