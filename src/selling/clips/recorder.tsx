import { useEffect, useRef, useState } from 'react'
import { clipLimits, type ClipKind } from '#src/kit/media/clips/clip-limits.ts'
import { m } from '#src/paraglide/messages.js'

/** In order of preference: the types that most phones can play come first. */
const types: Record<ClipKind, string[]> = {
  video: ['video/mp4;codecs=avc1.42E01E,mp4a.40.2', 'video/webm;codecs=vp9,opus', 'video/webm;codecs=vp8,opus', 'video/webm'],
  voice: ['audio/mp4;codecs=mp4a.40.2', 'audio/webm;codecs=opus', 'audio/webm'],
}
const constraints: Record<ClipKind, MediaStreamConstraints> = {
  video: { video: { facingMode: 'environment', width: { ideal: 854 }, height: { ideal: 480 }, frameRate: { ideal: 24 } }, audio: true },
  voice: { audio: true },
}
const BITS = { videoBitsPerSecond: 600_000, audioBitsPerSecond: 48_000 }

interface RecorderProps {
  kind: ClipKind
  onDone: (clip: Blob) => void
  onClose: () => void
}

/** Records in an overlay, and stops automatically at the maximum length. */
export function Recorder({ kind, onDone, onClose }: RecorderProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { stream, isRefused } = useStream(kind)
  const { left, isRunning, start, stop } = useRecorder(kind, stream, onDone)
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-label={kind === 'video' ? m.sell_clip_record() : m.sell_voice_record()}
      onClose={onClose}
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-card bg-paper p-4 shadow-card backdrop:bg-ink/60"
    >
      <div className="grid gap-3 text-center">
        {kind === 'video' && stream && <Finder stream={stream} />}
        <p role="status" className="text-lg font-semibold tabular-nums">
          {isRefused ? m.sell_clip_no_camera() : m.sell_clip_left({ seconds: left })}
        </p>
        {!isRefused && (
          <button type="button" disabled={!stream} onClick={isRunning ? stop : start} className="button-primary min-h-14">
            {isRunning ? m.sell_clip_stop() : m.sell_clip_start()}
          </button>
        )}
        <button type="button" onClick={() => dialog.current?.close()} className="button-plain">
          {m.close()}
        </button>
      </div>
    </dialog>
  )
}

const Finder = ({ stream }: { stream: MediaStream }) => (
  <video
    ref={(video) => {
      if (video && video.srcObject !== stream) video.srcObject = stream
    }}
    autoPlay
    muted
    playsInline
    className="aspect-video w-full rounded-control bg-ink object-contain"
  />
)

/** The stream of camera and microphone while the recorder is open. */
function useStream(kind: ClipKind) {
  const [stream, setStream] = useState<MediaStream | null>(null)
  const [isRefused, setRefused] = useState(false)
  useEffect(() => {
    let isClosed = false
    let opened: MediaStream | undefined
    const end = () => opened?.getTracks().forEach((track) => track.stop())
    navigator.mediaDevices.getUserMedia(constraints[kind]).then(
      (found) => {
        opened = found
        if (isClosed) end()
        else setStream(found)
      },
      () => setRefused(true),
    )
    return () => {
      isClosed = true
      end()
    }
  }, [kind])
  return { stream, isRefused }
}

function useRecorder(kind: ClipKind, stream: MediaStream | null, onDone: (clip: Blob) => void) {
  const recorder = useRef<MediaRecorder | null>(null)
  const [left, setLeft] = useState(clipLimits[kind].seconds)
  const isRunning = left < clipLimits[kind].seconds
  const stop = () => {
    if (recorder.current?.state === 'recording') recorder.current.stop()
  }
  useEffect(() => {
    if (!isRunning) return
    if (left <= 0) return stop()
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [isRunning, left])
  useEffect(() => {
    const running = recorder
    return () => {
      if (running.current) running.current.onstop = null
    }
  }, [])
  const start = () => {
    const mimeType = types[kind].find((type) => MediaRecorder.isTypeSupported(type))
    const newRecorder = new MediaRecorder(stream!, { ...BITS, ...(mimeType && { mimeType }) })
    const chunks: Blob[] = []
    newRecorder.ondataavailable = ({ data }) => void chunks.push(data)
    newRecorder.onstop = () => onDone(new Blob(chunks, { type: newRecorder.mimeType }))
    newRecorder.start(1000)
    recorder.current = newRecorder
    setLeft(clipLimits[kind].seconds - 1)
  }
  return { left, isRunning, start, stop }
}
