import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import pg from 'pg'

/** The smallest server that answers from PostgreSQL: the reference for the site's start time and memory. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
await pool.query('select 1')
const server = serve({ fetch: new Hono().get('/', (c) => c.text('ok')).fetch, port: 0, hostname: '127.0.0.1' })
await once(server, 'listening')
console.log('is open')
