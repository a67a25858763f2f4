import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { m } from '#src/paraglide/messages.js'
import { Choice } from './choice.tsx'
import { Sheet } from './sheet.tsx'

interface KeysProps {
  /** The storage key for the off switch on this device. */
  remembered?: string
  text?: string | undefined
  /** Returns the action of a key that this desk adds or changes; letters are in lower case. */
  actOf?: (key: string) => (() => void) | undefined
}

/**
 * Single-key shortcuts of a desk with an off switch, because speech input or accidental key presses could trigger
 * them. A button shows them where there is a keyboard.
 */
export function SingleKeys({ remembered = 'table-keys', text = m.table_keys(), actOf }: KeysProps) {
  const [isOn, setIsOn] = useState(true)
  useEffect(() => setIsOn(localStorage.getItem(remembered) !== 'off'), [remembered])
  // Effects run after rendering, so a listener of an effect would miss a key in between or act on the previous page.
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, key } = event
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return
    if (target instanceof HTMLElement && isForTyping(target, key)) return
    const name = key.length === 1 ? key.toLowerCase() : key
    const act = actOf?.(name) ?? everywhere[name]
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
    <>
      <button
        type="button"
        popoverTarget={KEYS}
        aria-label={m.verify_keys()}
        className="icon-button ml-auto hidden min-h-9 font-semibold text-leaf hover:bg-leaf-soft lg:grid noscript:hidden"
      >
        ?
      </button>
      <Sheet id={KEYS} title={m.verify_keys()}>
        <p>{text}</p>
        <p>{m.keys_everywhere()}</p>
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
      </Sheet>
    </>
  )
}

const KEYS = 'desk-keys'

/** The title of a desk without a table, with the keys of its cases. */
export const DeskTitle = ({ children }: { children: ReactNode }) => (
  <div className="flex items-center">
    <h1 className="text-2xl">{children}</h1>
    <SingleKeys />
  </div>
)

/** Moves the focus to the next or the previous case. */
function step(by: number): void {
  const links = [...document.querySelectorAll<HTMLElement>('[data-row-link]')]
  const focused = links.findIndex((link) => link.closest(CASE)?.contains(document.activeElement))
  const at = focused === -1 ? links.findIndex((link) => link.getAttribute('aria-current') === 'true') : focused
  links[at === -1 ? (by > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + by))]?.focus()
}

/** A case at a desk: the row of a table, a card, or an entry of a list. */
const CASE = 'tr, article, li'

/**
 * The keys of every desk: J and K move between its cases, X ticks the focused one. The slash goes to the desk's search, or to the
 * office's; the question mark shows all keys.
 */
const everywhere: Record<string, () => void> = {
  j: () => step(1),
  k: () => step(-1),
  x: () => document.activeElement?.closest(CASE)?.querySelector<HTMLElement>('input[type="checkbox"]')?.click(),
  '/': () => document.querySelector<HTMLElement>('#desk-search, body:not(:has(#desk-search)) [role="search"] input')?.focus(),
  '?': () => document.getElementById(KEYS)?.togglePopover(),
}

/** Letters belong to a focused text field, arrow keys to a focused radio group. */
function isForTyping(target: HTMLElement, key: string): boolean {
  if (target.isContentEditable || target.matches('textarea, select, input:not([type=radio], [type=checkbox])')) return true
  return key.startsWith('Arrow') && target.matches('input[type=radio]')
}
