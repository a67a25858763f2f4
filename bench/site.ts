import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import pg from 'pg'

/**
 * The site as a process of its own, on the PostgreSQL named by DATABASE_URL, and on the same server what it is measured
 * against: a page as a ready string, and the calls' own SQL through `pg` without anything around it.
 */
process.env.NODE_ENV = 'production'
const built = '../build/server/index.js'
const { openMarket, createSite, seedSampleMarket, readEnv, withSecrets } = (await import(built)) as typeof import('../src/main.server.ts')

let statements: { sql: string; params: unknown[] }[] = []
const env = withSecrets(readEnv(process.env))
const market = await openMarket(env, { onStatement: (sql, params) => void statements.push({ sql, params }) })
await seedSampleMarket(market, () => {})
const site = createSite(market)
const pool = new pg.Pool({ connectionString: env.databaseUrl!, max: 10, options: '-c jit=off' })

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
const queries = new Map<string, { sql: string; params: unknown[] }>()
app.get('/bench/sql', async (c) => {
  const { sql, params } = queries.get(c.req.query('path')!)!
  return c.json((await pool.query(sql, params)).rows)
})
/** Says what a path costs, and keeps its statement for /bench/sql. */
app.get('/bench/statements', async (c) => {
  const path = c.req.query('path')!
  await ask(path)
  await new Promise((resolve) => setTimeout(resolve, 50))
  statements = []
  await (await ask(path + c.req.query('fresh'))).text()
  const [first] = statements.filter(({ sql }) => !sql.includes('page_changes'))
  if (first) queries.set(path, first)
  return c.json({ count: statements.length })
})
app.all('*', (c) => site.fetch(c.req.raw, c.env as never))

const ask = async (path: string) => site.fetch(new Request(`http://localhost${path}`))
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
await once(server, 'listening')
process.send!({ port: (server.address() as { port: number }).port })
