import { useNavigate } from 'react-router'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { SingleKeys } from '#src/ui/single-keys.tsx'
import { queueQuery, type QueueFilter } from './queue-filter.ts'

interface QueueKeysProps {
  previousId: number | null
  nextId: number | null
  filter: QueueFilter
}

/**
 * J and K, or the arrows, go through the queue; P and F choose Pass or Fail; a digit shows a photo, or ticks a reason once a verdict is
 * chosen; S puts the listing off, A asks the seller, U takes the last verdict back. No other key decides anything: the verdict is sent by its
 * button, or by Enter where a verdict is chosen.
 */
export function QueueKeys({ previousId, nextId, filter }: QueueKeysProps) {
  const to = useLocalPath()
  const navigate = useNavigate()
  const go = (id: number | null) => id !== null && void navigate(to(`/admin/verification${queueQuery(filter, { id })}`))
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

/** Before a verdict the photo of this number; then its reason. The focus stays, so that Enter still sends the verdict. */
function chooseNumber(number: number): void {
  const verdict = document.querySelector<HTMLInputElement>('#verdict input[name="passed"]:checked')
  if (verdict) {
    const reasons = document.querySelectorAll<HTMLInputElement>(`#verdict [data-reasons="${verdict.value}"] input`)
    reasons[number - 1]?.click()
  } else document.getElementById(`verify-photo-${number}`)?.scrollIntoView({ block: 'nearest', inline: 'start' })
}
