import { DELIVERED, PLACED } from './rules.ts'

/** Colour classes of a status, the same for buyer, seller and admin: waiting, in progress, done, called off. */
export function statusLook(status: number): string {
  if (status === DELIVERED) return 'bg-leaf text-white'
  if (status > DELIVERED) return 'bg-brick-soft text-brick'
  return status === PLACED ? 'bg-turmeric-soft' : 'bg-leaf-soft text-leaf'
}
