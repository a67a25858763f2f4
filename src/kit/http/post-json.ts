import { isFromMarket } from './market-answer.ts'

export const readCsrf = () => /(?:^|; )(?:__Host-)?csrf=([^;]+)/.exec(document.cookie)?.[1]

export const post = (path: string, body?: unknown): Promise<Response> => send('POST', path, body)

/**
 * Browser code: sends an unsafe API call with the CSRF token, and fetches a token when there is none. A login or logout invalidates the token; then
 * it fetches a new one and retries once. Throws when nobody or another server answers.
 */
export async function send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Response> {
  if (!readCsrf()) await fetchCsrf()
  const response = await ask(method, path, body)
  if (response.status !== 403) return response
  // Do not retry other refusals with this status: a retry of a wrong password would count twice.
  const { code } = (await response.clone().json()) as { code: string }
  if (code !== 'CSRF_REJECTED') return response
  await fetchCsrf()
  return ask(method, path, body)
}

const fetchCsrf = () => fetch('/api/v1/csrf')

async function ask(method: string, path: string, body: unknown): Promise<Response> {
  const response = await fetch(path, {
    method,
    headers: {
      'X-CSRFToken': readCsrf() ?? '',
      // The language of a page is the language of its URL.
      'Accept-Language': document.documentElement.lang,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (response.status < 500 && !isFromMarket(response)) throw new TypeError('Another server answered.')
  return response
}
