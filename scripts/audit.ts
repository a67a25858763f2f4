import { parseArgs } from 'node:util'
import { buildIfNeeded } from './build.ts'

// Whether the audit trail is as it was written: `npm run audit`. Ends with 1 and the first bad place when it is not. Rows that were cut
// off its end leave no trace in it; each hour the log notes how far it had come ("audit_head"): `npm run audit -- --head 812:4f0c…`.
const { values } = parseArgs({ options: { head: { type: 'string' } } })
const [, position, seal] = /^(\d{1,12}):([0-9a-f]{64})$/.exec(values.head ?? '') ?? []
if (values.head !== undefined && seal === undefined) {
  console.error('--head takes what the log says under audit_head: its position, a colon, its seal.')
  process.exit(1)
}
buildIfNeeded()
const entry = '../build/server/index.js'
const site = (await import(entry)) as typeof import('../src/main.server.ts')
try {
  const market = await site.openMarket(site.withSecrets(site.readEnv({ ...process.env, LOG_LEVEL: 'silent' })))
  const broken = await site.findBrokenSeal(
    market.database.db,
    market.vault,
    seal === undefined ? undefined : { position: Number(position), seal },
  )
  await market.close()
  if (broken) {
    const what = broken.id === null ? 'an event is missing' : `event ${broken.id} is not as it was written`
    console.error(`The audit trail is broken at place ${broken.position}: ${what}.`)
    process.exit(1)
  }
  console.log('The audit trail is whole.')
} catch (error) {
  console.error(error instanceof Error ? error.message.split('\n')[0] : error)
  process.exit(1)
}
