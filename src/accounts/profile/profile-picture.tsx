import { useState, type FormEvent } from 'react'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { readFiles } from '#src/kit/device/read-file.ts'
import { sendPicture, shrunk } from '#src/kit/device/send-picture.ts'
import { m } from '#src/paraglide/messages.js'
import { FileField } from '#src/ui/file-field.tsx'
import { Thumbnail } from '#src/ui/picture.tsx'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { PostForm } from '#src/ui/post-form.tsx'
import type { ProfilePageData } from './profile-view.server.ts'

/** The picture or the name's first letter, and the upload form, with progress when scripts run. */
export function ProfilePicture({ profile, refused }: Pick<ProfilePageData, 'profile'> & { refused: FormRefusal | undefined }) {
  const { progress, failure, send } = usePictureUpload()
  const reason = failure ?? (refused && (refused.errors.image ?? refused.detail))

  return (
    <div className="flex flex-col items-center gap-3 sm:w-44">
      <CurrentPicture profile={profile} />
      <div className="w-full text-center">
        <PostForm reloadDocument encType="multipart/form-data" onSubmit={(event) => void send(event)} className="grid gap-2 text-left">
          <input type="hidden" name="act" value="picture" />
          <FileField
            id="profile-image"
            name="image"
            label={profile.pictureKey ? m.profile_picture_change() : m.profile_picture_add()}
            hint={m.profile_picture_label()}
            aria-describedby={reason ? 'profile-image-failure' : undefined}
            aria-invalid={reason !== undefined || undefined}
          />
          <button type="submit" disabled={progress !== null} className="button-primary disabled:opacity-60">
            {m.profile_picture_submit()}
          </button>
          {progress !== null && (
            <div role="status">
              <progress value={progress} max={100} aria-label={m.profile_picture_progress()} className="w-full accent-leaf" />
              <p className="text-sm">{m.profile_picture_sent({ percent: progress })}</p>
            </div>
          )}
          {reason !== undefined && (
            <div id="profile-image-failure">
              <FormFailure detail={`${m.profile_picture_failed()} ${reason}`} />
            </div>
          )}
        </PostForm>
        {profile.pictureKey && (
          <PostForm reloadDocument className="mt-2">
            <input type="hidden" name="act" value="picture-remove" />
            <button type="submit" className="link min-h-11 cursor-pointer">
              {m.profile_picture_remove()}
            </button>
          </PostForm>
        )}
      </div>
    </div>
  )
}

function CurrentPicture({ profile }: Pick<ProfilePageData, 'profile'>) {
  return (
    <div className="size-32 overflow-hidden rounded-full bg-leaf-soft">
      {profile.pictureKey ? (
        <Thumbnail
          mediaKey={profile.pictureKey}
          alt={m.profile_picture_of({ name: profile.name })}
          width={128}
          height={128}
          isFirst
          className="size-32 object-cover"
        />
      ) : (
        <span aria-hidden="true" className="flex size-32 items-center justify-center text-5xl font-bold text-leaf">
          {profile.initial}
        </span>
      )}
    </div>
  )
}

/** Resizes and uploads the chosen picture, then reloads the page. */
function usePictureUpload() {
  const [progress, setProgress] = useState<number | null>(null)
  const [failure, setFailure] = useState<string | null>(null)

  async function send(event: FormEvent<HTMLFormElement>) {
    const file = new FormData(event.currentTarget).get('image')
    // Without a file, submit the form as it is, and the server reports the missing file.
    if (!(file instanceof File) || file.name === '') return
    event.preventDefault()
    setFailure(null)
    const [read] = await readFiles([file])
    if (!(read instanceof File)) return setFailure(read!.message)
    setProgress(0)
    const result = await sendPicture(await shrunk(read), { path: '/api/v1/userprofileimage', onProgress: setProgress })
    if (result.isStored) window.location.assign(`${window.location.pathname}?saved=picture`)
    else {
      setProgress(null)
      setFailure(result.reason)
    }
  }
  return { progress, failure, send }
}
