import { useRef, useState } from 'react'
import { ClipNotSent, sendBytes } from '#src/selling/clips/send-clip.ts'
import { prepareClip } from '#src/selling/clips/use-clips.ts'
import { m } from '#src/paraglide/messages.js'
import { FieldError } from '#src/ui/field.tsx'
import { FileButton } from '#src/ui/file-field.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { Input } from '#src/ui/input.tsx'

type Progress =
  | { state: 'none' | 'ready' }
  | { state: 'making' | 'sending'; percent: number }
  | { state: 'failed'; reason: string; mute?: (() => void) | undefined }

interface ClipInputProps {
  error: string | undefined
  /** The id of an upload from before the form was refused. */
  uploaded: string | undefined
  onBusy: (isBusy: boolean) => void
}

/** The clip of a milking: re-encoded and uploaded in parts before the form is sent. Without scripts the file is posted with the form. */
export function ClipInput({ error, uploaded, onBusy }: ClipInputProps) {
  const [progress, setProgress] = useState<Progress>({ state: uploaded ? 'ready' : 'none' })
  const [upload, setUpload] = useState(uploaded ?? '')
  const still = useRef<HTMLInputElement>(null)
  const take = async (file: Blob, isMuted = false) => {
    onBusy(true)
    setUpload('')
    try {
      setProgress({ state: 'making', percent: 0 })
      const small = await prepareClip(file, 'video', (percent) => setProgress({ state: 'making', percent }), isMuted)
      setUpload(await sendBytes(small.blob, (percent) => setProgress({ state: 'sending', percent })))
      if (small.still && still.current) still.current.files = filesWith(small.still)
      setProgress({ state: 'ready' })
    } catch (failure) {
      const refusal = failure instanceof ClipNotSent ? failure : new ClipNotSent(m.profile_picture_line(), true)
      setProgress({ state: 'failed', reason: refusal.message, mute: refusal.canMute ? () => void take(file, true) : undefined })
    } finally {
      onBusy(false)
    }
  }
  return (
    <div className="space-y-2">
      <p className="label">{m.milking_clip()}</p>
      <p id="milking-clip-hint" className="text-sm text-stone">
        {m.milking_clip_hint()}
      </p>
      <FileButton
        id="milking-clip"
        name="clip"
        accept="video/*"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? 'milking-clip-error milking-clip-hint' : 'milking-clip-hint'}
        onChange={({ currentTarget: input }) => {
          const file = input.files?.[0]
          // Otherwise the form would post the file again.
          input.value = ''
          if (file) void take(file)
        }}
        className="button-plain min-h-14 w-full"
      >
        <Icon name="video" />
        {upload ? m.milking_clip_other() : m.milking_clip_choose()}
      </FileButton>
      <input type="hidden" name="upload" value={upload} />
      <Input ref={still} type="file" name="still" hidden aria-hidden="true" tabIndex={-1} />
      <ClipProgress progress={progress} />
      <FieldError id="milking-clip" error={error} />
    </div>
  )
}

function ClipProgress({ progress }: { progress: Progress }) {
  switch (progress.state) {
    case 'none':
      return null
    case 'ready':
      return (
        <p role="status" className="flex items-center gap-1 font-semibold text-leaf">
          <Icon name="video" size={20} />
          {m.milking_clip_ready()}
        </p>
      )
    case 'failed':
      return (
        <>
          <p role="alert" className="font-semibold text-brick">
            {progress.reason}
          </p>
          {progress.mute && (
            <button type="button" onClick={progress.mute} className="button-plain">
              {m.sell_clip_mute()}
            </button>
          )}
        </>
      )
    default:
      return (
        <p className="text-sm">
          <progress value={progress.percent} max={100} aria-label={m.sell_clip_progress()} className="h-3 w-full accent-leaf" />
          {progress.state === 'making' ? m.sell_clip_making() : m.profile_picture_sent({ percent: progress.percent })}
        </p>
      )
  }
}

function filesWith(still: Blob): FileList {
  const files = new DataTransfer()
  files.items.add(new File([still], 'still.jpg', { type: still.type }))
  return files.files
}
