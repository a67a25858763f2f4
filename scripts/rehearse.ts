import { parseArgs } from 'node:util'
import { existsSync } from 'node:fs'
import { causeAlerts, PROMETHEUS } from '../tools/rehearse/alerts.ts'
import { missingPackages } from '../tools/rehearse/programs.ts'
import { rehearse } from '../tools/rehearse/rehearse.ts'
import { buildIfNeeded } from './build.ts'

// `npm run rehearse`: runs the market on a temporary cluster of this machine while simulated people browse and order, and breaks one component after
// another. `-- --times N` repeats each fault N times; `-- --only leader-killed,standby-lost` selects faults. Exits with 1 when an order is lost or
// doubled, when stock is wrong, or when browsing or orders stop for too long. `-- --alerts` instead triggers each alert of ops/alerts.yml once on a
// running site with a Prometheus.
const options = { times: { type: 'string', default: '1' }, only: { type: 'string' }, alerts: { type: 'boolean', default: false } } as const
const { values } = parseArgs({ options })
const missing = values.alerts ? (existsSync(PROMETHEUS) ? [] : ['prometheus']) : missingPackages()
if (missing.length > 0) {
  console.error(`The rehearsal needs Debian packages that are not installed: apt install ${missing.join(' ')}`)
  process.exit(1)
}
if (!/^[1-9]\d?$/.test(values.times)) {
  console.error('Use it as: npm run rehearse -- [--times 1…99] [--only NAME,NAME], or: npm run rehearse -- --alerts')
  process.exit(1)
}
buildIfNeeded()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
try {
  const only = values.only?.split(',') ?? null
  const isWell = await (values.alerts ? causeAlerts(only) : rehearse({ times: Number(values.times), only }))
  process.exit(isWell ? 0 : 1)
} catch (error) {
  console.error(error instanceof Error ? (process.env.REHEARSAL_KEEP ? error.stack : error.message) : error)
  process.exit(1)
}
