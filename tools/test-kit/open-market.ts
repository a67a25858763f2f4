/** A first start without the sample market: opens the built site's database, says so, and runs until it is killed. */
export {}

const entry = '../../build/server/index.js'
const site = (await import(entry)) as typeof import('#src/server/main.server.ts')
try {
  await site.openMarket(site.withSecrets(site.readEnv(process.env)))
  console.log('open')
  setInterval(() => {}, 60_000)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
