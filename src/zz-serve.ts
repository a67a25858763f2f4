import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createApp } from './app.server.ts'
import { readEnv } from './kit/env.server.ts'
import { openMarket } from './market.server.ts'
import { makeListing, makeVaccination } from './listings/makers.server.ts'
import { makeUser, makeSession } from './accounts/makers.server.ts'
const env = readEnv({ DATA_DIR: '/tmp/wire/data', SESSION_SECRET: 'x'.repeat(40), PORT: '4571', LOG_LEVEL: 'debug' })
const market = await openMarket(env)
const ctx = { db: market.database.db, viewer: null, locale: 'en' as const, now: new Date(), requestId: 't', log: market.log, browserId: null, publicOrigin: env.publicOrigin }
const id = await makeListing(ctx)
await makeVaccination(ctx, { listingId: id, vaccineId: 1, dose: 1, vaccinatedOn: '2026-10-01' })
console.log('SID', await makeSession(ctx, (await makeUser(ctx)).id), 'LISTING', id)
createServer(getRequestListener(createApp(market, async () => new Response('page')).fetch)).listen(4571, '127.0.0.1', () => console.log('up'))
