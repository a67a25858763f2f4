import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface FakeSms {
  mobiles: string
  templateId: string
  variables: Record<string, string>
}

/** The next call gets this instead of the documented answer. */
export type FakeMood =
  | 'error-with-200'
  | 'unauthorised'
  | 'too-many'
  | 'server-error'
  | 'html'
  | 'empty'
  | 'hang-up'
  | 'silence'
  | 'redirect'

export interface FakeMsg91 {
  url: string
  sent: FakeSms[]
  /** The reasons of calls that violated the contract. */
  refused: string[]
  calls: number
  moods: FakeMood[]
  close(): Promise<void>
}

/** A fake of the provider as msg91.contract.md describes it. It refuses every deviation, as the provider would. */
export async function startFakeMsg91(account: { authKey: string; templates: Record<string, string[]> }): Promise<FakeMsg91> {
  const fake: FakeMsg91 = { url: '', sent: [], refused: [], calls: 0, moods: [], close: async () => {} }
  const server = createServer((request, response) => void answer(request, response))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    fake.calls += 1
    const mood = fake.moods.shift()
    if (mood === 'silence') return
    if (mood === 'hang-up') return void response.destroy()
    const reply = (status: number, body: string, type = 'application/json') =>
      void response.writeHead(status, { 'content-type': type, ...(status === 302 && { location: 'http://127.0.0.1:9/' }) }).end(body)
    if (mood === 'redirect') return reply(302, '')
    if (mood === 'html') return reply(200, '<html>Welcome</html>', 'text/html')
    if (mood === 'empty') return reply(200, '')
    if (mood === 'error-with-200') return reply(200, '{"type":"error","message":"template not approved"}')
    if (mood === 'unauthorised') return reply(401, '{"type":"error","message":"Authentication failure"}')
    if (mood === 'too-many') return reply(429, '{"type":"error","message":"limit"}')
    if (mood === 'server-error') return reply(500, '{"type":"error","message":"internal"}')
    const wrong = fault(request, text, account)
    if (wrong !== null) {
      fake.refused.push(wrong)
      return reply(wrong === 'authkey' ? 401 : 400, JSON.stringify({ type: 'error', message: wrong }))
    }
    const { template_id: templateId, recipients } = JSON.parse(text) as { template_id: string; recipients: Record<string, string>[] }
    for (const { mobiles, ...variables } of recipients) fake.sent.push({ mobiles: mobiles!, templateId, variables })
    reply(200, `{"type":"success","message":"request-${fake.calls}"}`)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  fake.close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return fake
}

function fault(request: IncomingMessage, text: string, { authKey, templates }: { authKey: string; templates: Record<string, string[]> }) {
  if (request.method !== 'POST' || request.url !== '/api/v5/flow') return 'path'
  if (request.headers.authkey !== authKey) return 'authkey'
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) return 'content-type'
  let body: { template_id?: unknown; recipients?: unknown }
  try {
    body = JSON.parse(text) as typeof body
  } catch {
    return 'json'
  }
  const places = templates[String(body.template_id)]
  if (!places) return 'template_id'
  if (!Array.isArray(body.recipients) || body.recipients.length === 0) return 'recipients'
  for (const { mobiles, ...variables } of body.recipients as Record<string, unknown>[]) {
    if (!/^91\d{10}$/.test(String(mobiles))) return 'mobiles'
    if (Object.keys(variables).toSorted().join() !== places.toSorted().join()) return 'variables'
    if (Object.values(variables).some((value) => typeof value !== 'string' || value === '')) return 'variables'
  }
  return null
}
