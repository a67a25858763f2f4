import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../src/kit/testing/postgres-server.ts'
import { median, type Section } from './result.ts'

/** As many as the site works on at once. */
const AT_ONCE = 8
const ROUNDS = 5
const CHECKOUTS = Number(process.env.BENCH_CHECKOUTS ?? 300)
/** One animal, fifty of it, and who wants one; as many of them at a time as the site lets in. */
const STOCK = 50
const CROWD = 200
const LET_IN = 30

/** Somebody who buys, with a session of their own. */
export interface Customer {
  id: number
  addressId: number
  listingId: number
  session: string
  csrf: string
}

/** Whole checkouts beside the bare transaction that places an order, and everybody after one animal. */
export async function ordersUnderLoad(): Promise<Section[]> {
  const postgres = await startPostgres()
  const dataDir = mkdtempSync(join(tmpdir(), 'sandhai-bench-'))
  const child = fork(new URL('./checkout-site.ts', import.meta.url), {
    env: { ...process.env, DATABASE_URL: postgres.url, DATA_DIR: dataDir, LOG_LEVEL: 'error', RATE_LIMIT_FACTOR: '1000', PORT: '3000' },
  })
  const agent = new Agent({ keepAlive: true, maxSockets: LET_IN })
  try {
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    const shop = new Shop(port, agent)
    return [{ title: 'Orders', explains, figures: [...(await distinct(shop)), ...(await hot(shop))] }]
  } finally {
    agent.destroy()
    child.kill('SIGKILL')
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const explains = [
  'Checkouts per second, all their calls counted (add to cart, read the address, confirm, read the orders), each by one customer and of an animal of their own,',
  'as a share of the transaction that places an order, bare: the same reads, locks and rows as plain SQL through pg on the same server. Then one',
  'animal that everybody wants.',
].join(' ')

async function distinct(shop: Shop): Promise<Section['figures']> {
  await shop.checkouts(await shop.customers(CHECKOUTS))
  await shop.bare(await shop.customers(CHECKOUTS))
  const rounds: { own: number; bare: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const [some, others] = [await shop.customers(CHECKOUTS), await shop.customers(CHECKOUTS)]
    rounds.push({ own: CHECKOUTS / (await shop.checkouts(some)), bare: CHECKOUTS / (await shop.bare(others)) })
  }
  const own = median(rounds.map((round) => round.own))
  const bare = median(rounds.map((round) => round.bare))
  return [
    {
      name: 'checkouts, distinct animals',
      value: median(rounds.map((round) => round.own / round.bare)),
      unit: '×',
      atLeast: 0.3,
      note: `${Math.round(own)} checkouts/s of four calls each against ${Math.round(bare)} bare transactions/s`,
    },
    { name: 'checkouts', value: own, unit: '/s', atLeast: 100, note: `median of ${ROUNDS} rounds of ${CHECKOUTS}, ${AT_ONCE} at once` },
  ]
}

async function hot(shop: Shop): Promise<Section['figures']> {
  const times: number[] = []
  let ends = new Map<string, number>()
  for (let round = 0; round < ROUNDS; round++) {
    const crowd = await shop.customers(CROWD, true)
    await each(crowd, AT_ONCE, (customer) => shop.add(customer))
    ends = new Map()
    const began = performance.now()
    await each(crowd, LET_IN, async (customer) => {
      const end = await shop.tryToConfirm(customer)
      ends.set(end, (ends.get(end) ?? 0) + 1)
    })
    times.push((performance.now() - began) / 1000)
    if (ends.get('200') !== STOCK || ends.get('409 STOCK_CHANGED') !== CROWD - STOCK)
      throw new Error(`One hot animal: ${JSON.stringify([...ends])}`)
  }
  return [
    {
      name: `${CROWD} customers, ${STOCK} animals`,
      value: median(times),
      unit: 's',
      atMost: 1,
      note: `${[...ends].map(([end, count]) => `${count} × ${end}`).join(', ')}; ${LET_IN} at a time, median of ${ROUNDS} rounds`,
    },
  ]
}

class Shop {
  readonly #port: number
  readonly #agent: Agent

  constructor(port: number, agent: Agent) {
    this.#port = port
    this.#agent = agent
  }

  async customers(count: number, isHot = false): Promise<Customer[]> {
    return JSON.parse(await this.#good('POST', `/bench/customers?count=${count}&hot=${Number(isHot)}`)) as Customer[]
  }

  /** Seconds for all of them. */
  checkouts(customers: Customer[]): Promise<number> {
    return timed(customers, async (customer) => {
      const { id, addressId } = customer
      await this.add(customer)
      await this.#good('GET', `/api/v1/user-delivery-address/id=${addressId}`, customer)
      await this.#good('PUT', confirmPath(customer), customer)
      await this.#good('GET', `/api/v1/order/buyer=${id}&type=1`, customer)
    })
  }

  bare(customers: Customer[]): Promise<number> {
    return timed(customers, (customer) => this.#good('POST', '/bench/bare', null, customer))
  }

  async add(customer: Customer): Promise<void> {
    const { id, listingId } = customer
    await this.#good('POST', `/api/v1/buyercart/buyer=${id}`, customer, { buyer: id, product: listingId, items_count: 1, total_payable: 0 })
  }

  /** How it ended, as the customer reads it. */
  async tryToConfirm(customer: Customer): Promise<string> {
    const { status, body } = await this.#send('PUT', confirmPath(customer), customer)
    if (status === 200) return '200'
    const { code, detail } = JSON.parse(body) as { code: string; detail?: string }
    return detail ? `${status} ${code}` : `${status} without a word`
  }

  async #good(method: string, path: string, customer: Customer | null = null, json?: object): Promise<string> {
    const { status, body } = await this.#send(method, path, customer, json)
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${body.slice(0, 300)}`)
    return body
  }

  #send(method: string, path: string, customer: Customer | null, json?: object): Promise<{ status: number; body: string }> {
    const headers: Record<string, string> = customer
      ? {
          Cookie: `__Host-sid=${customer.session}; __Host-csrf=${customer.csrf}`,
          'X-CSRFToken': customer.csrf,
          'Sec-Fetch-Site': 'same-origin',
        }
      : {}
    const sent = json === undefined ? undefined : JSON.stringify(json)
    if (sent) headers['Content-Type'] = 'application/json'
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

const confirmPath = ({ id, addressId }: Customer) => `/api/v1/confirm-order/buyer=${id}&address=${addressId}&code=`

async function timed(customers: Customer[], act: (customer: Customer) => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await each(customers, AT_ONCE, act)
  return (performance.now() - began) / 1000
}

async function each<T>(items: T[], atOnce: number, act: (item: T) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < items.length) await act(items[next++]!)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
