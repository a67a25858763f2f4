import { useEffect, useRef } from 'react'
import { m } from '#src/paraglide/messages.js'
import type { FormPhoto } from './use-photos.ts'

/** Over the form while pictures upload: it cannot be closed until they have arrived, or one has failed. */
export function UploadDialog({
  unsent,
  onClose,
  onRetry,
  onLater,
}: {
  unsent: FormPhoto[]
  onClose: () => void
  onRetry: () => void
  /** It waits on the phone instead. */
  onLater?: () => void
}) {
  const percent = unsent.length === 0 ? 100 : Math.round(unsent.reduce((sum, photo) => sum + photo.percent, 0) / unsent.length)
  const isFailed = unsent.some(({ state }) => state === 'failed')
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby="upload-title"
      onCancel={(event) => !isFailed && event.preventDefault()}
      onClose={onClose}
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-card bg-paper p-5 shadow-card backdrop:bg-ink/60"
    >
      <div className="grid gap-4 text-center">
        <div role="status">
          <h2 id="upload-title" className="text-xl">
            {isFailed ? m.sell_upload_failed() : m.sell_uploading()}
          </h2>
        </div>
        {!isFailed && <progress value={percent} max={100} aria-labelledby="upload-title" className="w-full accent-leaf" />}
        {isFailed && (
          <button type="button" onClick={onRetry} className="button-primary">
            {m.sell_photo_retry()}
          </button>
        )}
        {onLater && navigator.serviceWorker?.controller && (
          <button type="button" onClick={onLater} className="link-button justify-self-center">
            {m.sell_upload_later()}
          </button>
        )}
        <button type="button" disabled={!isFailed} onClick={() => dialog.current?.close()} className="button-plain disabled:opacity-50">
          {m.close()}
        </button>
      </div>
    </dialog>
  )
}
