import { linksInText } from '#src/kit/text/links-in-text.ts'

/**
 * A user's text with its line breaks, and its web addresses as links. Shows each address in full, so that people see where it leads, and marks it as
 * user content for search engines.
 */
export function LinkedText({ text, className = '' }: { text: string; className?: string }) {
  return (
    <p dir="auto" className={`break-words whitespace-pre-line ${className}`}>
      {linksInText(text).map(({ text: shown, href }, index) =>
        href === undefined ? (
          shown
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- the parts of a text never change their order
          <a key={index} href={href} rel="nofollow ugc noopener" className="link wrap-anywhere">
            {shown}
          </a>
        ),
      )}
    </p>
  )
}
