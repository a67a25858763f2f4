import { makeCsrfToken } from '#src/kit/http/csrf.server.ts'
import type { TestApp } from './test-app.ts'

let addresses = 0

/** A browser with cookies and an address of its own. */
export class TestBrowser {
  readonly cookies: Record<string, string> = {}
  readonly address = `172.16.${++addresses >> 8}.${addresses & 255}`
  readonly sent: string[] = []
  readonly bodies: string[] = []
  private readonly site: TestApp

  constructor(site: TestApp) {
    this.site = site
  }

  async call(method: string, path: string, json?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    this.cookies['__Host-csrf'] ??= makeCsrfToken(this.site.secret, this.cookies['__Host-sid'])
    const response = await this.site.call(`/api/v1${path}`, {
      method,
      address: this.address,
      ...(json !== undefined && { json }),
      headers: {
        cookie: Object.entries(this.cookies)
          .map(([name, value]) => `${name}=${value}`)
          .join('; '),
        'X-CSRFToken': this.cookies['__Host-csrf'],
        ...headers,
      },
    })
    for (const line of response.headers.getSetCookie()) {
      this.sent.push(line)
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line)!
      if (/Max-Age=0/.test(line)) delete this.cookies[name]
      else this.cookies[name] = value
    }
    this.bodies.push(`${[...response.headers].join('\n')}\n${await response.clone().text()}`)
    return response
  }

  /** Returns 200, or the status and code of the refusal. */
  async says(method: string, path: string, json?: unknown): Promise<string> {
    const response = await this.call(method, path, json)
    if (response.ok) return '200'
    return `${response.status} ${((await response.json()) as { code: string }).code}`
  }
}
