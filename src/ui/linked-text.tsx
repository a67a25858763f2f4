import { linksInText } from '#src/kit/text/links-in-text.ts'

/**
 * What somebody wrote: plain text with its line breaks, its web addresses as links. They are shown in full, so that everybody sees
 * where they lead, and marked for search engines as not ours.
 */
export function LinkedText({ text, className = '' }: { text: string; className?: string }) {
  return (
    <p dir="auto" className={`break-words whitespace-pre-line ${className}`}>
      {linksInText(text).map(({ text: shown, href }, index) =>
        href === undefined ? (
          shown
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- a text's parts never change places
          <a key={index} href={href} rel="nofollow ugc noopener" className="link wrap-anywhere">
            {shown}
          </a>
        ),
      )}
    </p>
  )
}
