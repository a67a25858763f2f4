import { DELIVERED, PLACED } from './rules.ts'

/** The colours of a status, the same to buyer, seller and admin: asked, under way, done, called off. */
export function statusLook(status: number): string {
  if (status === DELIVERED) return 'bg-leaf text-white'
  if (status > DELIVERED) return 'bg-brick-soft text-brick'
  return status === PLACED ? 'bg-turmeric-soft' : 'bg-leaf-soft text-leaf'
}
