import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { serve } from '@hono/node-server'
import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import pg from 'pg'
import { makeUser } from '../src/accounts/makers.server.ts'
import { sessionTokenHash } from '../src/accounts/sessions.server.ts'
import { makeCsrfToken } from '../src/kit/http/csrf.server.ts'
import { testCtx } from '../src/kit/testing/test-ctx.ts'
import { makeListing } from '../src/listings/makers.server.ts'
import { makeCrowd } from '../src/testing/crowd.ts'
import type { Customer } from './orders.ts'

/**
 * The site as a process of its own on the PostgreSQL named by DATABASE_URL; on the same server the transaction that places an
 * order as plain statements through `pg`. And customers for both.
 */
process.env.NODE_ENV = 'production'
const built = '../build/server/index.js'
const { openMarket, createSite, readEnv, withSecrets } = (await import(built)) as typeof import('../src/main.server.ts')
const env = withSecrets(readEnv(process.env))
const market = await openMarket(env)
const site = createSite(market)
const pool = new pg.Pool({ connectionString: env.databaseUrl!, max: 10, options: '-c jit=off' })
const ctx = testCtx(market.database.db as never)
const sellerId = (await makeUser(ctx, { typeId: 2, name: 'Murugesan' })).id
const template = await makeListing(ctx, { sellerId, stock: 50 })

const app = new Hono()

/** So many people with an address and a session each, and for each an animal of their own, or one for all. */
app.post('/bench/customers', async (c) => {
  const count = Number(c.req.query('count'))
  const isHot = c.req.query('hot') === '1'
  const animals = isHot ? [] : await copies(count)
  const hot = isHot ? (await copies(1))[0]! : 0
  const crowd = await makeCrowd(ctx, count)
  const tokens = crowd.map(() => randomBytes(32).toString('base64url'))
  const rows = crowd.map(({ viewer }, n) => ({ id: viewer.id, hash: sessionTokenHash(tokens[n]!).toString('hex') }))
  await ctx.db.execute(sql`
    insert into sessions (token_hash, user_id, expires_at)
    select decode(s.hash, 'hex'), s.id, now() + interval '1 day' from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s(id bigint, hash text)`)
  await ctx.db.execute(sql`analyze`)
  const customers = crowd.map<Customer>(({ viewer, addressId }, n) => ({
    id: viewer.id,
    addressId,
    listingId: isHot ? hot : animals[n]!,
    session: tokens[n]!,
    csrf: makeCsrfToken(env.secret, tokens[n]!),
  }))
  return c.json(customers)
})

/** More animals like the first one. */
async function copies(count: number): Promise<number[]> {
  return ctx.db.transaction(async (tx) => {
    const columns = sql.raw(
      'seller_id, created_by_id, pickup_address_id, category_id, breed_id, name, description, age_id, gender_id, color_id, feed_type_id, weight_kg, described_weight_kg, pincode, taluk, district, state_name, search_keys, stock, original_price, state, is_sold, location',
    )
    const { rows } = (await tx.execute(sql`
      insert into listings (${columns}) select ${columns} from listings l, generate_series(1, ${count}::int) where l.id = ${template}::bigint
      returning id::int as id`)) as unknown as { rows: { id: number }[] }
    await tx.execute(sql`
      insert into listing_photos (listing_id, position, media_key, width, height, thumbhash, average_color, dhash, sha256)
      select l.id, 0, md5(l.id::text), 1280, 960, '', '#a08060', '', '' from listings l
      where not exists (select 1 from listing_photos p where p.listing_id = l.id)`)
    return rows.map(({ id }) => id)
  })
}

/**
 * What placing an order reads and writes, statement by statement, as plain SQL through `pg`: the same locks, looks, rows and messages,
 * and nothing of the calls around it (no session, no limits, no checks of what comes in, no rendering of an answer).
 */
