import { linksInText } from '#src/kit/links-in-text.ts'

/**
 * What somebody wrote: plain text, its line ends kept, its web addresses to be followed. They are shown in full, so that everybody sees
 * where they lead, and engines are told that they are not ours.
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
