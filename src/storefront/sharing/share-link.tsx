import { localized, type Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'

interface ShareLinkProps {
  /** The text before the URL. */
  title: string
  /** The path without the language. */
  path: string
  page: { origin: string; locale: Locale }
}

/** Opens WhatsApp with a page's title and URL; the chat shows its picture. */
export const ShareLink = ({ title, path, page }: ShareLinkProps) => (
  <a
    href={`https://wa.me/?text=${encodeURIComponent(m.page_share_text({ title, url: page.origin + localized(path, page.locale) }))}`}
    target="_blank"
    rel="noopener noreferrer"
    className="button-plain"
  >
    <Icon name="share" size={20} />
    {m.product_share()}
  </a>
)
