import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'

/**
 * The floor: the smallest server that answers the same requests from the same PostgreSQL, with node:http, one prepared statement through `pg`,
 * minimal JSON, and its own tables in the schema `floor`. It has no sessions and checks only the stock.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10, options: '-c jit=off' })

const list = {
  name: 'list',
  text: 'select id, name, price, kg, stock, place, picture from floor.animals where stock > 0 order by created_at desc, id desc limit 24',
}
const animal = { name: 'animal', text: 'select id, name, description, price, kg, stock, place, picture from floor.animals where id = $1' }
const order = {
  name: 'order',
  text: `with taken as (update floor.animals set stock = stock - 1 where id = $1 and stock > 0 returning id, price)
    insert into floor.orders (animal_id, buyer_id, price) select id, $2, price from taken returning id`,
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url!, 'http://localhost')
  const ids = [...searchParams.values()].map(Number)
  const statement = { '/list': list, '/animal': { ...animal, values: ids }, '/order': { ...order, values: ids } }[pathname]!
  const { rows } = await pool.query<object>(statement)
  const body = JSON.stringify(rows)
  response.writeHead(rows.length === 0 ? 409 : 200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.writeHead(500).end())
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.send!({ port: (server.address() as { port: number }).port })
