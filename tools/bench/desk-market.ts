import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeEnquiry } from '#src/enquiries/makers.server.ts'
import { makeThread } from '#src/forum/makers.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { makeBearer, makeOrder } from '#src/orders/steps/makers.server.ts'
import { oneRowOf } from '#src/kit/db/rows.server.ts'
import { testCtx } from '#tools/test-kit/test-ctx.ts'
import { makeCrowd } from '#tools/test-kit/crowd.ts'
import { phrases, phraseText } from '#src/verification/verification-phrases.ts'
import { fillMarket } from './crowd.ts'

interface DeskMarket {
  listings: number
  people: number
  orders: number
  messages: number
}

/** The number of sellers in the crowd. */
const SELLERS = 500
/** An office with 500 listings and 200 orders a day: the open cases of one day. */
const OPEN_ORDERS = 1000
const WAITING = { listings: 500, reports: 200, tickets: 100, enquiries: 300, posts: 40 }
const DECIDED = { reports: 2000, tickets: 5000, listings: 20_000 }
const BEARERS = 20
/** One in `UNSETTLED_ONE_IN` of the sales in this many days is not settled yet. */
const UNSETTLED_DAYS = 10
const UNSETTLED_ONE_IN = 3
/** Audit events over a month. */
const EVENTS = 20_000
/** The first id of copied rows, far above the ids that the market assigns. */
const FIRST_COPY = 1_000_000

/** Fills this environment's database with the built site: the sample market and an office's full workload. */
export async function fillOffice(size: DeskMarket): Promise<void> {
  process.env.NODE_ENV = 'production'
  const built = '../../build/server/index.js'
  const { openMarket, readEnv, seedSampleMarket, withSecrets } = (await import(built)) as typeof import('#src/server/main.server.ts')
  const market = await openMarket(withSecrets(readEnv(process.env)))
  await seedSampleMarket(market, () => {})
  await fillDesks(testCtx(market.database.db as never, { vault: market.vault }), size)
  await market.close()
}

/**
 * Gives photos without files the empty prints and comparison marks that the site would store. Otherwise it would process all of them at its start and
 * slow down the desks.
 */
async function printPhotos(ctx: Ctx, after: number): Promise<void> {
  const added = sql`from listing_photos p where p.id > ${after}::bigint on conflict do nothing`
  await fill(ctx, sql`insert into photo_prints (photo_id, print, keys) select p.id, ''::bytea, '{}'::int[] ${added}`)
  await fill(ctx, sql`insert into photo_copies (photo_id, copy_id) select p.id, p.id ${added}`)
}

