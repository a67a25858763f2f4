import { useEffect, useState } from 'react'
import { FormFailure } from '#src/ui/form-failure.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { TextAreaField } from '#src/ui/text-area-field.tsx'

/** The forum's rules, shown before the reader writes. */
export function Guidelines() {
  return (
    <aside aria-labelledby="guidelines" className="notice-panel p-4">
      <h2 id="guidelines" className="text-base">
        {m.forum_notice_title()}
      </h2>
      <p className="mt-1">{m.forum_notice()}</p>
      <p className="mt-1 text-sm">{m.forum_notice_phone()}</p>
    </aside>
  )
}

/** Shows an error that is not the reader's fault in the specification's words. */
export function PostFailure({ refused, failed }: { refused: FormRefusal; failed: string }) {
  const isOurs = !refused.isStored && (refused.code === 'INTERNAL' || refused.code === 'UNAVAILABLE')
  return <FormFailure detail={isOurs ? failed : refused.detail} isStored={refused.isStored} />
}

interface WritingProps {
  id: string
  name: string
  label: string
  hint?: string
  max: number
  refused: FormRefusal | undefined
}

/** From this share of the limit on, the form shows how much is used. */
const WARN_FROM = 0.9

/** Counts like the server. */
const lettersOf = (text: string) => [...text.trim().normalize('NFC')].length

/** A text area for some paragraphs, with its errors below it. */
export function Writing({ id, name, label, hint, max, refused }: WritingProps) {
  const error = refused?.errors[name]
  const typed = refused?.typed[name]
  const [count, setCount] = useState(() => lettersOf(typed ?? ''))
  // A person may have typed before the scripts loaded.
  useEffect(() => setCount(lettersOf((document.getElementById(id) as HTMLTextAreaElement).value)), [id])
  const isNearEnd = count > WARN_FROM * max
  return (
    <TextAreaField
      id={id}
      name={name}
      rows={3}
      // The server counts code points, the browser UTF-16 units: the browser must not cut off too early.
      maxLength={2 * max}
      label={label}
      hint={hint}
      defaultValue={typed}
      onInput={(event) => setCount(lettersOf(event.currentTarget.value))}
      error={error}
      note={
        isNearEnd && (
          <p className={`mt-1 text-sm ${count > max ? 'font-semibold text-brick' : 'text-stone'}`}>
            {m.forum_counted({ count: count.toLocaleString('en-IN'), max: max.toLocaleString('en-IN') })}
          </p>
        )
      }
    />
  )
}
