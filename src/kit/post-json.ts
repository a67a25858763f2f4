const readCsrf = () => /(?:^|; )(?:__Host-)?csrf=([^;]+)/.exec(document.cookie)?.[1]

/**
 * A call that changes something, from our own page in the browser: with the CSRF token, fetched when there is none yet. A
 * token from before a login or logout is worth nothing now; then a new one is fetched, once. Throws when nobody answers.
 */
export async function post(path: string, body?: unknown): Promise<Response> {
  if (!readCsrf()) await fetchCsrf()
  const response = await send(path, body)
  if (response.status !== 403) return response
  await response.text()
  await fetchCsrf()
  return send(path, body)
}

const fetchCsrf = () => fetch('/api/v1/csrf')

function send(path: string, body: unknown): Promise<Response> {
  return fetch(path, {
    method: 'POST',
    headers: {
      'X-CSRFToken': readCsrf() ?? '',
      // A page's language is its address's.
      'Accept-Language': document.documentElement.lang,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}