const placing = {
  buyer: 'select type_id from users where id = $1 and is_active and erased_at is null for no key update',
  cart: 'select * from cart_lines where buyer_id = $1 order by id for update',
  address: `select a.*, z.taluk, z.district, z.state, z.is_deliverable from addresses a join pincodes z on z.pincode = a.pincode
    where a.id = $1 and a.user_id = $2 and a.removed_at is null for share of a`,
  animals: `select l.*, a.name as farm, z.taluk, z.is_deliverable, (select p.media_key from listing_photos p where p.listing_id = l.id and p.position = 0)
    from listings l join addresses a on a.id = l.pickup_address_id join pincodes z on z.pincode = a.pincode
    where l.id = $1 order by l.id for no key update of l`,
  settings: `select k.key, (select s.value from settings s where s.key = k.key order by s.id desc limit 1)
    from jsonb_array_elements_text('["profitMarginPercent","recommendedOfferPercent","firstOrderDiscount","referralDiscount"]') as k(key)`,
  discount: `select exists (select 1 from orders o where o.buyer_id = $1 and o.status < 100), bool_or(u.type_id = 1 and u.returned_at is null)
    from discount_uses u where u.buyer_id = $1`,
  group: "insert into order_groups (buyer_id, address_id, code) values ($1, $2, '') returning id",
  order: `insert into orders (id, order_no, group_id, buyer_id, seller_id, listing_id, count, original_price, unit_price, discount, discount_type,
    commission_percent, status, animal, pickup, delivery, handover_sealed)
    values ($1, $2, $3, $4, $5, $6, 1, $7, $7, 10000, 1, 5, 1, $8, $9, $9, $10) returning *`,
  discountUse: 'insert into discount_uses (order_id, buyer_id, type_id) values ($1, $2, 1)',
  step: 'insert into order_steps (order_id, from_status, to_status, by_id, "as", at) values ($1, 0, 1, $2, \'buyer\', now())',
  stock: 'update listings set stock = stock - 1, version = version + 1 where id = $1 and stock >= 1 returning id',
  emptied: 'delete from cart_lines where id = $1',
  audit: "insert into audit_events (actor_id, event, object, details, request_id) values ($1, 'order_placed', $2, '{}', 'bench')",
  people: 'select id, phone, locale from users where id in ($1, $2) and is_active',
  message: `insert into outbox (channel, recipient, template, locale, body, sent_at) values ('sms', $1, 'bench', 'ta', $2, now())`,
}
const animal = JSON.stringify({
  name: 'காங்கேயம் காளை',
  nameEn: null,
  description: 'நல்ல உழவு காளை',
  code: 'COW-00001',
  categoryId: 1,
  breedId: 101,
  weightKg: 420,
})
const place = JSON.stringify({ name: 'Farm', phone: '+919000000000', address1: '1 Sample Farm', address2: 'Main Road', pincode: '638701' })

app.post('/bench/bare', async (c) => {
  const { id, addressId, listingId } = await c.req.json<Customer>()
  await pool.query('insert into cart_lines (buyer_id, listing_id, count, seen_price, seen_stock) values ($1, $2, 1, 1, 1)', [id, listingId])
  const client = await pool.connect()
  const run = async <T>(name: keyof typeof placing, values: unknown[] = []) => (await client.query(placing[name], values)).rows[0] as T
  try {
    await client.query('begin')
    await run('buyer', [id])
    const { id: lineId } = await run<{ id: string }>('cart', [id])
    await run('address', [addressId, id])
    const { price, seller_id: seller } = await run<{ price: string; seller_id: string }>('animals', [listingId])
    await run('settings')
    await run('discount', [id])
    const group = await run<{ id: string }>('group', [id, addressId])
    await run('order', [lineId, `SN-${lineId}`, group.id, id, seller, listingId, price, animal, place, Buffer.alloc(33)])
    await run('discountUse', [lineId, id])
    await run('step', [lineId, id])
    await run('stock', [listingId])
    await run('emptied', [lineId])
    await run('audit', [id, `order_group:${group.id}`])
    await run('people', [id, seller])
    for (const to of ['+919000000001', '+919000000002']) await run('message', [to, `உங்கள் ஆர்டர் SN-${lineId} கிடைத்தது.`])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
  return c.json({ rows: 1 })
})

app.all('*', (c) => site.fetch(c.req.raw, c.env as never))

const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
await once(server, 'listening')
process.send!({ port: (server.address() as { port: number }).port })
