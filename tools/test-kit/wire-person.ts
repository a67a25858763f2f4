/** A person of the sample market who uses the API over the network, with their cookies. */
export class WirePerson {
  id = 0
  readonly #origin: string
  readonly #cookies = new Map<string, string>()

  private constructor(origin: string) {
    this.#origin = origin
  }

  static async logIn(origin: string, username: string): Promise<WirePerson> {
    const person = new WirePerson(origin)
    await person.yes('GET', '/csrf')
    person.id = (await person.yes<{ id: number }>('POST', '/login', { username, password: 'sandhai-demo' })).id
    await person.yes('GET', '/csrf')
    return person
  }

  /** The answer of a call that must succeed. */
  async yes<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await this.call(method, path, body)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (text === '' ? null : JSON.parse(text)) as T
  }

  async call(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Response> {
    const isForm = body instanceof FormData
    const token = [...this.#cookies].find(([name]) => name.endsWith('csrf'))?.[1]
    const response = await fetch(`${this.#origin}/api/v1${path}`, {
      method,
      headers: {
        cookie: [...this.#cookies].map((pair) => pair.join('=')).join('; '),
        ...(token && { 'x-csrftoken': token }),
        ...(body && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line)!
      this.#cookies.set(name, value)
    }
    return response
  }
}
