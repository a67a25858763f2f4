import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { m } from '#src/paraglide/messages.js'
import { Choice } from '#src/ui/choice.tsx'
import { useLocalPath } from '#src/ui/language.ts'

const REMEMBERED = 'verification-keys'

/**
 * J and K, or the arrows, go through the queue; P and F choose Pass or Fail; a digit shows a photo, or ticks a reason once a verdict is chosen.
 * No single key decides anything: the verdict is sent by its button, or by Enter where a verdict is chosen. The keys can be switched off, because they would carry away an admin who uses speech input or strikes keys by accident.
 */
export function QueueKeys({ previousId, nextId }: { previousId: number | null; nextId: number | null }) {
  const to = useLocalPath()
  const navigate = useNavigate()
  const [isOn, setIsOn] = useState(true)
  useEffect(() => setIsOn(localStorage.getItem(REMEMBERED) !== 'off'), [])
  // A key acts on the rendered animal, from the very moment it is rendered: effects run later, and a key between was lost.
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, key } = event
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return
    if (target instanceof HTMLElement && isForTyping(target, key)) return
    const go = (id: number | null) => id !== null && void navigate(to(`/admin/verification?id=${id}`))
    const choose = (value: string) => {
      const box = document.querySelector<HTMLInputElement>(`#verdict input[name="passed"][value="${value}"]`)
      box?.click()
      box?.focus()
    }
    const acts: Record<string, () => void> = {
      j: () => go(nextId),
      ArrowRight: () => go(nextId),
      k: () => go(previousId),
      ArrowLeft: () => go(previousId),
      p: () => choose('yes'),
      f: () => choose('no'),
    }
    const act = /^[1-9]$/.test(key) ? () => chooseNumber(Number(key)) : acts[key.length === 1 ? key.toLowerCase() : key]
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
        <b>{m.verify_keys()}</b>: {m.verify_keys_text()}
      </p>
      <Choice
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => {
          setIsOn(target.checked)
          localStorage.setItem(REMEMBERED, target.checked ? 'on' : 'off')
        }}
        className="gap-2"
      >
        {m.verify_keys_on()}
      </Choice>
    </section>
  )
}

/** Before a verdict the photo of this number; then its reason. The focus stays, so that Enter still sends the verdict. */
function chooseNumber(number: number): void {
  const verdict = document.querySelector<HTMLInputElement>('#verdict input[name="passed"]:checked')
  if (verdict) {
    const reasons = document.querySelectorAll<HTMLInputElement>(`#verdict [data-reasons="${verdict.value}"] input`)
    reasons[number - 1]?.click()
  } else document.getElementById(`verify-photo-${number}`)?.scrollIntoView({ block: 'nearest', inline: 'start' })
}

/** Letters belong to the text field that has the focus, arrows to a group of choices. */
function isForTyping(target: HTMLElement, key: string): boolean {
  if (target.isContentEditable || target.matches('textarea, select, input:not([type=radio], [type=checkbox])')) return true
  return key.startsWith('Arrow') && target.matches('input[type=radio]')
}
