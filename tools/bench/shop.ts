import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { sql } from 'drizzle-orm'
import { hashOfToken } from '#src/accounts/sessions.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { makeCsrfToken } from '#src/kit/http/csrf.server.ts'
import { makeCrowd } from '#tools/test-kit/crowd.ts'

/** A buyer with an address and a session. */
export interface Customer {
  id: number
  addressId: number
  listingId: number
  session: string
  csrf: string
}

/** Makes one customer per listed animal; ids may repeat. `secret`: the key with which the site signs tokens. */
export async function makeCustomers(ctx: Ctx, secret: string, listingIds: number[]): Promise<Customer[]> {
  const crowd = await makeCrowd(ctx, listingIds.length)
  const tokens = crowd.map(() => randomBytes(32).toString('base64url'))
  const rows = crowd.map(({ viewer }, n) => ({ id: viewer.id, hash: hashOfToken(tokens[n]!).toString('hex') }))
  await ctx.db.execute(sql`
    insert into sessions (token_hash, user_id, expires_at)
    select decode(s.hash, 'hex'), s.id, now() + interval '1 day' from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s(id bigint, hash text)`)
  return crowd.map(({ viewer, addressId }, n) => ({
    id: viewer.id,
    addressId,
    listingId: listingIds[n]!,
    session: tokens[n]!,
    csrf: makeCsrfToken(secret, tokens[n]!),
  }))
}

interface Answer {
  status: number
  body: string
}

/** The calls of a checkout over `connections` connections. */
export class Shop {
  readonly #port: number
  readonly #agent: Agent

  constructor(port: number, connections: number) {
    this.#port = port
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
  }

  close(): void {
    this.#agent.destroy()
  }

  add(customer: Customer): Promise<Answer> {
    const { id, listingId } = customer
    return this.#send('POST', `/api/v1/buyercart/buyer=${id}`, customer, {
      buyer: id,
      product: listingId,
      items_count: 1,
      total_payable: 0,
    })
  }

  confirm(customer: Customer): Promise<Answer> {
    const { id, addressId } = customer
    return this.#send('PUT', `/api/v1/confirm-order/buyer=${id}&address=${addressId}&code=`, customer)
  }

  address(customer: Customer): Promise<Answer> {
    return this.#send('GET', `/api/v1/user-delivery-address/id=${customer.addressId}`, customer)
  }

  orders(customer: Customer): Promise<Answer> {
    return this.#send('GET', `/api/v1/order/buyer=${customer.id}&type=1`, customer)
  }

  #send(method: string, path: string, customer: Customer, json?: object): Promise<Answer> {
    const sent = json === undefined ? undefined : JSON.stringify(json)
    const headers: Record<string, string> = {
      Cookie: `__Host-sid=${customer.session}; __Host-csrf=${customer.csrf}`,
      'X-CSRFToken': customer.csrf,
      'Sec-Fetch-Site': 'same-origin',
      ...(sent && { 'Content-Type': 'application/json' }),
    }
    return new Promise((resolve, reject) => {
      const call = request({ host: '127.0.0.1', port: this.#port, method, path, headers, agent: this.#agent }, (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => (body += part))
        response.on('end', () => resolve({ status: response.statusCode!, body }))
      })
      call.on('error', reject)
      call.end(sent)
    })
  }
}

/** Runs `act` once per item, `atOnce` in parallel. */
export async function each<T>(items: T[], atOnce: number, act: (item: T) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < items.length) await act(items[next++]!)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
