import { existsSync } from 'node:fs'
import { maintenanceFile } from '#src/kit/maintenance-file.server.ts'
import type { Market } from '#src/market/market.server.ts'

export interface Readiness {
  what: 'draining' | 'database' | 'picture disk' | 'maintenance'
  isWell: boolean
  /** For the operator; of a failed check the error code, never an address. */
  why: string
  /** Whether a load balancer must send nobody here. A full picture disk stops uploads only, and maintenance stops writes only. */
  isNeeded: boolean
}

const MIN_FREE_BYTES = 200 * 1024 * 1024

/** For the operator's port; the public /readyz says only whether all is well. */
export async function readinessOf(market: Market): Promise<Readiness[]> {
  const database = await market.database.ping().then(
    () => null,
    (error: unknown) => reasonOf(error),
  )
  const free = await market.media.freeBytes().catch(() => null)
  const isInMaintenance = existsSync(maintenanceFile(market.env.dataDir))
  return [
    { what: 'draining', isNeeded: true, isWell: !market.isDraining, why: market.isDraining ? 'a stop was asked for' : '' },
    { what: 'database', isNeeded: true, isWell: database === null, why: database === null ? '' : `it took no write: ${database}` },
    {
      what: 'picture disk',
      isNeeded: false,
      isWell: free !== null && free > MIN_FREE_BYTES,
      why:
        free === null
          ? `the ${market.env.bucket ? 'bucket' : 'folder'} cannot be read`
          : free > MIN_FREE_BYTES
            ? ''
            : `${free} bytes are free: uploads will be refused`,
    },
    { what: 'maintenance', isNeeded: false, isWell: !isInMaintenance, why: isInMaintenance ? 'the switch is on: writes are refused' : '' },
  ]
}

export const isReady = (all: Readiness[]): boolean => all.every(({ isNeeded, isWell }) => isWell || !isNeeded)

function reasonOf(error: unknown): string {
  for (let e = error as { code?: unknown; cause?: unknown } | undefined; e; e = e.cause as typeof e) {
    if (typeof e.code === 'string') return e.code
  }
  return error instanceof Error ? error.name : 'no answer'
}
