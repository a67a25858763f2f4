import { useEffect, useEffectEvent, useState } from 'react'
import { m } from '#src/paraglide/messages.js'
import { Choice } from './choice.tsx'

interface KeysProps {
  /** The storage key for the off switch on this device. */
  remembered: string
  text: string
  /** Returns the action of a key; letters are in lower case. */
  actOf: (key: string) => (() => void) | undefined
}

/**
 * Single-key shortcuts of a desk with an off switch, because speech input or accidental key presses could trigger them. Shown where there is a
 * keyboard.
 */
export function SingleKeys({ remembered, text, actOf }: KeysProps) {
  const [isOn, setIsOn] = useState(true)
  useEffect(() => setIsOn(localStorage.getItem(remembered) !== 'off'), [remembered])
  // Effects run after rendering, so a listener of an effect would miss a key in between or act on the previous page.
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, key } = event
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return
    if (target instanceof HTMLElement && isForTyping(target, key)) return
    const act = actOf(key.length === 1 ? key.toLowerCase() : key)
    if (!act) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    if (!isOn) return
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isOn])
  return (
    <section aria-label={m.verify_keys()} className="hidden flex-wrap items-center gap-x-4 text-sm text-stone lg:flex noscript:hidden">
      <p>
        <b>{m.verify_keys()}</b>: {text}
      </p>
      <Choice
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => {
          setIsOn(target.checked)
          localStorage.setItem(remembered, target.checked ? 'on' : 'off')
        }}
        className="gap-2"
      >
        {m.verify_keys_on()}
      </Choice>
    </section>
  )
}

/** Letters belong to a focused text field, arrow keys to a focused radio group. */
function isForTyping(target: HTMLElement, key: string): boolean {
  if (target.isContentEditable || target.matches('textarea, select, input:not([type=radio], [type=checkbox])')) return true
  return key.startsWith('Arrow') && target.matches('input[type=radio]')
}