/** Runs a statement that writes very many rows. */
const fill = (ctx: Ctx, statement: SQL) =>
  ctx.db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = '10min'`)
    await tx.execute(statement)
  })

/** Fills a market as an office finds it on a busy morning: a year of orders with invoices and payments, and work at every desk. */
export async function fillDesks(ctx: Ctx, { listings, people, orders, messages }: DeskMarket): Promise<void> {
  const before = await oneRowOf(ctx, sql`select coalesce(max(id), 0)::int as last from listing_photos`, z.object({ last: z.number() }))
  await fillMarket(ctx, listings)
  await printPhotos(ctx, before.last)
  await makeCrowd(ctx, people)
  await ctx.db.execute(sql`analyze users`)
  const admin = await makeUser(ctx, { typeId: 9 })
  await ctx.db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = '10min'`)
    await tx.execute(sql`update users set type_id = 2, name = 'Seller ' || id, created_at = now() - (id % 300) * interval '1 day'
      where id in (select id from users where name = 'Crowd' order by id limit ${SELLERS})`)
    await tx.execute(sql`with sellers as (
        select u.id, a.id as address_id, row_number() over (order by u.id) - 1 as place from users u join addresses a on a.user_id = u.id where u.name like 'Seller %')
      update listings l set seller_id = s.id, created_by_id = s.id, pickup_address_id = s.address_id from sellers s where s.place = l.id % ${SELLERS}`)
  })
  for (let n = 0; n < BEARERS; n++) await makeBearer(ctx, { name: `Bearer ${n + 1}` })
  await fillOrders(ctx, orders)
  await fill(ctx, papersOf(admin.id))
  await fill(ctx, sql`analyze invoices`)
  await fill(ctx, paymentsOf(admin.id))
  await fillQueues(ctx, admin.id)
  await fill(
    ctx,
    sql`
    insert into verifications (listing_id, admin_id, passed, comment, created_at)
    select l.ids[1 + n % cardinality(l.ids)], ${admin.id}::bigint, n % 5 <> 0, case when n % 5 = 0 then (${failings}::text[])[1 + n % ${failingTexts.length}] else 'Good.' end,
      now() - (n % 90) * interval '1 day'
    from generate_series(1, ${DECIDED.listings}::int) n, (select array_agg(id) as ids from listings where state <> 'pending') l`,
  )
  await fill(
    ctx,
    sql`
    insert into outbox (channel, recipient, user_id, template, locale, body, created_at, attempts, due_at, sent_at, failed_at, last_error)
    select 'sms', u.phone, u.id, 'order-status', 'ta', 'Sandhai', t.at, 1, t.at, case when n % 5000 <> 0 then t.at end, case when n % 5000 = 0 then t.at end,
      case when n % 5000 = 0 then 'refused' end
    from (select array_agg(id) as ids from users) p cross join generate_series(1, ${messages}::int) n cross join lateral (select now() - n * interval '170 days' / ${messages}::int as at) t
      join users u on u.id = p.ids[1 + n % cardinality(p.ids)]`,
  )
  await fill(
    ctx,
    sql`
    insert into audit_events (at, actor_id, event, object, request_id)
    select now() - n * interval '2 minutes', ${admin.id}::bigint, 'sensitive_read', 'user:' || n % ${people}::int, 'fill' from generate_series(1, ${EVENTS}::int) n`,
  )
  await fill(
    ctx,
    sql`
    insert into page_views (day, route, locale, count, phones)
    select (now() - d * interval '1 day')::date, r, l, 400 + length(r) * 20 - d, 60 from generate_series(0, 89) d, unnest(array['ta', 'en']) l,
      unnest(array['/', '/buy/:typeId', '/product/:productId', '/my-cart', '/sell', '/login', '/register', '/forum', '/support']) r
    on conflict do nothing`,
  )
  await fill(ctx, sql`analyze`)
}

const failingTexts = phrases.map((phrase) => phraseText(phrase, 'ta'))
const failings = sql`${`{${failingTexts.map((text) => JSON.stringify(text)).join(',')}}`}`

