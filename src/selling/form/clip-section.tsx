import { use, useEffect, useState, type ReactNode } from 'react'
import { askWorker } from '#src/kit/device/ask-worker.ts'
import { MAX_CAPTION, clipLimits, type ClipKind } from '#src/kit/media/clips/clip-limits.ts'
import { clipText } from '#src/listings/clips/clip-text.ts'
import type { ShownClip } from '#src/listings/clips/clip-wire.server.ts'
import { m } from '#src/paraglide/messages.js'
import { ListingForm, TextQuestion } from '#src/selling/form/form-parts.tsx'
import { Choice } from '#src/ui/choice.tsx'
import { FieldError } from '#src/ui/field.tsx'
import { FileButton } from '#src/ui/file-field.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { latePart } from '#src/document/deferred.tsx'
import { VideoPlayer, VoicePlayer } from '#src/ui/player.tsx'
import { captionFields } from '../captions.ts'
import { ClipOnPhone } from './clip-on-phone.tsx'
import type { ClipAct } from '#src/selling/unsent/queue.ts'
import { useClipsOnPhone } from '#src/selling/clips/use-clips-on-phone.ts'
import { useClips, type ClipOnItsWay } from '#src/selling/clips/use-clips.ts'

/** Offline, its script may be missing. */
const Recorder = latePart(
  async () => (await import('#src/selling/clips/recorder.tsx')).Recorder,
  () => (
    <p role="alert" className="font-semibold text-brick">
      {m.sell_clip_no_recorder()}
    </p>
  ),
)

interface ClipSectionProps {
  /** The form's key, under which its clips wait on the server (decision 0081) or on the phone (0109). */
  form: string
  waiting: readonly ShownClip[]
  /** The listing's clips, which the form can remove. */
  own?: readonly ShownClip[]
  /** Called with the clips that wait on the server, whether an upload is running, and how many clips wait on the phone. */
  onChange: (waiting: readonly ShownClip[], isBusy: boolean, onPhone: number) => void
  /** Called when a clip waits on the phone: the sell form must keep its key. */
  onTaken?: (() => void) | undefined
}

/** Videos and a voice note, recorded in the page or chosen from the phone. Without scripts the files are posted with the form. */
export function ClipSection({ form, waiting, own = [], onChange, onTaken }: ClipSectionProps) {
  const { clips, acts, all, videos, captionFrom } = useFormClips({ form, waiting, own, onTaken })
  const { stored, moving, isBusy } = clips
  const [recording, setRecording] = useState<ClipKind | null>(null)
  const close = () => setRecording(null)
  const onPhone = acts.filter(({ state }) => state === 'waiting')
  useEffect(() => onChange(stored, isBusy, onPhone.length), [isBusy, onChange, onPhone.length, stored])
  const ofKind = (kind: ClipKind) => [...all, ...onPhone, ...moving].filter((clip) => clip.kind === kind).length
  return (
    <section id="clips" aria-labelledby="clips-title" className="form-panel gap-3 sm:p-5">
      <div>
        <h2 id="clips-title" className="text-lg">
          {m.sell_clips_title()}
        </h2>
        <p className="text-sm text-stone">{m.sell_clips_hint()}</p>
      </div>
      {all.length + acts.length + moving.length > 0 && (
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
          {acts.map((act) => (
            <ClipOnPhone key={act.n} act={act} number={captionFrom(act)} />
          ))}
          {moving.map((clip) => (
            <MovingClip key={clip.name} clip={clip} onRetry={clips.retry} onDrop={clips.drop} />
          ))}
        </ul>
      )}
      <Takers kind="video" isFull={ofKind('video') >= clipLimits.video.perListing} onFile={clips.add} onRecord={setRecording} />
      <Takers kind="voice" isFull={ofKind('voice') >= clipLimits.voice.perListing} onFile={clips.add} onRecord={setRecording} />
      {recording && (
        <Recorder
          key={recording}
          kind={recording}
          onDone={(clip) => {
            close()
            clips.add(clip, recording)
          }}
          onClose={close}
        />
      )}
    </section>
  )
}

type FormClips = Omit<ClipSectionProps, 'onChange'> & { own: readonly ShownClip[] }

/** The form's clips: on the listing, on the server, and on this phone. */
function useFormClips({ form, waiting, own, onTaken }: FormClips) {
  const { typed } = use(ListingForm)
  const clips = useClips({ form, name: typed.name, version: typed.version, waiting, onTaken })
  const acts = useClipsOnPhone(form, () => void clips.readAgain())
  const all = [...own, ...clips.stored]
  const videos = all.filter(({ kind }) => kind === 'video')
  const onPhone = acts.filter(({ kind, state }) => kind === 'video' && state === 'waiting')
  useEffect(() => {
    // Without a worker nothing is stored.
    void askWorker({ ask: 'clipScripts', from: import.meta.url })
  }, [])
  /** The index of the clip's caption in the form; videos on the phone come after the others. */
  const captionFrom = (act: ClipAct) => (onPhone.includes(act) ? videos.length + onPhone.indexOf(act) : null)
  return { clips, acts, all, videos, captionFrom }
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
          // Otherwise the form would post the file again.
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

const row = 'field-box'

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
            className="icon-button shrink-0 hover:bg-brick-soft"
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
        {state === 'failed' && clip.canMute && (
          <button type="button" onClick={() => onRetry({ ...clip, isMuted: true })} className="button-plain grow px-2">
            {m.sell_clip_mute()}
          </button>
        )}
        <button type="button" onClick={() => onDrop(name)} className="button-plain grow px-2">
          {kind === 'video' ? m.sell_clip_gone() : m.sell_voice_remove()}
        </button>
      </div>
    </li>
  )
}
