import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { VideoPlayer, VoicePlayer } from '#src/ui/player.tsx'
import type { ShownClip } from './clip-wire.server.ts'
import { clipText, lengthText } from './clip-text.ts'

/**
 * Clips and the voice note of a listing. Nothing loads before a tap: a video is a link on its still picture. clips-script.ts plays it in place;
 * without scripts, the browser's own player opens. Desks show players at once.
 */
export function ClipList({ clips, hasPlayers = false }: { clips: readonly ShownClip[]; hasPlayers?: boolean }) {
  if (clips.length === 0) return null
  const videos = clips.filter(({ kind }) => kind === 'video')
  return (
    <section aria-label={m.product_clips()} className="grid gap-3">
      <h2 className="text-lg">{m.product_clips()}</h2>
      {videos.length > 0 && (
        <ul className="grid grid-cols-1 gap-3 xs:grid-cols-2">
          {videos.map((clip, index) => (
            <li key={clip.id} className="min-w-0" data-clip-box="">
              {hasPlayers ? (
                <VideoPlayer src={clip.url} name={m.product_clip({ number: index + 1 })} still={clip.still} className={frame} />
              ) : (
                <VideoLink clip={clip} label={m.product_clip_play({ number: index + 1, length: lengthText(clip.seconds) })} />
              )}
              {clip.caption && <p className="mt-1 font-semibold break-words">{clip.caption}</p>}
              <p className="text-sm text-stone">{clipText(clip)}</p>
              <CannotPlay url={clip.url} />
            </li>
          ))}
        </ul>
      )}
      {clips
        .filter(({ kind }) => kind === 'voice')
        .map((clip) => (
          <div key={clip.id} data-clip-box="">
            <p className="mb-1 font-semibold">
              {m.product_clip_voice()} <span className="text-sm font-normal text-stone">{clipText(clip)}</span>
            </p>
            <VoicePlayer src={clip.url} name={m.product_clip_voice()} className="w-full max-w-md" />
            <CannotPlay url={clip.url} />
          </div>
        ))}
    </section>
  )
}

const frame = 'aspect-video w-full rounded-card bg-husk-dark'

export const VideoLink = ({ clip, label }: { clip: Pick<ShownClip, 'url' | 'type' | 'still'>; label: string }) => (
  <a
    href={clip.url}
    data-clip={clip.type}
    target="_blank"
    rel="noopener"
    aria-label={label}
    className={`relative block overflow-hidden ${frame}`}
  >
    {clip.still && <img src={clip.still} alt="" loading="lazy" className="h-full w-full object-contain" />}
    <span className="absolute inset-0 m-auto grid size-14 place-items-center rounded-full bg-ink/75 text-white">
      <Icon name="play" size={28} />
    </span>
  </a>
)

const CannotPlay = ({ url }: { url: string }) => (
  <p hidden data-clip-cannot="" role="status" className="mt-1 notice p-2 text-sm">
    {m.product_clip_cannot()}{' '}
    <a href={url} download className="link">
      {m.product_clip_download()}
    </a>
  </p>
)
