import { parseArgs } from 'node:util'
import { missingPackages } from '../rehearse/programs.ts'
import { rehearse } from '../rehearse/rehearse.ts'
import { buildIfNeeded } from './build.ts'

// `npm run rehearse`: the market on a cluster of this machine, in a folder that goes afterwards, while people browse and order and one thing
// after the other breaks. `-- --times N` each N times, `-- --only leader-killed,standby-lost` some of them. Ends with 1 when an order is lost,
// doubled or stock is wrong, and when browsing or orders stop for too long.
const { values } = parseArgs({ options: { times: { type: 'string', default: '1' }, only: { type: 'string' } } })
const missing = missingPackages()
if (missing.length > 0) {
  console.error(`The rehearsal needs Debian packages that are not installed: apt install ${missing.join(' ')}`)
  process.exit(1)
}
if (!/^[1-9]\d?$/.test(values.times)) {
  console.error('Use it as: npm run rehearse -- [--times 1…99] [--only NAME,NAME]')
  process.exit(1)
}
buildIfNeeded()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
try {
  const isWell = await rehearse({ times: Number(values.times), only: values.only?.split(',') ?? null })
  process.exit(isWell ? 0 : 1)
} catch (error) {
  console.error(error instanceof Error ? (process.env.REHEARSAL_KEEP ? error.stack : error.message) : error)
  process.exit(1)
}
