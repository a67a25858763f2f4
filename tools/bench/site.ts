import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

/** The site in its own process on the PostgreSQL of DATABASE_URL, together with the reference of its pages: a constant string. */
process.env.NODE_ENV = 'production'
const built = '../../build/server/index.js'
const { openMarket, createSite, seedSampleMarket, readEnv, withSecrets } = (await import(
  built
)) as typeof import('#src/server/main.server.ts')

let statements = 0
const env = withSecrets(readEnv(process.env))
const market = await openMarket(env, { onStatement: () => void statements++ })
await seedSampleMarket(market, () => {})
const site = createSite(market)

const app = new Hono()
app.get('/bench/string', async (c) => {
  const text = await page(c.req.query('path')!)
  return c.html(text)
})
const pages = new Map<string, string>()
async function page(path: string): Promise<string> {
  const known = pages.get(path)
  if (known) return known
  const text = await (await ask(path)).text()
  pages.set(path, text)
  return text
}
app.get('/bench/statements', async (c) => {
  const path = c.req.query('path')!
  await ask(path)
  await new Promise((resolve) => setTimeout(resolve, 50))
  statements = 0
  await (await ask(path + c.req.query('fresh'))).text()
  return c.json({ count: statements })
})
app.all('*', (c) => site.fetch(c.req.raw, c.env as never))

const ask = async (path: string) => site.fetch(new Request(`http://localhost${path}`))
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
await once(server, 'listening')
process.send!({ port: (server.address() as { port: number }).port })
