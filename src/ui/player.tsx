interface PlayerProps {
  src: string
  name: string
  className: string
}

/** Recordings by users have no transcript. Nothing loads before a tap. */
export const VideoPlayer = ({ src, name, still, className }: PlayerProps & { still: string | null }) => (
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- recordings have no transcript
  <video src={src} {...(still && { poster: still })} controls preload="none" playsInline aria-label={name} className={className} />
)

export const VoicePlayer = ({ src, name, className }: PlayerProps) => (
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- recordings have no transcript
  <audio src={src} controls preload="none" aria-label={name} className={className} />
)
