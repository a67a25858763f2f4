import { existsSync } from 'node:fs'
import type { MiddlewareHandler } from 'hono'
import { maintenanceFile } from '#src/kit/maintenance-file.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import type { AppEnv } from '#src/server/request.server.ts'

const LOOK_AGAIN_MS = 1000
const TRY_AGAIN_SECONDS = 300

/** While the switch is on (`npm run admin -- maintenance on`), reads work as usual and every write is refused with a reason. */
export function maintenance({ env: { dataDir } }: { env: { dataDir: string } }): MiddlewareHandler<AppEnv> {
  let lookedAt = -Infinity
  let isOn = false
  return async (c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next()
    if (performance.now() - lookedAt > LOOK_AGAIN_MS) {
      lookedAt = performance.now()
      isOn = existsSync(maintenanceFile(dataDir))
    }
    if (isOn) throw new Problem('UNAVAILABLE', { reason: 'MAINTENANCE', retryAfterSeconds: TRY_AGAIN_SECONDS })
    await next()
  }
}
