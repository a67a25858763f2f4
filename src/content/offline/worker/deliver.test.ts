import { afterEach, expect, test, vi } from 'vitest'
import { LINK, type Waiting } from '#src/content/offline/outbox/outbox.ts'
import { OWNER_HEADER } from '#src/kit/http/market-answer.ts'
import { deliverWith } from './deliver.ts'

afterEach(() => vi.unstubAllGlobals())

const act: Waiting = {
  kind: 'handover',
  method: 'POST',
  path: '/bring/x',
  fields: [
    ['csrf', 'old'],
    ['code', '1234'],
  ],
  words: '',
  locale: 'en',
  n: 1,
  owner: LINK,
  at: 0,
  attempts: 1,
  state: 'waiting',
}

/** A market that answers the token to `viewer`, and each form with this page. */
function market(viewer: string, status: number, page: string) {
  const forms: URLSearchParams[] = []
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    if (path === '/api/v1/csrf') return new Response('{}', { headers: { [OWNER_HEADER]: viewer } })
    forms.push(init!.body as URLSearchParams)
    return new Response(page, { status, headers: { [OWNER_HEADER]: viewer } })
  })
  return forms
}
const deliver = (changes: Partial<Waiting> = {}) => deliverWith('token of now')({ ...act, ...changes }, async () => act)

test('an act by a link is sent whoever is logged in, with a token of now; a person’s own act waits for that person', async () => {
  for (const viewer of ['-', 'somebody']) {
    const forms = market(viewer, 200, '')
    expect(await deliver()).toEqual({ kind: 'sent' })
    expect(forms.map((form) => [form.get('csrf'), form.get('code')])).toEqual([['token of now', '1234']])
    expect(await deliver({ owner: 'me' })).toEqual({ kind: 'login' })
    expect(forms).toHaveLength(1)
  }
})

test('a refused form gives its reason: the failure, else the wrong field, else the title of the error page', async () => {
  const reasonOf = async (status: number, page: string) => {
    market('-', status, page)
    const delivery = await deliver()
    return delivery.kind === 'refused' ? delivery.reason : delivery.kind === 'again' ? delivery.delay.why : delivery.kind
  }
  const title = '<h1 class="x">Your stops</h1>'
  const field = '<p id="code-error" class="x">Four <b>digits</b>.</p>'
  expect(await reasonOf(422, `${title}${field}<p role="alert" tabindex="-1">It doesn&#x27;t match. </p>`)).toBe("It doesn't match.")
  expect(await reasonOf(422, `${title}${field}`)).toBe('Four digits.')
  expect(await reasonOf(404, '<h1>This page is not here</h1>')).toBe('This page is not here')
  for (const status of [408, 503]) expect(await reasonOf(status, title)).toBe('busy')
  expect(await reasonOf(429, title)).toBe('limit')
  expect(await reasonOf(401, title)).toBe('login')
})