/** Open orders of the last days and a year of finished ones: most delivered, some cancelled or refused. */
async function fillOrders(ctx: Ctx, count: number): Promise<void> {
  for (const status of [1, 2, 4, 5, 6, 101] as const) await makeOrder(ctx, { status })
  await ctx.db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = '10min'`)
    await tx.execute(sql`
      with templates as (select distinct on (status) o.* from orders o order by status, id),
        s as (select array_agg(id) as ids from users where name like 'Seller %'), b as (select array_agg(id) as ids from users where name = 'Crowd'),
        w as (select array_agg(id) as ids from bearers),
        copies as (select n, case when n <= ${OPEN_ORDERS} then (array[1, 2, 4, 5])[1 + n % 4] when n % 10 = 0 then 101 else 6 end as status,
          case when n <= ${OPEN_ORDERS} then now() - (n % 5) * interval '1 day' - n * interval '1 second'
            else now() - (3 + n % 360) * interval '1 day' - (n % 1000) * interval '1 minute' end as at
          from generate_series(1, ${count}::int) n)
      insert into orders select (o).* from (select jsonb_populate_record(null::orders, to_jsonb(t) || jsonb_build_object(
        'id', ${FIRST_COPY} + n, 'order_no', 'SN-' || (${FIRST_COPY} + n), 'buyer_id', b.ids[1 + n % cardinality(b.ids)],
        'seller_id', s.ids[1 + n % cardinality(s.ids)], 'created_at', c.at, 'changed_at', c.at,
        'listed_bearer_id', case when c.status in (4, 5, 6) then w.ids[1 + n % cardinality(w.ids)] end, 'deliver_on', case when c.status in (4, 5) then now()::date end,
        'payment_method', case when c.status = 6 then case when n % 3 = 0 then 'upi' else 'cash' end end,
        'delivered_on', case when c.status = 6 then c.at::date end)) as o
      from copies c join templates t on t.status = c.status, s, b, w offset 0) copied`)
  })
  // Without this, foreign key checks would use plans for a table of six rows.
  await ctx.db.execute(sql`analyze orders`)
  await ctx.db.execute(sql`
    insert into order_steps (order_id, from_status, to_status, by_id, "as", at)
    select o.id, o.status - 1, o.status, o.seller_id, 'seller', o.changed_at from orders o where o.id > ${FIRST_COPY} and o.status between 2 and 6`)
}

const isSettled = sql`(o.changed_at < now() - ${UNSETTLED_DAYS} * interval '1 day' or o.serial % ${UNSETTLED_ONE_IN} <> 0)`

/** Both invoices of each copied sale, as a delivery issues them. */
const papersOf = (adminId: number) => sql`
  with sold as (select o.*, row_number() over (order by o.id) as serial from orders o where o.id > ${FIRST_COPY} and o.status = 6),
    template as (select distinct on (kind) kind, snapshot from invoices order by kind, id),
    series as (insert into invoice_series (series, last) values ('FILL-C', 0), ('FILL-R', 0) on conflict do nothing returning series)
  insert into invoices (kind, number, series, serial, order_id, owner_id, snapshot, issued_at, settled_at, settled_by_id)
  select t.kind, x.series || '/' || o.serial, x.series, o.serial, o.id, case t.kind when 'commission' then o.seller_id else o.buyer_id end,
    t.snapshot || jsonb_build_object('orderNo', o.order_no), o.changed_at,
    case when t.kind = 'commission' and ${isSettled} then o.changed_at end,
    case when t.kind = 'commission' and ${isSettled} then ${adminId}::bigint end
  from sold o cross join template t cross join lateral (select case t.kind when 'commission' then 'FILL-C' else 'FILL-R' end as series) x
    where exists (select 1 from series)`

const paymentsOf = (adminId: number) => sql`
  insert into settlements (invoice_id, amount, method, reference, paid_on, by_id, at)
  select i.id, o.unit_price * o.count * (100 - o.commission_percent) / 100, 'bank', 'UTR ' || i.id, i.settled_at::date, ${adminId}::bigint, i.settled_at
  from invoices i join orders o on o.id = i.order_id where i.kind = 'commission' and i.series = 'FILL-C' and i.settled_at is not null`

/** Waiting listings, reports, tickets, enquiries and posts, and earlier decisions. */
async function fillQueues(ctx: Ctx, adminId: number): Promise<void> {
  await fill(
    ctx,
    sql`
    update listings set state = 'pending' where id in (
      select id from listings where state = 'passed' and not is_sold order by id desc
      limit greatest(0, ${WAITING.listings}::int - (select count(*) from listings where state = 'pending')))`,
  )
  await ctx.db.execute(sql`
    with l as (select array_agg(id) as ids from listings where state = 'passed'), u as (select array_agg(id) as ids from users where name = 'Crowd')
    insert into reports (reporter_id, seller_id, listing_id, reason, comment, created_at, closed_at, closed_by_id, outcome, note)
    select u.ids[n], a.seller_id, a.id, 'fraud', 'Asks for money first.', now() - n * interval '20 minutes', d.at, case when d.at is not null then ${adminId}::bigint end,
      case when d.at is not null then 'left' end, case when d.at is not null then 'Called.' end
    from generate_series(1, ${WAITING.reports + DECIDED.reports}::int) n cross join l cross join u join listings a on a.id = l.ids[n]
      cross join lateral (select case when n > ${WAITING.reports} then now() - n * interval '10 minutes' end as at) d`)
  await ctx.db.execute(sql`
    insert into tickets (name, phone, topic, content, locale, created_at, closed_at, closed_by_id, note)
    select 'Rani', '+919876543210', 'order', 'Where is my cow?', 'ta', now() - n * interval '20 minutes', d.at,
      case when d.at is not null then ${adminId}::bigint end, case when d.at is not null then 'Called.' end
    from generate_series(1, ${WAITING.tickets + DECIDED.tickets}::int) n
      cross join lateral (select case when n > ${WAITING.tickets} then now() - n * interval '10 minutes' end as at) d`)
  await makeEnquiry(ctx, { isVerified: null })
  await ctx.db.execute(sql`
    insert into enquiries overriding system value select (o).* from (select jsonb_populate_record(null::enquiries, to_jsonb(e) || jsonb_build_object('id', ${FIRST_COPY} + n,
      'created_at', now() - n * interval '7 minutes', 'renewed_at', now() - n * interval '7 minutes')) as o
    from generate_series(1, ${WAITING.enquiries}::int) n cross join (select * from enquiries where is_verified is null limit 1) e offset 0) copied`)
  const author = await makeUser(ctx)
  for (let n = 0; n < WAITING.posts; n++)
    await makeThread(ctx, { authorId: author.id, state: 'review', content: `Is this fodder good? ${n}` })
}
