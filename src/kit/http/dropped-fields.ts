import { z } from '@hono/zod-openapi'

export const droppedField = z.unknown().optional().openapi({ description: 'Ignored.' })

/** Fields that clients of the specifications always send and that the market decides itself: accepted and ignored. */
export const dropped = <N extends string>(...names: N[]) =>
  Object.fromEntries(names.map((name) => [name, droppedField])) as Record<N, typeof droppedField>

export const droppedFlags = dropped('is_admin', 'is_staff', 'is_superuser', 'is_active', 'is_verified')
