import { m } from '#src/paraglide/messages.js'
import type { WordChange } from './word-changes.server.ts'

/** Renders a word diff. Uses lines before colours, and text for screen readers. */
export const Changes = ({ changes }: { changes: WordChange[] }) => (
  <span className="break-words whitespace-pre-line">
    {changes.map(({ kind, text }, index) => {
      const words = text.trimEnd()
      const space = text.slice(words.length)
      if (kind === 'same') return text
      return kind === 'removed' ? (
        <span key={index}>
          <del className="bg-brick-soft text-brick line-through decoration-2">
            <span className="sr-only">{m.second_look_before()} </span>
            {words}
          </del>
          {space || ' '}
        </span>
      ) : (
        <span key={index}>
          <ins className="bg-leaf-soft font-semibold text-leaf-dark underline decoration-2 underline-offset-2">
            <span className="sr-only">{m.second_look_now()} </span>
            {words}
          </ins>
          {space}
        </span>
      )
    })}
  </span>
)
