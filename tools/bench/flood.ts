import { Agent, request } from 'node:http'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { testCtx } from '#tools/test-kit/test-ctx.ts'
import { startPreparedPostgres, withDatabase } from '#tools/test-kit/prepared.ts'
import { cleanUp, startSite, tempFolder } from '#tools/test-kit/site-process.ts'
import { fillMarket } from './crowd.ts'
import { unseen } from './pages.ts'
import type { Figure, Section } from './result.ts'

const LISTINGS = 10_000
/** Ten requests fill the gate; sixty also fill its queue. */
const FLOODS = [10, 60]
const VISITORS = 20
const VISITS = 10
/** The time that a person looks at a page before they request the next. */
const LOOK_MS = 1500

/** The addresses that the proxy in front of the site reports: the flooding one, and that of visitor `n`. */
interface Addresses {
  flood: string
  visitor: (n: number) => string
}
const separate: Addresses = { flood: '198.51.100.1', visitor: (n) => `203.0.113.${n + 1}` }
const shared: Addresses = { flood: '198.51.100.1', visitor: () => '198.51.100.1' }

interface Answer {
  isServed: boolean
  seconds: number
}

/** The service for everybody else while one address requests pages without end (docs/decisions/0030). */
export async function flood(): Promise<Section[]> {
  const postgres = await startPreparedPostgres()
  try {
    const { origin } = await startSite({
      DATA_DIR: tempFolder(),
      DATABASE_URL: postgres.url,
      LOG_LEVEL: 'silent',
      TRUSTED_PROXIES: '1',
      // Raise the limits per address, so that only the gate is tested: an attacker with a thousand addresses would not meet them either.
      RATE_LIMIT_FACTOR: '1000',
    })
    // Fill the market after the first start: the site has marked its picture folder now, and refuses to start on an unmarked one when the database
    // names pictures.
    await withDatabase(postgres.url, ({ db }) => fillMarket(testCtx(db, { locale: 'ta', publicOrigin: 'http://localhost' }), LISTINGS))
    await visit(origin, separate)
    const figures = figuresOf('nobody floods', await visit(origin, separate), {}, '')
    for (const connections of FLOODS) {
      const fair = await flooded(origin, connections, separate)
      figures.push(...figuresOf(`${connections} connections flood`, fair.visitors, { share: 0.9, seconds: 1 }, fair.note))
      const unfair = await flooded(origin, connections, shared)
      figures.push(...figuresOf(`${connections}, all one address`, unfair.visitors, {}, unfair.note))
    }
    return [
      {
        title: 'Flood',
        explains: `${VISITORS} addresses request uncached list and product pages at a human pace, with ${LISTINGS.toLocaleString('en-IN')} listings, while another address requests uncached list pages without end. Control: the same, all from one address.`,
        figures,
      },
    ]
  } finally {
    await cleanUp()
    await postgres.stop()
  }
}

function figuresOf(name: string, answers: Answer[], { share, seconds }: { share?: number; seconds?: number }, note: string): Figure[] {
  const served = answers.filter(({ isServed }) => isServed)
  return [
    {
      name: `${name}: served`,
      value: served.length / answers.length,
      unit: '×',
      ...(share !== undefined && { atLeast: share }),
      note: `${served.length} of ${answers.length} pages; ${note}load of the machine ${loadavg()[0]!.toFixed(1)}`,
    },
    {
      name: `${name}: p95`,
      value: percentile(answers, 0.95),
      unit: 's',
      ...(seconds !== undefined && { atMost: seconds }),
      note: `p50 ${percentile(answers, 0.5).toFixed(3)} s, slowest ${percentile(answers, 1).toFixed(3)} s, refusals included`,
    },
  ]
}

async function flooded(origin: string, count: number, addresses: Addresses): Promise<{ visitors: Answer[]; note: string }> {
  let isOver = false
  const answers: Answer[] = []
  const began = performance.now()
  const connections = Array.from({ length: count }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!isOver) answers.push(await ask(origin, unseen('/buy/0', pages++), addresses.flood, agent))
    agent.destroy()
  })
  const visitors = await visit(origin, addresses)
  isOver = true
  await Promise.all(connections)
  const seconds = (performance.now() - began) / 1000
  const served = answers.filter(({ isServed }) => isServed).length
  return { visitors, note: `the flood: ${perSecond(served, seconds)} served, ${perSecond(answers.length - served, seconds)} refused; ` }
}

const perSecond = (count: number, seconds: number) => `${(count / seconds).toFixed(0)}/s`

/** Each visitor has one connection and requests uncached pages only. */
async function visit(origin: string, addresses: Addresses): Promise<Answer[]> {
  const visits = Array.from({ length: VISITORS }, async (_, n) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const answers: Answer[] = []
    await sleep((LOOK_MS * n) / VISITORS)
    for (let turn = 0; turn < VISITS; turn++) {
      const number = pages++
      const path = turn % 2 === 0 ? unseen(`/product/${1 + (number % 400)}`, number) : unseen('/buy/0', number)
      answers.push(await ask(origin, path, addresses.visitor(n), agent))
      await sleep(LOOK_MS)
    }
    agent.destroy()
    return answers
  })
  return (await Promise.all(visits)).flat()
}

/** The number of all pages in this run, so that each is requested once. */
let pages = 0

function ask(origin: string, path: string, address: string, agent: Agent): Promise<Answer> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    request(origin + path, { agent, headers: { 'x-forwarded-for': address, 'accept-encoding': 'gzip' } }, (response) => {
      response.resume().on('end', () => resolve({ isServed: response.statusCode === 200, seconds: (performance.now() - began) / 1000 }))
    })
      .on('error', reject)
      .end()
  })
}

const percentile = (answers: Answer[], share: number) =>
  answers.map(({ seconds }) => seconds).toSorted((a, b) => a - b)[Math.ceil(share * answers.length) - 1]!
