import { SHARE_PICTURE } from '#src/kit/http/seo.ts'
import { m } from '#src/paraglide/messages.js'

interface HeadProps {
  title: string
  description: string
  /** The public origin, for the picture of link previews; undefined when the page's frame could not be loaded. */
  origin: string | undefined
}

/**
 * The head of a page that is shown instead of the one that was asked for: everything that B §2 asks of a page except a canonical link and
 * alternates, because search engines must not list it.
 */
export function ErrorHead({ title, description, origin }: HeadProps) {
  return (
    <>
      <title>{`${title} · Sandhai`}</title>
      <meta name="robots" content="noindex" />
      <meta name="description" content={description} />
      {import.meta.env.SSR && <ReadByOthers title={title} description={description} origin={origin} />}
    </>
  )
}

/** Search engines and chat apps read the server's HTML only. */
function ReadByOthers({ title, description, origin }: HeadProps) {
  return (
    <>
      <meta name="keywords" content={m.home_keywords()} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={m.site_name()} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      {origin && (
        <>
          <meta property="og:image" content={`${origin}/share.jpg`} />
          <meta property="og:image:type" content="image/jpeg" />
          <meta property="og:image:width" content={String(SHARE_PICTURE.width)} />
          <meta property="og:image:height" content={String(SHARE_PICTURE.height)} />
          <meta property="og:image:alt" content={m.site_name()} />
        </>
      )}
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}
