import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import pg from 'pg'

/** The least that could serve anything from PostgreSQL: what a start and the memory of the site are measured against. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
await pool.query('select 1')
const server = serve({ fetch: new Hono().get('/', (c) => c.text('ok')).fetch, port: 0, hostname: '127.0.0.1' })
await once(server, 'listening')
console.log('is open')
