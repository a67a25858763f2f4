import { parseArgs } from 'node:util'
import { buildIfNeeded } from './build.ts'

// Verifies the audit trail: `npm run audit`. Prints the first bad position and exits with 1 when it is broken. The database cannot show that rows
// were cut off the end, but the log notes each new head within a minute ("audit_head"): `npm run audit -- --head 812:4f0c… --head 815:90ab…`.
const { values } = parseArgs({ options: { head: { type: 'string', multiple: true, default: [] } } })
const heads = values.head.map((head) => {
  const [, position, seal] = /^(\d{1,12}):([0-9a-f]{64})$/.exec(head) ?? []
  if (seal !== undefined) return { position: Number(position), seal }
  console.error('--head needs the values of an audit_head log line: the position, a colon, the seal.')
  return process.exit(1)
})
buildIfNeeded()
const entry = '../build/server/index.js'
const site = (await import(entry)) as typeof import('../src/server/main.server.ts')
try {
  const market = await site.openMarket(site.withSecrets(site.readEnv({ ...process.env, LOG_LEVEL: 'silent' })))
  const broken = await site.findBrokenSeal(market.database.db, market.vault, heads)
  await market.close()
  if (broken) {
    const fault = broken.id === null ? 'an event is missing' : `event ${broken.id} is not as it was written`
    console.error(`The audit trail is broken at position ${broken.position}: ${fault}.`)
    process.exit(1)
  }
  console.log('The audit trail is intact.')
} catch (error) {
  console.error(error instanceof Error ? error.message.split('\n')[0] : error)
  process.exit(1)
}
