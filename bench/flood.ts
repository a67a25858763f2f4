import { Agent, request } from 'node:http'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { testCtx } from '../src/kit/testing/test-ctx.ts'
import { startPreparedPostgres, withDatabase } from '../src/operation/prepared.ts'
import { cleanUp, startSite, tempFolder } from '../src/operation/site-process.ts'
import { fillMarket } from './crowd.ts'
import { unseen } from './pages.ts'
import type { Figure, Section } from './result.ts'

const LISTINGS = 10_000
/** Ten fill the gate; sixty would also fill its queue. */
const FLOODS = [10, 60]
const VISITORS = 20
const VISITS = 10
/** How long a person looks at a page before they ask for the next. */
const LOOK_MS = 1500

/** Who asks, as the proxy in front of the site names them: the one who floods it, and visitor `n`. */
interface Addresses {
  flood: string
  visitor: (n: number) => string
}
const own: Addresses = { flood: '198.51.100.1', visitor: (n) => `203.0.113.${n + 1}` }
const shared: Addresses = { flood: '198.51.100.1', visitor: () => '198.51.100.1' }

interface Answer {
  isServed: boolean
  seconds: number
}

/** What is left for everybody else while one address asks for pages without end (docs/decisions/0030). */
export async function flood(): Promise<Section[]> {
  const postgres = await startPreparedPostgres()
  try {
    const { origin } = await startSite({
      DATA_DIR: tempFolder(),
      DATABASE_URL: postgres.url,
      LOG_LEVEL: 'silent',
      TRUSTED_PROXIES: '1',
      // The gate alone has to cope: a thousand addresses of one attacker would meet no limit per address either.
      RATE_LIMIT_FACTOR: '1000',
    })
    // The site has marked its picture folder by now; it starts on no other that the database names pictures of.
    await withDatabase(postgres.url, ({ db }) => fillMarket(testCtx(db, { locale: 'ta', publicOrigin: 'http://localhost' }), LISTINGS))
    await visit(origin, own)
    const figures = figuresOf('nobody floods', await visit(origin, own), {}, '')
    for (const connections of FLOODS) {
      const fair = await flooded(origin, connections, own)
      figures.push(...figuresOf(`${connections} connections flood`, fair.visitors, { share: 0.9, seconds: 1 }, fair.note))
      const unfair = await flooded(origin, connections, shared)
      figures.push(...figuresOf(`${connections}, all one address`, unfair.visitors, {}, unfair.note))
    }
    return [
      {
        title: 'Flood',
        explains: `${VISITORS} addresses ask for uncached list and product pages at a human pace, ${LISTINGS.toLocaleString('en-IN')} listings, while one more address asks for uncached list pages without end. Control: the same, all from one address.`,
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

/** Each has a connection of their own and never asks for what is cached. */
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

/** Of this run, over all pages: each is asked for once. */
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
