import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Outcome {
  path: string
  /** The outcome: an answer, a refused connection (nothing was sent), or an answer that never came. */
  kind: 'answered' | 'refused' | 'broken'
  status?: number
  /** The site asks for patience, because its process is busy. No proxy says so by itself. */
  retryAfter?: string | undefined
  reason?: string
  reusedSocket: boolean
  tookMs: number
}

/** A request that a proxy may not send twice. */
export interface Post {
  path: string
  type: string
  body: string
}

/**
 * Visitors with keep-alive connections, each sending a request every `everyMs`, until stopped. A path is read with GET.
 */
export function sendVisitors(origin: string, requests: (string | Post)[], count: number, everyMs: number) {
  const outcomes: Outcome[] = []
  let atHome = false
  const visit = async (n: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    await sleep((everyMs * n) / count)
    for (let turn = n; !atHome; turn++) {
      const asked = performance.now()
      const next = requests[turn % requests.length]!
      outcomes.push(await (typeof next === 'string' ? ask(origin + next, agent) : ask(origin + next.path, agent, next)))
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

export function ask(url: string, agent: Agent | false = false, post?: Post): Promise<Outcome> {
  const asked = performance.now()
  return new Promise((resolve) => {
    const req = request(url, { agent, ...(post && { method: 'POST', headers: { 'content-type': post.type } }) })
    const end = (kind: Outcome['kind'], more: Pick<Outcome, 'status' | 'retryAfter' | 'reason'> = {}) =>
      resolve({ path: new URL(url).pathname, kind, reusedSocket: req.reusedSocket, tookMs: performance.now() - asked, ...more })
    const fail = (error: NodeJS.ErrnoException) =>
      end(error.code === 'ECONNREFUSED' ? 'refused' : 'broken', { reason: error.code ?? error.message })
    req.on('error', fail)
    req.on('response', (response) => {
      response.on('error', fail)
      const { statusCode: status = 0, headers } = response
      response.on('end', () => end('answered', { status, retryAfter: headers['retry-after'] }))
      response.resume()
    })
    req.end(post?.body)
  })
}
