import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Outcome {
  path: string
  /** The outcome: an answer, a refused connection (nothing was sent), or an answer that never came. */
  kind: 'answered' | 'refused' | 'broken'
  status?: number
  reason?: string
  reusedSocket: boolean
  tookMs: number
}

/** Visitors with keep-alive connections, each sending a request every `everyMs`, until stopped. */
export function sendVisitors(origin: string, paths: string[], count: number, everyMs: number) {
  const outcomes: Outcome[] = []
  let atHome = false
  const visit = async (n: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    await sleep((everyMs * n) / count)
    for (let turn = n; !atHome; turn++) {
      const asked = performance.now()
      outcomes.push(await ask(origin + paths[turn % paths.length]!, agent))
      await sleep(Math.max(0, everyMs - (performance.now() - asked)))
    }
    agent.destroy()
  }
  const all = Promise.all(Array.from({ length: count }, (_, n) => visit(n)))
  return {
    outcomes,
    goHome: async () => {
      atHome = true
      await all
    },
  }
}

export function ask(url: string, agent: Agent | false = false): Promise<Outcome> {
  const asked = performance.now()
  return new Promise((resolve) => {
    const req = request(url, { agent })
    const end = (kind: Outcome['kind'], more: { status?: number; reason?: string } = {}) =>
      resolve({ path: new URL(url).pathname, kind, reusedSocket: req.reusedSocket, tookMs: performance.now() - asked, ...more })
    const fail = (error: NodeJS.ErrnoException) =>
      end(error.code === 'ECONNREFUSED' ? 'refused' : 'broken', { reason: error.code ?? error.message })
    req.on('error', fail)
    req.on('response', (response) => {
      response.on('error', fail)
      response.on('end', () => end('answered', { status: response.statusCode! }))
      response.resume()
    })
    req.end()
  })
}
