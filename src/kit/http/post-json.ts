export const readCsrf = () => /(?:^|; )(?:__Host-)?csrf=([^;]+)/.exec(document.cookie)?.[1]

/** A call that changes something, as `send`, by POST. */
export const post = (path: string, body?: unknown): Promise<Response> => send('POST', path, body)

/**
 * A call that changes something, from our own page in the browser: with the CSRF token, fetched when there is none yet. A
 * token from before a login or logout is worth nothing now; then a new one is fetched, once. Throws when nobody answers.
 */
export async function send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Response> {
  if (!readCsrf()) await fetchCsrf()
  const response = await ask(method, path, body)
  if (response.status !== 403) return response
  // Other refusals of this status are meant: a wrong password must not be tried twice.
  const { code } = (await response.clone().json()) as { code: string }
  if (code !== 'CSRF_REJECTED') return response
  await fetchCsrf()
  return ask(method, path, body)
}

const fetchCsrf = () => fetch('/api/v1/csrf')

function ask(method: string, path: string, body: unknown): Promise<Response> {
  return fetch(path, {
    method,
    headers: {
      'X-CSRFToken': readCsrf() ?? '',
      // A page's language is its address's.
      'Accept-Language': document.documentElement.lang,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}
