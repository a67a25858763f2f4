import { useNavigate } from 'react-router'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { SingleKeys } from '#src/ui/single-keys.tsx'
import { EARLIER_ID, LATER_ID } from './queue-list.tsx'
import { queuePath, type QueueFilter } from './queue-filter.ts'

interface QueueKeysProps {
  previousId: number | null
  nextId: number | null
  filter: QueueFilter
}

/**
 * Keyboard shortcuts: J and K, or the arrows, move through the queue; P and F choose Pass or Fail; a digit shows a photo, or ticks a phrase
 * once a verdict is chosen; [ and ] show the list's previous and next part; S puts the listing off, A asks the seller, U undoes the last
 * verdict. No shortcut submits: the button does, or Enter once a verdict is chosen.
 */
export function QueueKeys({ previousId, nextId, filter }: QueueKeysProps) {
  const to = useLocalPath()
  const navigate = useNavigate()
  const go = (id: number | null) => id !== null && void navigate(to(queuePath(filter, { id })))
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
    s: () => document.getElementById('verify-skip')?.click(),
    '[': () => document.getElementById(EARLIER_ID)?.click(),
    ']': () => document.getElementById(LATER_ID)?.click(),
    u: () => document.getElementById('verify-undo')?.click(),
    a: openQuestion,
  }
  const actOf = (key: string) => (/^[1-9]$/.test(key) ? () => chooseNumber(Number(key)) : acts[key])
  return <SingleKeys remembered="verification-keys" text={m.verify_keys_text()} actOf={actOf} />
}

function openQuestion(): void {
  const box = document.querySelector<HTMLDetailsElement>('#verify-ask')
  if (!box) return
  box.open = true
  box.querySelector('textarea')?.focus()
}

/**
 * Before a verdict is chosen, shows the photo with this number; afterwards ticks the phrase. Keeps the focus, so that Enter still submits
 * the verdict.
 */
function chooseNumber(number: number): void {
  const verdict = document.querySelector<HTMLInputElement>('#verdict input[name="passed"]:checked')
  if (verdict) {
    const reasons = document.querySelectorAll<HTMLInputElement>(`#verdict [data-reasons="${verdict.value}"] input`)
    reasons[number - 1]?.click()
  } else document.getElementById(`verify-photo-${number}`)?.scrollIntoView({ block: 'nearest', inline: 'start' })
}
